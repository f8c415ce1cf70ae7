# SPDX-License-Identifier: MIT
"""The charts, drawn by `course plot` as a person would, from made-up results."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import sample_results
from charting import needs_matplotlib

from warpladder import cli
from warpladder.setup import machine

ROOT = Path(__file__).resolve().parents[3]


def course(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "course"), *words]
    return subprocess.run(command, cwd=cwd, env={**os.environ}, capture_output=True, text=True)


def is_picture(path: Path) -> bool:
    start = path.read_bytes()[:200]
    return start.startswith(b"\x89PNG") if path.suffix == ".png" else b"<?xml" in start


@needs_matplotlib
@pytest.mark.early
def test_plot_draws_every_chart_beside_the_results_and_always_the_same(tmp_path: Path) -> None:
    sample_results.write(tmp_path / "mine", sample_results.lock_free() + sample_results.documents())
    run = course("plot", "mine", cwd=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    pictures = sorted((tmp_path / "mine").glob("*.[sp][vn]g"))
    names = ("ladder", "time", "share", "stack", "queue", "map", "mixes")
    assert {path.name for path in pictures} == {f"{name}.{kind}" for name in names for kind in ("svg", "png")}
    assert all(is_picture(path) for path in pictures)
    assert "chart: mine/ladder.svg" in run.stdout
    # Without lesson 06, whose charts take longest: what is saved the same for one is so for all.
    sample_results.write(tmp_path / "again")
    assert course("plot", "again", cwd=tmp_path).returncode == 0
    again = sorted((tmp_path / "again").glob("*.[sp][vn]g"))
    assert len(again) == 6
    assert [path.name for path in again if path.read_bytes() != (tmp_path / "mine" / path.name).read_bytes()] == []


@needs_matplotlib
def test_plot_compares_any_number_of_files(tmp_path: Path) -> None:
    files = [str(sample_results.write(tmp_path / name)) for name in "abcdefghij"]
    emulated = sample_results.documents(types=("f32",), times="modelled", backend="emulator")
    files.append(str(sample_results.write(tmp_path / "emulator", emulated[:2])))  # two lessons, no sweep
    run = course("plot", "--compare", *files, "--out", str(tmp_path / "out"), cwd=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert is_picture(tmp_path / "out" / "compare.svg") and is_picture(tmp_path / "out" / "compare.png")


@needs_matplotlib
@pytest.mark.parametrize("rows", ["one_rung", "all_skipped", "one_failed"])
def test_odd_results_are_drawn_or_refused_but_never_crash(rows: str, tmp_path: Path) -> None:
    document = sample_results.document("02_shared_memory_tree", part="ladder")
    if rows == "one_rung":
        document["rows"] = document["rows"][2:3]
    elif rows == "all_skipped":
        document["rows"] = [{"id": "x", "idea": "", "kind": "rung", "skipped": "it needs compute capability 9.0"}]
    else:
        document["rows"][2].update(ok=False, median_us=0.0, gbps=0.0)
    run = course("plot", str(sample_results.write(tmp_path, [document])), cwd=tmp_path)
    drawn = rows != "all_skipped"
    assert run.returncode == (0 if drawn else 2), run.stdout + run.stderr
    assert (tmp_path / "ladder.svg").exists() == drawn
    assert drawn or "no rung of lessons 01 to 05 that ran" in run.stderr


@needs_matplotlib
def test_publish_redraws_the_committed_results_and_rewrites_the_documents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in (("ROOT", tmp_path), ("RESULTS", tmp_path / "results"), ("MINE", tmp_path / "results" / "mine")):
        monkeypatch.setattr(f"warpladder.verbs.plot.{name}", value)
    sample_results.write(tmp_path / "results" / "h200", sample_results.documents(types=("f32",))[:2])
    (tmp_path / "README.md").write_text("# A\n\n<!-- results: ladder -->\n<!-- /results -->\n")
    chapter = tmp_path / "lessons" / "01_naive_atomic" / "README.md"
    chapter.parent.mkdir(parents=True)
    chapter.write_text("# B\n\n<!-- results: weather -->\n<!-- /results -->\n")
    assert cli.main(["plot", "--publish"]) == 2
    assert "course: lessons/01_naive_atomic/README.md:3: unknown marker" in capsys.readouterr().err
    assert "|" not in (tmp_path / "README.md").read_text(), "nothing is written where something is wrong"
    chapter.write_text("# B\n\n<!-- results: 01_naive_atomic f32 -->\n<!-- /results -->\n")
    part = chapter.with_name("1_first_part.md")
    part.write_text("# C\n\n<!-- results: 01_naive_atomic f32 only global_atomic -->\n<!-- /results -->\n")
    assert cli.main(["plot", "--publish"]) == 0
    assert "| `global_atomic` |" in chapter.read_text()
    assert "| `global_atomic` |" in part.read_text() and "| `shared_atomic` |" not in part.read_text()
    assert "| `global_atomic` |" in (tmp_path / "README.md").read_text()
    assert (tmp_path / "results" / "h200" / "ladder.svg").exists()


def test_a_folder_that_cannot_be_written_gets_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    for words in (["plot", str(sample_results.write(tmp_path))], ["run", "--no-setup"]):
        assert cli.main([*words, "--out", str(tmp_path / "file")]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_compare_needs_two_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["plot", "--compare", str(sample_results.write(tmp_path))]) == 2
    assert capsys.readouterr().err == "course: --compare needs at least two result files\n"


def test_without_results_plot_says_how_to_get_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("warpladder.verbs.plot.MINE", tmp_path)
    assert cli.main(["plot"]) == 2
    assert capsys.readouterr().err == "course: there are no results in results/mine: `./course run` makes them\n"


def test_without_matplotlib_plot_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(machine, "charts_python", lambda: None)
    assert cli.main(["plot", str(sample_results.write(tmp_path))]) == 3
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1 and "pip install matplotlib" in error


def test_labels_are_moved_apart_in_order_and_stay_inside() -> None:
    charts = pytest.importorskip("warpladder.charts.base", exc_type=ImportError)
    for wanted in ([5, 5, 5, 5], [1, 2, 50], [98, 99, 100, 100], [0, 0, 3], [40], []):
        placed = charts.spread_apart(wanted, 10, 0, 100)
        order = sorted(range(len(wanted)), key=lambda i: wanted[i])
        inorder = [placed[i] for i in order]
        assert all(b - a >= 10 - 1e-9 for a, b in zip(inorder, inorder[1:], strict=False)), (wanted, placed)
        assert all(-1e-9 <= p <= 100 + 1e-9 for p in placed), (wanted, placed)
    assert charts.spread_apart([20, 80], 10, 0, 100) == [20, 80]

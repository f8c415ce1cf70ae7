# SPDX-License-Identifier: MIT
"""`course model`: how modelled times are judged, and what it says about them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import sample_results
from charting import needs_matplotlib

from warpladder import cli
from warpladder.core.console import CourseError
from warpladder.model import contended, judge, micro, page, points, record
from warpladder.model.points import Point
from warpladder.setup import machine


def point(rung: str, measured: float, modelled: float, exponent: int = 14, spread: float = 0.0) -> Point:
    return Point("02_tree", rung, exponent, measured, spread, modelled, "dram 80 %")


def test_the_mean_is_geometric_and_the_worst_is_named() -> None:
    judgement = judge.judge([point("a", 10, 20), point("b", 30, 15)])
    assert judgement.mean_error == pytest.approx(1.0)
    assert max(judgement.worst.ratio, 1 / judgement.worst.ratio) == pytest.approx(2.0)
    assert judge.judge([point("a", 10, 10), point("b", 40, 10)]).mean_error == pytest.approx(1.0)


def test_only_pairs_that_are_clearly_apart_have_an_order() -> None:
    near = [point("a", 10, 3), point("b", 10.4, 2)]
    noisy = [point("a", 10, 3, spread=0.1), point("b", 11, 2, spread=0.1)]
    sizes = [point("a", 10, 3), point("b", 20, 2, exponent=16)]
    assert all(judge.judge(some).pairs == 0 for some in (near, noisy, sizes))
    wrong = judge.judge([point("a", 10, 3), point("b", 11, 2)])
    assert (wrong.pairs, len(wrong.wrong)) == (1, 1)
    assert "`a` and `b` at 2^14" in page.summary(wrong, [])


def test_a_bad_model_breaks_its_promises() -> None:
    assert judge.broken_promises(judge.judge([point("a", 10, 11), point("b", 20, 19)])) == []
    broken = judge.broken_promises(judge.judge([point("a", 10, 30), point("b", 20, 19)]))
    assert len(broken) == 3


def test_the_table_has_a_row_for_every_rung() -> None:
    text = page.table([point("a", 10, 11), point("a", 40, 39.5, exponent=16), point("b", 2000.4, 19)])
    assert "| 02 `a` | 11 / 10 (1.10) | 39.5 / 40 (0.99) | dram 80 % |" in text
    assert "| 02 `b` | 19 / 2000 (0.01) |  |  |" in text


def test_the_limit_is_that_of_the_longest_launch_of_the_rung_for_floats() -> None:
    def launch(kernel: str, ns: int, limit: str) -> dict[str, Any]:
        return {"kernel": kernel, "modelled_ns": ns, "limited_by": limit, "percent": 70}

    launches = [
        launch("void lesson05::roofline<256, 4, true, lesson05::PlainLoad, float>(float const*)", 30, "dram"),
        launch("void lesson05::roofline<256, 4, true, lesson05::PlainLoad, int>(int const*)", 90, "issue"),
        launch("void lesson05::collect<float>(float const*)", 50, "path"),
    ]
    assert points.limit_of("roofline", launches) == "dram 70 %"
    assert points.limit_of("collect", launches) == "path 70 %"
    assert points.limit_of("cub", launches) == ""


def test_the_measured_times_are_complete() -> None:
    measured = points.load_measured()
    assert measured["device"] == "NVIDIA H200"
    assert measured["times"] == "measured"
    for lesson, rungs in measured["lessons"].items():
        for rung, sizes in rungs.items():
            assert [int(e) for e in sizes] == measured["exponents"], f"{lesson} {rung}"
            assert all(median > 0 and 0 <= spread < 0.5 for median, spread in sizes.values())


def test_wrong_sizes_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["model", "--sizes", "13"]) != 0
    assert "nothing was measured at 2^13" in capsys.readouterr().err
    assert cli.main(["model", "--sizes", "x"]) != 0


def test_without_the_programs_it_says_how_to_get_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["model", "--sizes", "14", "--lessons", str(tmp_path)]) != 0
    assert "./course test" in capsys.readouterr().err


@needs_matplotlib
def test_the_chart_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = tmp_path / "page.md"
    written.write_text("<!-- model:begin -->\nold\n<!-- model:end -->\n")
    monkeypatch.setattr(page, "ROOT", tmp_path)
    monkeypatch.setattr(page, "PAGE", written)
    monkeypatch.setattr(page, "CHART", tmp_path / "model")
    page.publish("new\n", [point("a", 10, 11), point("cub", 20, 19)], machine.charts_python() or "")
    assert "new" in written.read_text()
    assert (tmp_path / "model.svg").is_file()
    assert len(json.loads((tmp_path / "model.json").read_text())["points"]) == 2


def test_what_was_measured_is_written_from_the_programs_documents() -> None:
    row = {"kind": "rung", "id": "a", "median_us": 2.00049, "spread": 0.0123456}
    others = [{"kind": "cpu", "id": "c", "median_us": 1, "spread": 0}, {"kind": "rung", "id": "s", "skipped": "why"}]
    document = {
        "lesson": "01_x",
        "n": 1 << 14,
        "type": "f32",
        "block": 256,
        "date": "2026-01-02T03:04:05Z",
        "revision": "abc",
        "times": "measured",
        "device": {"name": "GPU"},
        "rows": [row, *others],
    }
    data = json.loads(record.measured_text([{**document, "n": 1 << 16}, document]))
    assert data["exponents"] == [14, 16]
    assert data["lessons"] == {"01_x": {"a": {"14": [2.0, 0.01235], "16": [2.0, 0.01235]}}}
    assert (data["device"], data["date"], data["revision"]) == ("GPU", "2026-01-02", "abc")
    with pytest.raises(CourseError, match="modelled"):
        record.measured_text([{**document, "times": "modelled"}])
    runs = [{**document, "rows": [{**row, "median_us": time}]} for time in (2.2, 2.0, 2.0)]
    assert json.loads(record.measured_text(runs))["lessons"] == {"01_x": {"a": {"14": [2.0, 0.1]}}}


def test_lesson_06_is_compared_from_the_committed_results(tmp_path: Path) -> None:
    def results(name: str, rates: dict[str, float]) -> Path:
        rows = [[rung, 100.0, 1.0, rate] for rung, rate in rates.items()]
        table = {"id": "rates", "columns": ["rung", "operations", "us", "million/s"], "rows": rows}
        document = sample_results.experiment() | {"lesson": "06_lock_free", "name": "structures", "part": "experiment"}
        (tmp_path / name).mkdir(exist_ok=True)
        ladder = sample_results.document("02_shared_memory_tree", part="ladder")
        return sample_results.write(tmp_path / name, [ladder, document | {"tables": [table], "revision": name}])

    here = results("here", {"counter": 9.0, "lock_ticket": 2.0, "stack_naive": 1.0})
    text = contended.table(results("there", {"counter": 9.0, "lock_ticket": 0.8, "stack_naive": 1.0}), here)
    assert text.splitlines()[-1] == "| `lock_ticket` | 2.00 | 0.800 | 2.50 |", "what is compared fights for one word"
    assert "by revision here," in text and "with revision there." in text
    assert contended.table(results("there", {}), here) == ""


def test_micro_kernels_are_compared_row_by_row() -> None:
    there = [{"id": "a", "us": 10.0, "blocks": 1, "spread": 0}, {"id": "b", "value": 3.0}, {"id": "a", "us": 4.0}]
    here = [{"id": "a", "us": 20.0}, {"id": "b", "value": 3.0}, {"id": "a", "us": 1.0}]
    pairs = micro.compare(here, there)
    assert [ratio for ratio, _ in pairs] == [0.25, 2.0]
    text = micro.text(pairs)
    assert text.startswith("The 2 times of micro-kernels are off by 183 % (geometric mean), 1 of them by more than two")
    assert text.count("| `a` |") == 1, "the worst row of each kind"
    with pytest.raises(CourseError, match="record it again"):
        micro.compare(here[:2], there)

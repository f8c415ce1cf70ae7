# SPDX-License-Identifier: MIT
"""`course run` with scripts in place of the lesson programs: nothing is built."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from warpladder import cli
from warpladder.build import lessons
from warpladder.build.lessons import LessonBuild
from warpladder.lessons import catalog, sweep
from warpladder.results import ladder
from warpladder.results import saved as results_file
from warpladder.results.saved import Results
from warpladder.setup import machine, provision
from warpladder.verbs import run

ROOT = Path(__file__).resolve().parents[3]
EMULATED = {"backend": "emulator", "times": "modelled"}
PROGRAM = """#!{python}
import json, os, sys
words = sys.argv[1:]
def value(name, default):
    return words[words.index(name) + 1] if name in words else default
if "--help" in words:
    print("--json")
    sys.exit(0)
sys.path[:0] = {path!r}
import sample_results
more = {more!r}
more["revision"] = os.environ["WARPLADDER_REVISION"]
if {name!r} == "06_lock_free":
    document = {{**sample_results.lock_free()[1], **more}}
    assert "--type" not in words
elif "06" in {name!r}:
    document = {{**sample_results.lock_free()[0], **more}}
elif "." in {name!r}:
    document = {{**sample_results.experiment(), "name": {name!r}.partition(".")[2], **more}}
else:
    n = value("--n", "2^18")
    n = 2 ** int(n[2:]) if n.startswith("2^") else int(n)
    document = sample_results.document({name!r}, value("--type", "f32"), n, value("--rung", ""), **more)
json.dump(document, open(value("--json", os.devnull), "w"))
{behaviour}
"""


@pytest.fixture
def machine_with_lessons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lessons 01, 02 and 04 as scripts; charts are drawn only where a test wants them."""
    for name in ("01_naive_atomic", "02_shared_memory_tree", "04_warp_shuffle"):
        folder = tmp_path / "lessons" / name
        folder.mkdir(parents=True)
        (folder / "main.cu").write_text("")
        program(tmp_path, name)
    experiment(tmp_path, "04_warp_shuffle", "latencies")
    monkeypatch.setattr(catalog, "LESSONS", tmp_path / "lessons")
    monkeypatch.setattr(run, "BUILD", tmp_path / "build")
    monkeypatch.setattr(run, "MINE", tmp_path / "results" / "mine")
    monkeypatch.setattr(run, "RESULTS", tmp_path / "results")
    nothing_is_built(monkeypatch)
    monkeypatch.setattr(provision, "ensure_nvcc", lambda *_: "nvcc")
    monkeypatch.setattr(provision, "ensure_packages", lambda *_: None)
    monkeypatch.setattr(machine, "charts_python", lambda: None)
    monkeypatch.setattr(machine, "can_make_venv", lambda: False)
    monkeypatch.setenv("WARPLADDER_REVISION", "f00")
    return tmp_path


def nothing_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, answer in (("configure", True), ("make", True), ("start", None), ("wait", True)):
        monkeypatch.setattr(lessons.LessonBuild, name, lambda *_, answer=answer: answer)


def experiment(root: Path, lesson: str, stem: str, source: str = "return course::run_experiment(") -> None:
    (root / "lessons" / lesson / f"{stem}.cu").write_text(source)
    program(root, f"{lesson}.{stem}")


def program(root: Path, name: str, behaviour: str = "") -> None:
    more = {**EMULATED, "device": {"name": "NVIDIA H200 (Warp Ladder emulator)", "bus_gbps": 4814.3}}
    path = [str(ROOT / "scripts"), str(ROOT / "tests" / "scripts" / "samples")]
    text = PROGRAM.format(python=sys.executable, path=path, name=name, more=more, behaviour=behaviour)
    file = root / "build" / "default" / "lessons" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)


def saved(root: Path) -> Results:
    return results_file.load(root / "results" / "mine" / "emulator-h200")


def test_a_run_saves_every_document_and_ends_with_a_table(
    machine_with_lessons: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["run", "--quick"]) == 3  # all is there but the charts
    output = capsys.readouterr().out
    assert "no charts: matplotlib is missing" in output
    assert "modelled by the emulator, not measured" in output
    assert "shuffle_vector" in output and "% roof" in output
    results = saved(machine_with_lessons)
    assert [d["part"] for d in results.documents] == ["ladder", "ladder", "ladder", "experiment"]
    assert results.data["command"] == "./course run --quick"
    assert results.data["revision"] == "f00"
    assert ladder.types(results) == ["f32"]


def test_the_charts_are_drawn_and_named(
    machine_with_lessons: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.undo()
    python = machine.charts_python()
    if python is None:
        pytest.skip("matplotlib is not installed")
    monkeypatch.setattr(machine, "charts_python", lambda: python)
    for name, value in (("BUILD", "build"), ("MINE", "mine")):
        monkeypatch.setattr(run, name, machine_with_lessons / value)
    nothing_is_built(monkeypatch)
    monkeypatch.setattr(provision, "ensure_nvcc", lambda *_: "nvcc")
    monkeypatch.setattr(catalog, "LESSONS", machine_with_lessons / "lessons")
    assert cli.main(["run", "--no-setup", "--quick", "1", "--out", str(machine_with_lessons / "out")]) == 0
    assert f"chart:   {machine_with_lessons}/out/ladder.svg" in capsys.readouterr().out
    assert (machine_with_lessons / "out" / "ladder.png").exists()


def test_a_lesson_of_structures_has_no_type_and_no_sweep(
    machine_with_lessons: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (machine_with_lessons / "lessons" / "06_lock_free").mkdir()
    (machine_with_lessons / "lessons" / "06_lock_free" / "main.cu").write_text("")
    program(machine_with_lessons, "06_lock_free")
    experiment(machine_with_lessons, "06_lock_free", "contention")
    assert cli.main(["run", "6", "--n", "1000"]) == 3  # all is there but the charts
    assert "stack_versioned" in capsys.readouterr().out
    assert [d["name"] for d in saved(machine_with_lessons).documents] == ["structures", "contention"]
    assert cli.main(["run", "--quick"]) == 3  # with the ladder, at its own n
    output = capsys.readouterr().out
    assert "stack_versioned" in output and "shuffle_vector" in output
    parts = [d["part"] for d in saved(machine_with_lessons).documents]
    assert sorted(parts) == ["experiment"] * 3 + ["ladder"] * 3


def test_a_lesson_that_fails_is_reported_and_the_others_still_run(
    machine_with_lessons: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = "print('strided   7.00 us FAIL'); print('    FAIL: expected 8, got 7'); sys.exit(1)"
    program(machine_with_lessons, "02_shared_memory_tree", wrong)
    assert cli.main(["run", "--quick"]) == 1
    output = capsys.readouterr().out
    assert "FAILED   02_shared_memory_tree f32: FAIL: expected 8, got 7" in output
    assert len(saved(machine_with_lessons).part("ladder")) == 3


def test_a_program_that_dies_is_reported(machine_with_lessons: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = machine_with_lessons / "build" / "default" / "lessons" / "02_shared_memory_tree"
    file.write_text("#!/bin/sh\necho 'CUDA error: an illegal memory access' >&2\nkill -SEGV $$\n")
    assert cli.main(["run", "--quick"]) == 1
    output = capsys.readouterr().out
    assert "02_shared_memory_tree f32 FAILED (exit code -11)" in output
    assert "FAILED   02_shared_memory_tree f32: CUDA error: an illegal memory access" in output


def test_without_a_device_the_programs_sentence_and_code_come_through(
    machine_with_lessons: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = machine_with_lessons / "build" / "default" / "lessons" / "01_naive_atomic"
    file.write_text("#!/bin/sh\necho '01_naive_atomic: no usable GPU' >&2\nexit 3\n")
    assert cli.main(["run", "--quick"]) == 3
    assert capsys.readouterr().err == "course: 01_naive_atomic: no usable GPU\n"


def test_programs_that_write_no_document_are_not_part_of_a_run(
    machine_with_lessons: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[str] = []

    def make(_: LessonBuild, what: str, names: Sequence[str]) -> bool:
        built.extend(names)
        return True

    monkeypatch.setattr(LessonBuild, "make", make)
    monkeypatch.setattr(LessonBuild, "start", lambda _, what, names: built.extend(names))
    experiment(machine_with_lessons, "04_warp_shuffle", "toolbox", "run_experiment(); info.takes_json = false;")
    experiment(machine_with_lessons, "01_naive_atomic", "first_steps", "int main() {}")
    cli.main(["run", "--quick", "--preset", "emulator"])
    assert built == ["01_naive_atomic", "02_shared_memory_tree", "04_warp_shuffle", "04_warp_shuffle.latencies"]


def test_nothing_is_compiled_while_the_cpu_rows_of_the_ladder_are_measured(
    machine_with_lessons: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lesson 00 comes before the ladder: the rest is built when 01 has run."""
    happened: list[str] = []

    def note(*words: str) -> bool:
        happened.append(" ".join(words))
        return True

    monkeypatch.setattr(LessonBuild, "make", lambda _, what, names: note(*names))
    monkeypatch.setattr(LessonBuild, "start", lambda _, what, names: note("then", *names) if names else None)
    monkeypatch.setattr(LessonBuild, "wait", lambda _, name: note(name[:2]))
    monkeypatch.setattr(machine, "gpus", lambda: [])
    (machine_with_lessons / "lessons" / "00_first_steps").mkdir()
    (machine_with_lessons / "lessons" / "00_first_steps" / "main.cu").write_text("")
    program(machine_with_lessons, "00_first_steps")
    cli.main(["run", "--quick", "--type", "both"])
    assert happened[:2] == ["00_first_steps 01_naive_atomic", "00"]
    assert happened[2:5] == ["01", "then 02_shared_memory_tree 04_warp_shuffle 04_warp_shuffle.latencies", "01"]
    assert "then" not in " ".join(happened[5:])


def test_a_further_program_is_built_and_shown_alone(
    machine_with_lessons: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    built: list[str] = []

    def make(_: LessonBuild, what: str, names: Sequence[str]) -> bool:
        built.extend(names)
        return True

    monkeypatch.setattr(LessonBuild, "make", make)
    experiment(machine_with_lessons, "04_warp_shuffle", "toolbox", "int main() {}")
    program(machine_with_lessons, "04_warp_shuffle.toolbox", "print('lane by lane'); sys.exit(5)")
    assert cli.main(["run", "4.toolbox"]) == 5
    assert "lane by lane" in capfd.readouterr().out
    assert built == ["04_warp_shuffle.toolbox"]
    assert not (machine_with_lessons / "results").exists()


def test_one_program_takes_the_place_of_its_older_document(machine_with_lessons: Path) -> None:
    folder = machine_with_lessons / "results" / "card"
    experiment(machine_with_lessons, "04_warp_shuffle", "toolbox")
    program(machine_with_lessons, "04_warp_shuffle.toolbox")
    assert cli.main(["run", "--quick", "--out", str(folder)]) in (0, 3)  # 3: no charts here
    before = results_file.load(folder).documents
    assert cli.main(["run", "4.toolbox", "--out", str(folder)]) == 0
    assert cli.main(["run", "4.main", "--out", str(folder)]) == 0
    after = results_file.load(folder).documents
    assert [(d["lesson"], d["part"], d.get("name")) for d in after] == [
        (d["lesson"], d["part"], d.get("name")) for d in before
    ]
    again = {(d["part"], d.get("name")) for d in after if "4." in d["command"]}
    assert again == {("experiment", "toolbox"), ("ladder", None)}


def test_a_program_that_fails_leaves_the_older_document(machine_with_lessons: Path) -> None:
    folder = machine_with_lessons / "results" / "card"
    assert cli.main(["run", "4.latencies", "--out", str(folder)]) == 0
    before = (folder / "results.json").read_text()
    program(machine_with_lessons, "04_warp_shuffle.latencies", "sys.exit(1)")
    assert cli.main(["run", "4.latencies", "--out", str(folder)]) == 1
    assert (folder / "results.json").read_text() == before


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["4.hammer"], "there are: 4.latencies"),
        (["1.x"], "there are: none"),
        (["9.x"], "there is no lesson '9'"),
        (["4.latencies", "1"], "a program runs alone"),
        (["4.latencies", "--n", "5"], "a program runs alone"),
    ],
)
def test_an_unknown_program_gets_one_line_and_exit_code_2(
    machine_with_lessons: Path, words: list[str], part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["run", *words]) == 2
    error = capsys.readouterr().err
    assert part in error and len(error.splitlines()) == 1


def test_the_cpu_is_measured_once(machine_with_lessons: Path) -> None:
    """Each program notes what it was called with, and what the file of --cpu-from is about."""
    notes = machine_with_lessons / "notes"
    for name in ("01_naive_atomic", "02_shared_memory_tree", "04_warp_shuffle"):
        note = "given = value('--cpu-from', ''); lesson = json.load(open(given))['lesson'] if given else 'measured'"
        program(machine_with_lessons, name, f"{note}; open({str(notes)!r}, 'a').write(lesson + ' ')")
    cli.main(["run", "--quick", "--type", "both"])
    assert notes.read_text().split() == ["measured"] * 2 + ["01_naive_atomic"] * 4


def test_a_lessons_own_table_is_shown_when_it_has_run(
    machine_with_lessons: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program(machine_with_lessons, "01_naive_atomic", "print('global_atomic   7.00 us')")
    cli.main(["run", "--quick"])
    output = capsys.readouterr().out
    assert output.index("running 01") < output.index("global_atomic   7.00 us") < output.index("running 02")
    assert "the first table, 0:0" in output
    assert output.rstrip().splitlines()[-1].endswith("after the start")


def test_a_program_that_cannot_be_built_is_reported_and_the_others_run(
    machine_with_lessons: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lessons.LessonBuild, "wait", lambda _, name: not name.startswith("02"))
    assert cli.main(["run", "--quick"]) == 1
    assert "FAILED   02_shared_memory_tree f32: it could not be built" in capsys.readouterr().out
    assert len(saved(machine_with_lessons).part("ladder")) == 2


def test_one_lesson_is_added_to_the_results_that_are_there(machine_with_lessons: Path) -> None:
    cli.main(["run", "--quick"])
    cli.main(["run", "--quick", "2", "--type", "both"])
    results = saved(machine_with_lessons)
    found = [(d["lesson"][:2], d.get("type")) for d in results.documents]
    assert found == [("01", "f32"), ("02", "f32"), ("02", "i32"), ("04", "f32"), ("04", None)]


def test_the_sweep_on_the_emulator(machine_with_lessons: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cli.main(["run", "2", "1"])
    swept = {(d["rows"][2]["id"], d["n"].bit_length() - 1) for d in saved(machine_with_lessons).part("sweep")}
    # 2^18 is the ladder's own n; lesson 04, the last here, was not run: no roofline rung.
    rungs = ("global_atomic", "shared_atomic", "sequential")
    assert swept == {(rung, exponent) for rung in rungs for exponent in (10, 12, 14, 16, 20)}


@pytest.mark.parametrize(
    "words", [["--n", "lots"], ["--n", "-1"], ["--jobs", "0"], ["--type", "f64"], ["--preset", "x"]]
)
def test_wrong_options_get_one_line_and_exit_code_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["run", *words])
    assert ended.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("words", [["1"], ["--n", "2^20"], ["--quick"], ["--out", "x"]])
def test_only_a_whole_run_is_published(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "--publish", *words]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_run_that_failed_is_not_published(machine_with_lessons: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(machine_with_lessons, "02_shared_memory_tree", "sys.exit(1)")
    monkeypatch.setattr(sweep, "run", lambda *_: ([], []))
    assert cli.main(["run", "--publish"]) == 1
    assert not (machine_with_lessons / "results").exists()


def test_documents_stay_json(machine_with_lessons: Path) -> None:
    cli.main(["run", "--quick", "1"])
    path = machine_with_lessons / "results" / "mine" / "emulator-h200" / "results.json"
    assert json.loads(path.read_text())["kind"] == "results"

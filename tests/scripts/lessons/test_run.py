# SPDX-License-Identifier: MIT
"""`course run` with scripts in place of the lesson programs: nothing is built."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
import sample_results

from warpladder import cli
from warpladder.build import lessons
from warpladder.core.console import Console
from warpladder.lessons import catalog, sweep
from warpladder.lessons.programs import Outcome
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
    document = {{**sample_results.experiment(), **more}}
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
    monkeypatch.setattr(lessons.LessonBuild, "make", lambda _, what, names: built.extend(names) or True)
    monkeypatch.setattr(lessons.LessonBuild, "start", lambda _, what, names: built.extend(names))
    experiment(machine_with_lessons, "04_warp_shuffle", "toolbox", "run_experiment(); info.takes_json = false;")
    experiment(machine_with_lessons, "01_naive_atomic", "first_steps", "int main() {}")
    cli.main(["run", "--quick", "--preset", "emulator"])
    assert built == ["01_naive_atomic", "02_shared_memory_tree", "04_warp_shuffle", "04_warp_shuffle.latencies"]


def test_a_further_program_is_built_and_shown_alone(
    machine_with_lessons: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    built: list[str] = []
    monkeypatch.setattr(lessons.LessonBuild, "make", lambda _, what, names: built.extend(names) or True)
    experiment(machine_with_lessons, "04_warp_shuffle", "toolbox", "int main() {}")
    program(machine_with_lessons, "04_warp_shuffle.toolbox", "print('lane by lane'); sys.exit(5)")
    assert cli.main(["run", "4.toolbox"]) == 5
    assert "lane by lane" in capfd.readouterr().out
    assert built == ["04_warp_shuffle.toolbox"]
    assert not (machine_with_lessons / "results").exists()


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


# ---- the sweep on a GPU, with an answer in place of each program


class Fake:
    """Answers like the lesson programs; `special` may answer otherwise."""

    def __init__(self, special: dict[tuple[str, int], Outcome] | None = None) -> None:
        self.special = special or {}
        self.asked: list[tuple[str, str, int]] = []

    def run(self, name: str, *words: str) -> Outcome:
        given = dict(zip(words[::2], words[1::2], strict=True))
        n = 2 ** int(given["--n"][2:])
        rung = given.get("--rung", "")
        self.asked.append((rung, given["--type"], n.bit_length() - 1))
        document = sample_results.document(name, given["--type"], n, rung)
        return self.special.get((rung, n.bit_length() - 1), Outcome(0, "", 0.01, document))


def gpu_results() -> Results:
    documents = [d for d in sample_results.documents() if d["part"] == "ladder"]
    return Results(Path(), results_file.collect(documents, ""))


def swept(fake: Fake) -> tuple[list[dict[str, Any]], list[str]]:
    results = gpu_results()
    todo = sweep.plans(results, ["f32", "i32"], complete=True)
    return sweep.run(Console(), fake, results, todo)


def exponents(fake: Fake, rung: str, type_: str = "f32") -> list[int]:
    return [exponent for id_, t, exponent in fake.asked if (id_, t) == (rung, type_)]


@pytest.fixture
def large_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "available_memory", lambda: 1 << 40)


def test_on_a_gpu_the_roofline_rung_is_run_at_every_power_of_two(large_memory: None) -> None:
    fake = Fake()
    documents, failures = swept(fake)
    every = [e for e in range(10, 31) if e not in (20, 26)]  # 2^26 is the ladder's own; at 2^20 all rungs are run
    assert exponents(fake, "") == [20]
    assert exponents(fake, "async_copy") == every
    assert exponents(fake, "async_copy", "i32") == every
    assert exponents(fake, "sequential") == [e for e in range(10, 31, 2) if e != 26]
    assert exponents(fake, "sequential", "i32") == []
    assert failures == [] and len(documents) == len(fake.asked)
    assert {d["part"] for d in documents} == {"sweep"}


def test_a_slow_rung_is_not_run_at_larger_sizes(large_memory: None, capsys: pytest.CaptureFixture[str]) -> None:
    fake = Fake()
    swept(fake)
    assert exponents(fake, "global_atomic")[-1] == 28  # 467 ms there
    assert "global_atomic f32: not run from 2^30 on: it took 467 ms before" in capsys.readouterr().out


def test_sizes_that_do_not_fit_are_left_out_with_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sweep, "available_memory", lambda: 8 << 28)
    fake = Fake(
        {("shared_atomic", 24): Outcome(2, "--n 2^24 needs 9 GB, and only 8 GB of device memory are free", 0, None)}
    )
    _, failures = swept(fake)
    assert failures == []
    assert exponents(fake, "async_copy")[-1] == 28
    assert exponents(fake, "shared_atomic")[-1] == 24
    output = capsys.readouterr().out
    assert "async_copy f32: not run from 2^29 on: not enough memory on the host" in output
    assert "shared_atomic f32: not run from 2^24 on: not enough memory" in output


def test_a_failure_in_the_sweep_is_reported_and_the_sweep_goes_on(large_memory: None) -> None:
    fake = Fake({("sequential", 20): Outcome(1, "x\n  FAIL: expected 1, got 2\n", 0.1, None)})
    _, failures = swept(fake)
    assert failures == ["02_shared_memory_tree sequential f32 2^20:   FAIL: expected 1, got 2"]
    assert exponents(fake, "sequential")[-1] == 30


def test_the_main_rungs_are_cut_short_before_the_sweep_takes_too_long(
    large_memory: None, capsys: pytest.CaptureFixture[str]
) -> None:
    document = sample_results.document("02_shared_memory_tree", "f32", 1 << 22, "sequential")
    swept(Fake({("sequential", 22): Outcome(0, "", 100.0, document)}))
    assert "sequential f32: not run from 2^24 on: the sweep would take too long" in capsys.readouterr().out


def test_a_containers_limit_counts() -> None:
    files = {"/proc/meminfo": "MemTotal: 9 kB\nMemAvailable: 1000000 kB\n", "/sys/fs/cgroup/memory.max": "5000\n"}
    files["/sys/fs/cgroup/memory.current"] = "1000\n"
    assert sweep.available_memory(lambda path: files[str(path)]) == 4000
    files["/sys/fs/cgroup/memory.max"] = "max\n"
    assert sweep.available_memory(lambda path: files[str(path)]) == 1000000 * 1024


# ---- setting up


def test_a_run_on_a_gpu_needs_no_emulator_and_no_test_tools() -> None:
    packages = {r.package for r in machine.REQUIREMENTS if machine.RUN_GPU in r.uses and r.needed}
    assert packages == {"cmake", "ninja-build", "g++", "libcli11-dev", "nlohmann-json3-dev"}
    emulated = {r.package for r in machine.REQUIREMENTS if machine.RUN_EMULATED in r.uses and r.needed}
    assert emulated - packages == {"catch2", "libzstd-dev"}


def test_headers_are_found_where_cmake_is_told_to_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "CLI").mkdir()
    (tmp_path / "CLI" / "Unheard_of.hpp").write_text("")
    assert not machine.has_header("CLI/Unheard_of.hpp")
    monkeypatch.setenv("CMAKE_INCLUDE_PATH", f"/nowhere:{tmp_path}")
    assert machine.has_header("CLI/Unheard_of.hpp")


def test_where_matplotlib_is_there_nothing_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "charts_python", lambda: "/usr/bin/python3")
    monkeypatch.setattr(Console, "run", lambda *_: pytest.fail("a command was run"))
    assert provision.ensure_charts_python(Console()) == "/usr/bin/python3"


def test_a_first_run_installs_what_draws_charts_and_not_what_tests_need(monkeypatch: pytest.MonkeyPatch) -> None:
    installed: list[str] = []

    def pip(_: Console, __: str, command: list[str], *___: object) -> int:
        installed.extend(command)
        return 0

    monkeypatch.setattr(machine, "charts_python", lambda: None)
    monkeypatch.setattr(machine, "can_make_venv", lambda: True)
    monkeypatch.setattr(provision, "make_venv", lambda _: True)
    monkeypatch.setattr(Console, "run", pip)
    provision.ensure_charts_python(Console())
    assert [word.partition("==")[0] for word in installed if "==" in word] == ["matplotlib"]
    assert "-r" not in installed


def test_the_revision_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARPLADDER_REVISION", "1.2.3")
    assert machine.revision() == "1.2.3"
    monkeypatch.delenv("WARPLADDER_REVISION")
    assert machine.revision() not in ("", "1.2.3")


def test_documents_stay_json(machine_with_lessons: Path) -> None:
    cli.main(["run", "--quick", "1"])
    path = machine_with_lessons / "results" / "mine" / "emulator-h200" / "results.json"
    assert json.loads(path.read_text())["kind"] == "results"

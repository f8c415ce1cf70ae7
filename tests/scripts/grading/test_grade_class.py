# SPDX-License-Identifier: MIT
"""A whole class in one command: every student gets the grade they must get, and nothing is left behind."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import class_samples
import pytest
import result_schemas
from class_samples import DUE, SEED
from exercise_samples import ROOT, needs_emulator

from warpladder.exercises import catalog
from warpladder.grading.names import folder_name
from warpladder.judging import compile
from warpladder.sandbox import sandbox
from warpladder.setup import machine

# One process runs them all, where several share the tests: the class is graded once.
pytestmark = [needs_emulator, pytest.mark.early, pytest.mark.xdist_group("class")]
_FIRST_USER = 1_000_000 + 64 * os.getpid()  # of this test alone, so that it can tell its own processes
_RULES = {
    "schema": "warpladder-grading/1",
    "exercises": {"warp_sum": {"points": 5, "weight": 2}},
    "hidden_seeds": 1,
    "due": "2026-03-01T12:00:00Z",
    "late": {"grace_minutes": 10, "per_day": 0.1, "lowest": 0.5, "refuse_after_days": 7},
    "limits": {"run_seconds": 8},
    "seed": SEED,
}


@dataclass
class Graded:
    run: subprocess.CompletedProcess[str]
    out: Path
    everyone: dict[str, class_samples.Student]
    rows: dict[str, dict[str, str]]
    seconds: float
    unchanged: bool  # what was handed in


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    base = tmp_path_factory.mktemp("class")
    config = base / "rules.json"
    config.write_text(json.dumps(_RULES))
    config.chmod(0o600)
    forbidden = base / "forbidden"
    forbidden.mkdir()
    everyone = class_samples.students(forbidden, config)
    words = ["-j", "2"]
    if not sandbox.isolation() & {"user", "processes"}:  # an ordinary user without namespaces: these would succeed
        everyone = {name: who for name, who in everyone.items() if name not in ("kills_all", "looks_for_the_seed")}
        words = ["--unprotected"]
    class_samples.write(base / "in", everyone)
    before = _hashes(base / "in")
    env = {**os.environ, "WARPLADDER_SANDBOX_UID": str(_FIRST_USER)}
    command = [sys.executable, str(ROOT / "course"), "grade", str(base / "in"), "--config", str(config), *words]
    start = time.monotonic()
    run = subprocess.run(
        [*command, "--out", str(base / "out")], cwd=ROOT, env=env, capture_output=True, text=True, timeout=900
    )
    seconds = time.monotonic() - start
    rows = {}
    if (base / "out" / "class.csv").exists():
        with (base / "out" / "class.csv").open(newline="") as file:
            rows = {row["student"].lstrip("'"): row for row in csv.DictReader(file)}
    return Graded(run, base / "out", everyone, rows, seconds, before == _hashes(base / "in"))


def _hashes(folder: Path) -> dict[str, str]:
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def test_one_command_grades_all(graded: Graded) -> None:
    assert graded.run.returncode == 0, graded.run.stdout + graded.run.stderr
    assert graded.run.stderr == ""
    assert len(graded.everyone) >= 40
    assert set(graded.rows) == set(graded.everyone)
    print(f"{len(graded.everyone)} students in {graded.seconds:.0f} s")


def test_everyone_gets_the_right_grade(graded: Graded) -> None:
    wrong = []
    for name, student in graded.everyone.items():
        row = graded.rows[name]
        if (row["verdict"], float(row["score"]), row["max"]) != (student.verdict, student.score, "10"):
            wrong.append(f"{name}: {row}, not {student.verdict} and {student.score}")
    assert wrong == []


def test_nothing_is_left_running(graded: Graded) -> None:
    left = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            mine = os.geteuid() == 0 and _FIRST_USER <= process.stat().st_uid < _FIRST_USER + 64
            program = os.readlink(process / "exe")
        except OSError:
            continue
        runner = program.startswith(str(ROOT / "build" / "exercises")) and Path(program).name == "runner"
        if mine or (runner and not _of_these_tests(process)):
            left.append(f"{process.name} {program}")
    assert left == []


def _of_these_tests(process: Path) -> bool:
    """Whether another test runs it now, beside this one. What was left behind has lost its parents."""
    tests = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
    while process.name not in ("0", "1", str(tests)):
        try:
            process = process.with_name((process / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:  # it has ended
            return True
    return process.name == str(tests)


def test_nothing_is_written_outside(graded: Graded) -> None:
    assert graded.unchanged
    if not {"files", "user"} & sandbox.isolation():
        pytest.skip("as an ordinary user on a system without namespaces a submission can write where its user can")
    base = graded.out.parent
    assert [str(path) for path in base.rglob("mark")] == []
    assert not (ROOT / "mark").exists() and not Path("/usr/mark").exists() and not Path("/etc/mark").exists()
    assert sorted(path.name for path in base.iterdir()) == ["forbidden", "in", "out", "rules.json"]


def test_late_is_said(graded: Graded) -> None:
    assert graded.rows["late_two_days"]["late"] == "1.25"
    assert graded.rows["late_in_grace"]["late"] == ""
    assert DUE > 0 and float(graded.rows["late_too_much"]["late"]) == 30


def test_what_was_bad_is_said_in_one_line(graded: Graded) -> None:
    said = {name: graded.rows[name]["note"] for name in ("bad_zip", "leaves_the_zip", "bomb", "link", "empty")}
    assert said["bad_zip"].startswith("it cannot be read")
    assert said["leaves_the_zip"] == "a path in it leaves its folder: '../../mark'"
    assert said["bomb"] == "unpacked it is larger than 64 MiB"
    assert said["link"] == "warp_sum.cuh is a link or no plain file"
    assert said["empty"] == "it was not handed in"


def test_hidden_cases_are_not_told(graded: Graded) -> None:
    assert graded.rows["by_heart"]["note"] == "wrong value in a case that the statement does not show"
    text = (graded.out / "by_heart" / "gradescope" / "results.json").read_text()
    assert "expected" not in text and "seed" not in text


def test_the_solution_cannot_be_included(graded: Graded) -> None:
    for name in ("takes_the_solution", "takes_it_secretly"):
        text = (graded.out / name / "gradescope" / "results.json").read_text()
        assert "__shfl" not in text, "nor does an error message show it"


def test_no_file_of_the_grader_is_shown(graded: Graded) -> None:
    text = (graded.out / "shows_the_rules" / "gradescope" / "results.json").read_text()
    assert str(SEED) not in text and "warpladder-grading" not in text


def test_why_a_run_does_not_count(graded: Graded) -> None:
    assert graded.rows["wipes_it_first"]["note"] == "this run does not count: the emulator did not get its settings"
    assert graded.rows["needs_no_kernel"]["note"] == "this run does not count: no kernel was launched"


def test_odd_code_is_pointed_out(graded: Graded) -> None:
    assert "fork_bomb, warp_sum: look at it: it uses " in graded.run.stdout
    assert "anna, warp_sum" not in graded.run.stdout


def test_the_record_holds_what_is_needed_to_repeat_it(graded: Graded) -> None:
    record = json.loads((graded.out / "class.json").read_text())
    result_schemas.check(record, "grade")
    assert record["seed"] == SEED
    assert len(record["students"]) == len(graded.everyone)
    assert (graded.out / "class.json").stat().st_mode & 0o077 == 0


def test_all_formats_are_valid(graded: Graded) -> None:
    for name, student in graded.everyone.items():
        folder = graded.out / folder_name(name)
        gradescope = json.loads((folder / "gradescope" / "results.json").read_text())
        result_schemas.check_gradescope(gradescope)
        assert gradescope["score"] == student.score
        result_schemas.check(json.loads((folder / "exercism" / "results.json").read_text()), "exercism")
        result_schemas.check_junit((folder / "junit.xml").read_text())
        github = json.loads((folder / "github" / "result.json").read_text())
        result_schemas.check(github, "github")
        assert json.loads(base64.b64decode((folder / "github" / "result.txt").read_text())) == github


def test_the_second_time_nothing_is_judged_again_and_after_a_change_one(graded: Graded) -> None:
    before = (graded.out / "class.csv").read_bytes()
    assert _judged_again(graded) == 0
    assert (graded.out / "class.csv").read_bytes() == before
    name = "does_not_compile"
    file = graded.out.parent / "in" / name / class_samples.LESSON / "warp_sum.cuh"
    when = file.stat().st_mtime
    file.write_text(f"{graded.everyone[name].text}// once more\n")
    os.utime(file, (when, when))
    assert _judged_again(graded) == 1
    after = (graded.out / "class.csv").read_bytes()
    assert _without_seconds(after) == _without_seconds(before), "it is still the same verdict"


def _without_seconds(table: bytes) -> list[dict[str, str]]:
    rows = list(csv.DictReader(io.StringIO(table.decode())))
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


def _judged_again(graded: Graded) -> int:
    again = subprocess.run(graded.run.args, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert again.returncode == 0, again.stdout + again.stderr
    said = re.search(r"\] (\d+) of \d+ files had to be judged", again.stdout)
    assert said is not None, again.stdout
    return int(said[1])


def test_a_compiler_that_never_ends(tmp_path: Path) -> None:
    text = """template <int N, int M>
struct Tree { static constexpr int size = Tree<N - 1, 2 * M>::size + Tree<N - 1, 2 * M + 1>::size; };
template <int M>
struct Tree<0, M> { static constexpr int size = 1; };
static_assert(Tree<24, 0>::size > 0);
"""
    (tmp_path / "warp_sum.cuh").write_text(text)
    nvcc = machine.find_nvcc()
    assert nvcc is not None
    limits = replace(compile.LIMITS, seconds=3.0, memory_bytes=2 << 30)
    done = compile.runner(catalog.find("warp_sum"), tmp_path / "warp_sum.cuh", nvcc, gpu=False, limits=limits)
    assert done.error is not None and "stopped by its limit on" in done.error.text

# SPDX-License-Identifier: MIT
"""Limits that are evaded by files without a name, by many programs just below them, or by a program that is kept."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import pytest

from warpladder.build.backend import Backend
from warpladder.exercises import catalog
from warpladder.exercises.verdict import Kind, Verdict
from warpladder.grading import config
from warpladder.grading.config import Item, Rules
from warpladder.grading.grader import Grader
from warpladder.grading.inbox import Submission
from warpladder.judging import compile, diagnose
from warpladder.sandbox import sandbox
from warpladder.sandbox.allowance import Allowance
from warpladder.sandbox.sandbox import Limits, Record

WARP_SUM, LOST_TAIL = catalog.find("warp_sum"), catalog.find("lost_tail")
_UNLINKED = """
import os, time
held = []
for i in range(40):
    held.append(open(str(i), "wb")); os.unlink(str(i)); held[-1].write(bytes(1 << 20)); held[-1].flush()
time.sleep(30)
"""
_MEMFD = """
import os, time
for i in range(40):
    file = os.memfd_create("x"); os.write(file, bytes(2 << 20))
time.sleep(30)
"""


def run(folder: Path, code: str, limits: Limits, allowance: Allowance | None = None) -> Record:
    readable = [Path(sys.prefix), Path(sys.base_prefix)]
    return sandbox.run([sys.executable, "-c", code], folder, limits, readable=readable, allowance=allowance)


def test_files_without_a_name_count(tmp_path: Path) -> None:
    record = run(tmp_path, _UNLINKED, Limits(20, folder_bytes=16 << 20))
    assert record.limit == "output" and record.seconds < 15


def test_files_in_memory_count(tmp_path: Path) -> None:
    used = run(tmp_path, "import time; time.sleep(0.6)", Limits(20, memory_bytes=60 << 20))
    assert used.ok, "without them it is far below"
    record = run(tmp_path, _MEMFD, Limits(20, memory_bytes=60 << 20))
    assert record.limit == "memory" and record.seconds < 15


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a program a user of its own")
def test_files_where_all_users_can_write_count_and_do_not_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without namespaces another user can write to /tmp and the like."""
    monkeypatch.setenv("WARPLADDER_NO_NAMESPACES", "1")
    sandbox.walls.cache_clear()
    strays = [Path("/var/tmp/warpladder-stray"), Path("/dev/shm/warpladder-stray")]
    code = f"""mkdir -p {strays[0]}/deep; echo > {strays[1]}
for i in $(seq 40); do head -c 1048576 /dev/zero > {strays[0]}/deep/$i; done; sleep """
    try:
        for seconds, limits, limit in ((30, Limits(20, folder_bytes=16 << 20), "output"), (0, Limits(20), None)):
            with tempfile.TemporaryDirectory(dir="/tmp") as folder:
                record = sandbox.run(["/bin/sh", "-c", f"{code}{seconds}"], Path(folder), limits)
            assert record.limit == limit and record.seconds < 15
            assert not any(path.exists() for path in strays)
    finally:
        sandbox.walls.cache_clear()


def test_processor_time_of_children_counts(tmp_path: Path) -> None:
    code = "import os\nif os.fork() == 0:\n    for i in range(10**7): pass\n    os._exit(0)\nos.wait()"
    assert run(tmp_path, code, Limits(60)).cpu_seconds > 0.1


def test_all_programs_together(open_folder: Path) -> None:
    allowance, limits = Allowance(3.0, 60), Limits(20)
    start = time.monotonic()
    records = [run(open_folder, "import time; time.sleep(1.2)", limits, allowance) for _ in range(20)]
    assert time.monotonic() - start < 15
    assert records[0].ok and not records[3].ok
    assert [record.limit for record in records[3:]] == ["allowance"] * 17 and allowance.spent


def test_processor_time_counts_too(open_folder: Path) -> None:
    allowance = Allowance(60, 0.5)
    records = [run(open_folder, "for i in range(10**9): pass", Limits(20), allowance) for _ in range(3)]
    assert [record.limit for record in records] == ["allowance"] * 3
    assert sum(record.seconds for record in records) < 5


def test_it_is_said_what_was_used_up(tmp_path: Path) -> None:
    record = Record(None, None, "allowance", "", "", 0.0)
    verdict = diagnose.run_failed(record, Limits(), tmp_path / "x.cuh", None)
    assert verdict is not None and verdict.kind is Kind.TIME_LIMIT and "all your files together" in verdict.headline
    stopped = compile.CompileError("", 0, "stopped", "", 0, "", "allowance")
    assert diagnose.compile_error(stopped).headline == verdict.headline


def test_the_rules_say_how_much(tmp_path: Path) -> None:
    file = tmp_path / "rules.json"
    file.write_text('{"schema": "warpladder-grading/1", "limits": {"student_seconds": 100, "student_cpu_seconds": 50}}')
    allowance = config.load(file).allowance()
    assert (allowance.seconds, allowance.cpu_seconds) == (100, 50)
    every = config.load(None).allowance()
    assert 20 <= every.seconds / len(catalog.everything()) <= 60, "for each exercise of the course"


def test_one_students_end_is_not_anothers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same file is evaluated once, but not if its student had no time left."""
    rules = Rules((Item(WARP_SUM, 10), Item(LOST_TAIL, 10)), student_seconds=10)

    def evaluated(self: Grader, item: Item, text: bytes, allowance: Allowance) -> tuple[Verdict, None, list[str]]:
        if allowance.spent:
            return diagnose._allowance_spent(), None, []
        allowance.take(20 if text == b"slow" else 1, 0)
        return Verdict(Kind.PASSED, "right"), None, []

    monkeypatch.setattr(Grader, "_evaluate", evaluated)
    grader = Grader(rules, Backend("nvcc", False, Path("/emulator")), 1, lambda text: None)
    files = {"a": b"slow", "b": b"quick"}
    grades = [
        grader.student(Submission(name, Path(name), None, {"warp_sum": text, "lost_tail": b"same"}))
        for name, text in files.items()
    ]
    assert [grade.exercises[1].kind for grade in grades] == [Kind.TIME_LIMIT, Kind.PASSED]


def test_a_program_that_is_far_too_large_is_not_kept(tmp_path: Path) -> None:
    with (tmp_path / "runner").open("wb") as file:
        file.truncate(220 << 20)
    assert compile._refused(tmp_path, "runner", []) == "the program is larger than 8 MiB"


def test_a_list_of_includes_that_is_not_there_is_a_no(tmp_path: Path) -> None:
    (tmp_path / "runner").write_bytes(b"x")
    assert "could not be found out" in compile._refused(tmp_path, "runner", [])
    (tmp_path / "dependencies.txt").symlink_to("/etc/passwd")
    assert "could not be found out" in compile._refused(tmp_path, "runner", [])

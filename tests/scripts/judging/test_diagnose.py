# SPDX-License-Identifier: MIT
"""From what compilers, the emulator and judges say to a verdict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from warpladder.exercises.catalog import Budget
from warpladder.exercises.verdict import CaseResult, Kind
from warpladder.judging import compile, counters, diagnose
from warpladder.sandbox.sandbox import Limits, Record

DEADLOCK = """warp-ladder emulator: deadlock in k(int*)
  what    every thread that is left waits for another
  kernel  k(int*)
  waits   block (0,0,0) warp 0: lanes 0-4 wait at barrier 0 for lanes 5-31 of their own warp
          thread (0,0,0) at mine.cuh:2, which inlines sync.hpp:110  [bar.sync 0;]
  gone    block (0,0,0) warp 1: lanes 0-31 have exited
"""
OUTSIDE = """something a program prints
warp-ladder emulator: access in the wrong address space in k(int*)
  what    write of 4 bytes
  who     block (1,0,0), thread (2,0,0) (warp 0, lane 2)
  at      mine.cuh:2
          inlined at mine.cuh:9
  hint    check the index
exercise: case n5: cudaDeviceSynchronize() failed
"""


def result(kind: Kind, n: int = 5, **facts: object) -> CaseResult:
    return CaseResult(f"n{n}", True, kind is Kind.PASSED, kind, "", n, 1, dict(facts))


def record(stderr: str = "", exit: int | None = 10, limit: str | None = None, signal: int | None = None) -> Record:
    return Record(exit, signal, limit, "", stderr, 1.0)


@pytest.fixture
def student(tmp_path: Path) -> Path:
    file = tmp_path / "mine.cuh"
    file.write_text("first\n  second();\n")
    return file


def test_a_deadlock_at_a_barrier_is_a_barrier_that_not_all_reach(student: Path) -> None:
    verdict = diagnose.run_failed(record(DEADLOCK), Limits(), student, result(Kind.MISSING))
    assert verdict is not None and verdict.kind is Kind.BARRIER
    assert verdict.headline == "a barrier is not reached by all threads that it waits for, at mine.cuh:2"
    text = "\n".join(verdict.lines())
    assert "thread (0,0,0) at mine.cuh:2\n" in text + "\n", "what the toolkit inlines is of no use to a student"
    assert "warp 1: lanes 0-31 have exited" in text
    assert "2 | second();" in text


def test_a_stray_access_names_line_and_case(student: Path) -> None:
    verdict = diagnose.run_failed(record(OUTSIDE), Limits(), student, result(Kind.MISSING))
    assert verdict is not None and verdict.kind is Kind.OUT_OF_BOUNDS
    assert verdict.headline == "access in the wrong address space, at mine.cuh:2"
    assert dict(verdict.details)["case"] == "n = 5, seed 1"
    assert dict(verdict.details)["think"] == "check the index"


@pytest.mark.parametrize(
    ("ended", "kind", "headline"),
    [
        (record(limit="time", exit=None), Kind.TIME_LIMIT, "time limit: not finished after 20 s"),
        (record(limit="memory"), Kind.MEMORY_LIMIT, "memory limit: it asked for more memory than it may have"),
        (record(limit="output", exit=None), Kind.OUTPUT_LIMIT, "output limit: it wrote more than 1024 KiB"),
        (record(exit=None, signal=11), Kind.CRASHED, "the program crashed (SIGSEGV)"),
        (
            record("warp-ladder emulator: trap in k(int*)\n  what    a trap\n  at      mine.cuh:2\n"),
            Kind.CRASHED,
            "the kernel stopped itself (trap), at mine.cuh:2",
        ),
        (record(exit=7), Kind.CRASHED, "the program ended with exit code 7"),
    ],
)
def test_other_ends(student: Path, ended: Record, kind: Kind, headline: str) -> None:
    verdict = diagnose.run_failed(ended, Limits(), student, None)
    assert verdict is not None
    assert (verdict.kind, verdict.headline) == (kind, headline)


def test_a_run_that_ends_well_is_no_failure_whatever_it_prints(student: Path) -> None:
    assert diagnose.run_failed(record(OUTSIDE, exit=0), Limits(), student, None) is None


def test_a_mixture_is_no_lost_tail() -> None:
    tail = result(Kind.LOST_TAIL, 5, array="sum", index=0, expected="3", actual="2")
    other = result(Kind.WRONG_VALUE, 8, array="sum", index=0, expected="3", actual="1")
    assert diagnose.of_cases([result(Kind.PASSED, 4), tail]).kind is Kind.LOST_TAIL
    verdict = diagnose.of_cases([tail, other])
    assert verdict.kind is Kind.WRONG_VALUE and verdict.case == "n8"


@pytest.mark.parametrize(
    ("output", "where", "text", "more"),
    [
        (
            "/a/b/mine.cuh(2): error: x is undefined\n  y\n\n/a/mine.cuh(9): error: z\n",
            "mine.cuh:2",
            "x is undefined",
            1,
        ),
        ("/a/mine.cuh:3:7: error: expected ';'\n", "mine.cuh:3", "expected ';'", 0),
        ("/a/mine.cuh(1): error #20: x is undefined\n", "mine.cuh:1", "x is undefined", 0),
        ("mine.cuh:1:10: fatal error: none.h: no such file\n", "mine.cuh:1", "none.h: no such file", 0),
        ("ld: undefined reference to `f()'\n", "", "ld: undefined reference to `f()'", 0),
    ],
)
def test_the_first_error_of_a_compiler(output: str, where: str, text: str, more: int) -> None:
    error = compile.first_error(output)
    assert (error.where, error.text, error.more) == (where, text, more)


def test_what_a_budget_counts() -> None:
    entries = [
        {
            "launch": {"shared": 64},
            "counters": {"loads": 10},
            "lines": [
                {"file": "/a/mine.cuh", "line": 4, "counters": {"loads": 7}},
                {"file": "run.cu", "line": 1, "counters": {"loads": 3}},
            ],
        },
        {
            "launch": {"shared": 32},
            "counters": {"loads": 5},
            "lines": [{"file": "/a/mine.cuh", "line": 4, "counters": {"loads": 5}}],
        },
    ]
    launches = counters.launches(json.dumps({"launches": entries}).encode())
    assert counters.spent(launches, Budget("loads", "n5", 1, "")) == (15, "mine.cuh:4", 12)
    assert counters.spent(launches, Budget("shared", "n5", 1, "")) == (64, "", 0), "of launch figures the largest"

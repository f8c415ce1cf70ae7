# SPDX-License-Identifier: MIT
"""The two lines that exercise.json names for a wrong answer that races, against what the checks name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from warpladder.build.backend import Backend
from warpladder.exercises import catalog
from warpladder.judging import races
from warpladder.judging.evaluate import Request

EXERCISE = replace(catalog.everything()[0], races={"no_barrier.cuh": (13, 14)})


def said(monkeypatch: pytest.MonkeyPatch, name: str, *found: tuple[int, int]) -> str:
    monkeypatch.setattr(races, "pairs", lambda request: list(found))
    return races.problem(Request(EXERCISE, Path(name), Backend("nvcc", gpu=False, emulator=None)))


def test_the_lines_that_are_named_must_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(monkeypatch, "no_barrier.cuh", (13, 14)) == ""
    assert said(monkeypatch, "no_barrier.cuh", (13, 13), (13, 14)) == ""
    wrong = said(monkeypatch, "no_barrier.cuh", (13, 13))
    assert wrong == "the checks do not name the race of lines 13 and 14; they find: [(13, 13)]"
    assert said(monkeypatch, "no_barrier.cuh").endswith("they find: none")


def test_a_race_that_is_not_named_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(monkeypatch, "lost_tail.cuh") == ""
    wrong = said(monkeypatch, "lost_tail.cuh", (9, 10), (3, 4))
    assert wrong == "the checks name a race of lines 3 and 4, 9 and 10, exercise.json does not"


def test_large_cases_are_left_out_unless_all_are() -> None:
    names = ["n100.in", "hidden1_n5000.in", "n100000_2.in", "seeds.in"]
    assert races._large("", names) == ["hidden1_n5000.in", "n100000_2.in"]
    assert races._large("", ["n100000.in", "n200000.in"]) == ["n200000.in"]

# SPDX-License-Identifier: MIT
"""The rules of a grade: points, weights, late, speed, and what a student is told of hidden cases."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from exercise_samples import needs_emulator, pretended_gpu

from warpladder.build.backend import Backend
from warpladder.core.console import CourseError
from warpladder.exercises import catalog
from warpladder.exercises.catalog import Timed
from warpladder.exercises.verdict import CaseResult, Kind, Verdict
from warpladder.grading import config
from warpladder.grading import speed as grade_speed
from warpladder.grading.config import Item, Rules, SpeedRule
from warpladder.grading.grader import Grader, without_hidden
from warpladder.grading.inbox import Submission
from warpladder.grading.names import folder_name
from warpladder.grading.outcome import Outcome
from warpladder.grading.remarks import odd_words
from warpladder.grading.speed import Speed
from warpladder.judging import includes
from warpladder.judging.evaluate import Request

EVERYTHING = catalog.everything()
WARP_SUM = catalog.find("warp_sum", EVERYTHING)
EMULATOR, GPU = Backend("nvcc", False, Path("/emulator")), Backend("nvcc", True, None)


def load(tmp_path: Path, **data: Any) -> Rules:  # noqa: ANN401
    path = tmp_path / "rules.json"
    path.write_text(json.dumps({"schema": config.SCHEMA, **data}))
    return config.load(path, EVERYTHING)


def test_the_committed_rules_take_every_exercise() -> None:
    rules = config.load(None, EVERYTHING)
    assert [item.exercise.name for item in rules.items] == [exercise.name for exercise in EVERYTHING]
    assert all(item.most == item.exercise.points for item in rules.items)


def test_points_and_weights(tmp_path: Path) -> None:
    rules = load(tmp_path, exercises={"warp_sum": {"points": 4, "weight": 2.5}, "lost_tail": 3})
    assert [(item.exercise.name, item.most) for item in rules.items] == [("warp_sum", 10), ("lost_tail", 3)]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"exercises": {"warp_sun": 3}}, "there is no exercise 'warp_sun'"),
        ({"exercises": {"warp_sum": {"point": 3}}}, "unknown: point"),
        ({"exercises": {"warp_sum": -1}}, "must be a number from 0"),
        ({"exercises": {"warp_sum": True}}, "argument of type|object|must be"),
        ({"partial": 2}, "partial must be a number from 0 to 1"),
        ({"hidden_seeds": 0}, "hidden_seeds must be from 1 to 100"),
        ({"due": "tomorrow"}, "Invalid isoformat"),
        ({"late": {"per_week": 1}}, "late: unknown: per_week"),
        ({"late": {"per_day": "a tenth"}}, "late.per_day must be a number from 0 to 1, not 'a tenth'"),
        ({"late": {"grace_minutes": -1}}, "late.grace_minutes must be a number from 0"),
        ({"late": 3}, "late must be an object"),
        ({"limits": ["run_seconds"]}, "limits must be an object"),
        ({"performance": {"full_at": "fast"}}, "performance.full_at must be a number from 0"),
        ({"hidden_seeds": "two"}, "invalid literal"),
        ({"performance": {"full_at": 0.1}}, "none_at must be less"),
        ({"colour": "red"}, "unknown: colour"),
    ],
)
def test_wrong_rules_are_one_line(tmp_path: Path, data: dict[str, Any], message: str) -> None:
    with pytest.raises(CourseError, match=message) as error:
        load(tmp_path, **data)
    assert error.value.exit_code == 2 and "\n" not in str(error.value)


def test_late(tmp_path: Path) -> None:
    late = {"grace_minutes": 10, "per_day": 0.1, "lowest": 0.5, "refuse_after_days": 7}
    rules = load(tmp_path, due="2026-03-01T12:00:00+01:00", late=late)
    due = rules.due
    assert due is not None

    def kept(**over: float) -> float:
        return round(rules.lateness(due + timedelta(**over))[1], 6)

    assert kept(hours=-3) == kept(minutes=10) == 1
    assert kept(minutes=11) == kept(hours=24) == 0.9
    assert kept(hours=25) == 0.8
    assert kept(days=6) == 0.5
    assert kept(days=7.1) == 0
    assert rules.lateness(None) == (0.0, 1.0)


def case(name: str, ok: bool, n: int = 97) -> CaseResult:
    kind = Kind.PASSED if ok else Kind.WRONG_VALUE
    facts = {} if ok else {"array": "sum", "index": 0, "size": 1, "expected": "12345", "actual": "54321"}
    return CaseResult(name, not name.startswith("hidden"), ok, kind, "", n, 777, facts)


def test_a_hidden_case_is_not_told() -> None:
    cases = (case("n1", True), case("hidden1_n97", False))
    details = (("expected", "12345"), ("for", "n = 97, seed 777"), ("think", "of the tail"))
    told = without_hidden(Verdict(Kind.WRONG_VALUE, "wrong value: sum is 54321", details, "hidden1_n97", cases))
    assert told.headline == "wrong value in a case that the statement does not show"
    assert told.details == (("think", "of the tail"),)


def test_a_visible_case_is_told_instead() -> None:
    cases = (case("hidden1_n97", False), case("n100", False, 100))
    told = without_hidden(Verdict(Kind.WRONG_VALUE, "secret", (), "hidden1_n97", cases))
    assert told.headline == "wrong value: sum is 54321, not 12345, for n = 100"


def grade(
    rules: Rules, where: Backend, verdict: Verdict, speed: Speed | None = None, kept: float = 1.0
) -> tuple[float, float]:
    grader = Grader(rules, where, 1, lambda text: None)
    entry = grader._grade(rules.items[0], Outcome(verdict, 1.0, speed), kept, b"", None)
    return entry.score, entry.most


def test_points_for_speed() -> None:
    rule = SpeedRule(share=0.2, full_at=0.9, none_at=0.3)
    assert [grade_speed.earned(ratio, rule) for ratio in (None, 0.1, 0.3, 0.6, 0.9, 5.0)] == pytest.approx(
        [0, 0, 0, 0.5, 1, 1]
    )
    rules = Rules((Item(WARP_SUM, 10, 1, performance=0.2),), speed=rule)
    right = Verdict(Kind.PASSED, "all right")
    assert grade(rules, GPU, right, Speed(0.95, "")) == (10, 10)
    assert grade(rules, GPU, right, Speed(0.6, "")) == (9, 10)
    assert grade(rules, GPU, right, Speed(None, "not timed")) == (8, 10)
    assert grade(rules, EMULATOR, right) == (8, 8), "not given on the emulator, and not held against anybody"
    assert grade(rules, GPU, right, Speed(0.95, ""), kept=0.5) == (5, 10)


@needs_emulator
def test_speed_is_a_ratio_to_the_reference_of_the_same_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the emulator, whose times are a model's: the way is the same."""
    timed = replace(WARP_SUM, performance=Timed(n=3000, repeats=2))
    where = pretended_gpu(monkeypatch)
    solution = WARP_SUM.folder / "solution.cuh"
    same = grade_speed.measure(Request(timed, solution, where), solution)
    assert same.ratio == pytest.approx(1.0, abs=0.05) and "n = 3000" in same.text
    wrong = grade_speed.measure(Request(timed, WARP_SUM.folder / "wrong" / "four_steps.cuh", where), solution)
    assert wrong == Speed(None, "not timed at n = 3000: the student is wrong there")


def test_partial_points() -> None:
    cases = (case("n1", True), case("n2", False), case("n3", True), case("n4", True))
    wrong = Verdict(Kind.WRONG_VALUE, "wrong", (), "n2", cases)
    item = Item(WARP_SUM, 10)
    assert grade(Rules((item,)), EMULATOR, wrong) == (0, 10)
    assert grade(Rules((item,), partial=0.4), EMULATOR, wrong) == (3, 10)


def test_seeds_differ_and_repeat() -> None:
    grader = Grader(Rules(()), EMULATOR, 5, lambda text: None)
    seeds = {grader.hidden_seed(exercise, number) for exercise in EVERYTHING for number in range(3)}
    assert len(seeds) == 3 * len(EVERYTHING) and all(0 <= seed < 1 << 63 for seed in seeds)
    again = Grader(Rules(()), EMULATOR, 5, lambda text: None)
    assert again.hidden_seed(WARP_SUM, 1) == grader.hidden_seed(WARP_SUM, 1)


def test_a_grader_that_fails_on_one_file_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(request: object) -> Verdict:
        raise RuntimeError("something\nbroke")

    monkeypatch.setattr("warpladder.grading.grader.evaluate", broken)
    rules = Rules((Item(WARP_SUM, 10), Item(replace(WARP_SUM, name="other"), 5)))
    grader = Grader(rules, EMULATOR, 5, lambda text: None)
    done = grader.everyone([Submission("anna", Path("x"), None, {"warp_sum": b"text"})], 2)
    assert [entry.kind for entry in done[0].exercises] == [Kind.CRASHED, Kind.MISSING]
    assert grader.failures == ["anna, warp_sum: RuntimeError: something broke"]


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "..", ".", "", "a/b", "class.csv", "x" * 300, "\x1b[31m"])
def test_a_name_as_a_folder(name: str) -> None:
    made = folder_name(name)
    assert "/" not in made and made not in ("", ".", "..", "class.csv") and len(made) < 150 and made.isprintable()


def test_ordinary_names_stay() -> None:
    assert [folder_name(name) for name in ("anna", "Å. Ö", "a.b@c.org")] == ["anna", "Å. Ö", "a.b@c.org"]


def test_odd_words() -> None:
    assert odd_words(b"int forked = 1; // system of") == ["system"]
    assert odd_words((WARP_SUM.folder / "solution.cuh").read_bytes()) == []


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (b'#include "/etc/passwd"', "/etc/passwd"),
        (b"  # include <../../x>", "../../x"),
        (b'#include "common/../../solution.cuh"', "common/../../solution.cuh"),
        (b'#include "common/check.cuh"\n#include <cub/cub.cuh>', ""),
    ],
)
def test_includes_that_leave_the_folder(text: bytes, path: str) -> None:
    assert includes.forbidden(text) == path


def test_what_a_compiler_read(tmp_path: Path) -> None:
    (tmp_path / "student").mkdir()
    fine = "runner.o : course/run.cu \\\n  student/a.cuh /usr/include/stdio.h /opt/cuda/include/x.h\n"
    assert includes.elsewhere(fine, tmp_path, [Path("/opt/cuda")]) == ""
    assert includes.elsewhere(fine, tmp_path, []) == "/opt/cuda/include/x.h"
    assert includes.elsewhere(fine + " student/../../secret.cuh", tmp_path, [Path("/opt/cuda")]) != ""
    assert includes.elsewhere("x: /usr/../etc/passwd", tmp_path, []) == "/usr/../etc/passwd"

# SPDX-License-Identifier: MIT
"""`course lint` over all exercises: solutions pass, starters and wrong answers fail for the reason that is named.

The plain suite takes the solutions, the starters, which have verdicts of every kind, and one wrong answer of each
lesson, with another verdict than its starter's. --long takes all wrong answers, and more hidden cases.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from exercise_samples import course, needs_emulator

from warpladder.exercises import catalog
from warpladder.verbs import lint

EXERCISES = catalog.everything()


def keeps_its_rules(exercise: catalog.Exercise, wrong: int, work: Path, *more: str) -> None:
    words = ["--backend", "emulator", "--wrong", str(wrong), "--jobs", "1", *more]
    run = course("lint", exercise.name, *words, work=work)
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"1 exercises, {wrong} wrong answers rejected, 0 with problems" in run.stdout


@needs_emulator
@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
def test_every_exercise_keeps_its_rules(exercise: catalog.Exercise, tmp_path: Path) -> None:
    first_of_lesson = next(other for other in EXERCISES if other.lesson == exercise.lesson)
    keeps_its_rules(exercise, int(exercise is first_of_lesson), tmp_path, "--brief")


@needs_emulator
@pytest.mark.long
@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
def test_every_wrong_answer_is_rejected(exercise: catalog.Exercise, tmp_path: Path) -> None:
    keeps_its_rules(exercise, len(exercise.wrong), tmp_path)


def test_the_starters_alone_have_verdicts_of_every_kind() -> None:
    """What the plain suite runs; a kind that only a wrong answer gets must be added there."""
    kinds = {kind for exercise in EXERCISES for kind in exercise.wrong.values()}
    assert kinds <= {exercise.starter_verdict for exercise in EXERCISES}


def test_there_are_exercises_with_wrong_answers() -> None:
    assert len(EXERCISES) >= 20
    assert all(len(exercise.wrong) >= lint.WRONG_MINIMUM for exercise in EXERCISES)


def test_few_wrong_answers_have_as_many_verdicts_as_they_can() -> None:
    for exercise in EXERCISES:
        kinds = {exercise.starter_verdict, *exercise.wrong.values()}
        several = lint.telling(exercise, len(kinds) - 1)
        assert {exercise.starter_verdict, *dict(several).values()} == kinds
        assert sorted(lint.telling(exercise, None)) == sorted(exercise.wrong.items())

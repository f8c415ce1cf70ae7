# SPDX-License-Identifier: MIT
"""`course lint` over all exercises: solutions pass, starters and wrong answers fail for the reason that is named.

The plain suite runs every solution, one wrong answer of each lesson, and the starters that compile quickly, or have a
verdict that none of those has. --long runs everything, and the solutions with more hidden cases.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from exercise_samples import course, needs_emulator

from warpladder.exercises import catalog
from warpladder.verbs import lint

EXERCISES = catalog.everything()


def first_of_lesson(exercise: catalog.Exercise) -> bool:
    return exercise is next(other for other in EXERCISES if other.lesson == exercise.lesson)


def kinds_of_the_quick() -> set[str]:
    quick = [exercise for exercise in EXERCISES if is_quick(exercise) or first_of_lesson(exercise)]
    wrong = [lint.telling(exercise, 1)[0][1] for exercise in EXERCISES if first_of_lesson(exercise)]
    return {*wrong, *(exercise.starter_verdict for exercise in quick)}


def is_quick(exercise: catalog.Exercise) -> bool:
    """Without the headers that take nvcc most of the time."""
    text = (exercise.folder / "solution.cuh").read_text()
    return "#include <cuda/" not in text and "#include <cooperative_groups" not in text


def with_starter() -> list[str]:
    chosen, seen = [], kinds_of_the_quick()
    for exercise in EXERCISES:
        if is_quick(exercise) or first_of_lesson(exercise) or exercise.starter_verdict not in seen:
            chosen.append(exercise.name)
            seen.add(exercise.starter_verdict)
    return chosen


WITH_STARTER = with_starter()


def keeps_its_rules(exercise: catalog.Exercise, wrong: int, work: Path, *more: str) -> None:
    words = ["--backend", "emulator", "--wrong", str(wrong), "--jobs", "1", *more]
    run = course("lint", exercise.name, *words, work=work)
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"1 exercises, {wrong} wrong answers rejected, 0 with problems" in run.stdout


@needs_emulator
@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
def test_every_exercise_keeps_its_rules(exercise: catalog.Exercise, tmp_path: Path) -> None:
    more = [] if exercise.name in WITH_STARTER else ["--no-starter"]
    keeps_its_rules(exercise, int(first_of_lesson(exercise)), tmp_path, "--brief", *more)


@needs_emulator
@pytest.mark.long
@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
def test_every_wrong_answer_is_rejected(exercise: catalog.Exercise, tmp_path: Path) -> None:
    keeps_its_rules(exercise, len(exercise.wrong), tmp_path)


def test_the_plain_suite_has_verdicts_of_every_kind() -> None:
    everywhere = {kind for exercise in EXERCISES for kind in (exercise.starter_verdict, *exercise.wrong.values())}
    starters = {exercise.starter_verdict for exercise in EXERCISES if exercise.name in WITH_STARTER}
    assert everywhere == starters | kinds_of_the_quick()


def test_there_are_exercises_with_wrong_answers() -> None:
    assert len(EXERCISES) >= 20
    assert all(len(exercise.wrong) >= lint.WRONG_MINIMUM for exercise in EXERCISES)


def test_few_wrong_answers_have_as_many_verdicts_as_they_can() -> None:
    for exercise in EXERCISES:
        kinds = {exercise.starter_verdict, *exercise.wrong.values()}
        several = lint.telling(exercise, len(kinds) - 1)
        assert {exercise.starter_verdict, *dict(several).values()} == kinds
        assert sorted(lint.telling(exercise, None)) == sorted(exercise.wrong.items())

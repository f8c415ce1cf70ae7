# SPDX-License-Identifier: MIT
"""`course lint` over all exercises: solutions pass, starters and wrong answers fail for the reason that is named.

The plain suite runs every solution, every starter and one wrong answer of each exercise, compiled many at a time.
--long runs everything, each file compiled alone, as a student's is, and the solutions with more hidden cases.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from exercise_samples import ROOT, WARP_SUM, course, needs_emulator

from warpladder.build import backend
from warpladder.core.console import Console
from warpladder.exercises import catalog
from warpladder.judging import compile, together
from warpladder.verbs import lint

EXERCISES = catalog.everything()


def is_quick(exercise: catalog.Exercise) -> bool:
    """Without the headers that take nvcc most of the time."""
    text = (exercise.folder / "solution.cuh").read_text()
    return "#include <cuda/" not in text and "#include <cooperative_groups" not in text


QUICK = [exercise for exercise in EXERCISES if is_quick(exercise)]
OTHERS = [exercise for exercise in EXERCISES if not is_quick(exercise)]


def keep_their_rules(exercises: list[catalog.Exercise], wrong: int, work: Path, *more: str) -> None:
    names = [exercise.name for exercise in exercises]
    words = ["--backend", "emulator", "--wrong", str(wrong), "--jobs", "1", *more]
    # These are our own files, and the walls around a stranger's have tests of their own: half of a short run is theirs.
    without = "bubblewrap,namespaces,calls,group" if "--alone" in more else "jail"
    run = course("lint", *names, *words, work=work, WARPLADDER_WITHOUT=without)
    assert run.returncode == 0, run.stdout + run.stderr
    rejected = sum(min(wrong, len(exercise.wrong)) for exercise in exercises)
    assert f"{len(names)} exercises, {rejected} wrong answers rejected, 0 with problems" in run.stdout


@needs_emulator
@pytest.mark.early
@pytest.mark.parametrize("exercises", [QUICK, OTHERS], ids=["quick", "others"])
def test_every_exercise_keeps_its_rules(exercises: list[catalog.Exercise], tmp_path: Path) -> None:
    keep_their_rules(exercises, 1, tmp_path, "--brief")


@needs_emulator
@pytest.mark.long
@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
def test_every_wrong_answer_is_rejected(exercise: catalog.Exercise, tmp_path: Path) -> None:
    keep_their_rules([exercise], len(exercise.wrong), tmp_path, "--alone")


def test_the_plain_suite_has_verdicts_of_every_kind() -> None:
    everywhere = {kind for exercise in EXERCISES for kind in (exercise.starter_verdict, *exercise.wrong.values())}
    run = {exercise.starter_verdict for exercise in EXERCISES}
    assert everywhere == run | {lint.telling(exercise, 1)[0][1] for exercise in EXERCISES}


def test_only_what_takes_as_long_to_read_is_compiled_together() -> None:
    pieces = [
        together._Piece(exercise, exercise.folder / "run.cu", exercise.folder / "solution.cuh")
        for exercise in EXERCISES
    ]
    groups = together._groups(pieces)
    assert sum(map(len, groups)) > len(EXERCISES) / 2
    for group in groups:
        assert len({together.is_heavy(piece.includes()) for piece in group}) == 1
        text = together._text(group).decode()
        assert sorted(set(re.findall(r"^#include (\S+)$", text, re.MULTILINE))) == sorted(
            {
                *(name for piece in group for name in piece.includes()),
                "<string>",
                *(f'"{piece.source.relative_to(ROOT)}"' for piece in group),
            }
        )


def test_a_header_of_a_lesson_is_as_heavy_as_what_it_includes() -> None:
    assert together.is_heavy(["<cuda/atomic>"]) and together.is_heavy(['"lessons/06_lock_free/stack.cuh"'])
    assert not together.is_heavy(["<cstddef>", '"common/check.cuh"', '"lessons/10_thread_scheduling/signals.cuh"'])


def test_a_header_that_is_used_must_be_included(tmp_path: Path) -> None:
    """Together with others a file would be compiled all the same."""
    folder = tmp_path / WARP_SUM.name
    shutil.copytree(WARP_SUM, folder)
    assert lint.static_problems(catalog.load(folder)) == []
    for name, code in (
        ("judge.cpp", "std::set<int> a;"),
        ("wrong/four_steps.cuh", "int a = INT_MAX;"),
    ):
        file = folder / name
        before = file.read_text()
        file.write_text(f'// std::sort\n{before}\nconst char* b = "COURSE_CHECK";\n{code}\n')
        header = "<set>" if name == "judge.cpp" else "<climits>"
        problems = lint.static_problems(catalog.load(folder))
        assert problems == [f"{name} uses something of {header} and does not include it"]
        file.write_text(f"#include {header}\n{file.read_text()}")
        assert lint.static_problems(catalog.load(folder)) == []
        file.write_text(before)


@needs_emulator
def test_a_file_that_does_not_compile_leaves_the_others_to_be_compiled_alone(tmp_path: Path) -> None:
    here, exercise = backend.choose(Console(), "emulator"), catalog.load(WARP_SUM)
    wrong = tmp_path / "wrong.cuh"
    wrong.write_text((WARP_SUM / "solution.cuh").read_text() + "this is no C++\n")
    made = together.programs([(exercise, WARP_SUM / "solution.cuh"), (exercise, wrong)], here.nvcc, 1)
    assert made.runners == {}
    assert not compile.runner(exercise, wrong, here.nvcc, gpu=False).program


def test_there_are_exercises_with_wrong_answers() -> None:
    assert len(EXERCISES) >= 20
    assert all(len(exercise.wrong) >= lint.WRONG_MINIMUM for exercise in EXERCISES)


def test_few_wrong_answers_have_as_many_verdicts_as_they_can() -> None:
    for exercise in EXERCISES:
        kinds = {exercise.starter_verdict, *exercise.wrong.values()}
        several = lint.telling(exercise, len(kinds) - 1)
        assert {exercise.starter_verdict, *dict(several).values()} == kinds
        assert sorted(lint.telling(exercise, None)) == sorted(exercise.wrong.items())

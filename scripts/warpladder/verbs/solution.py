# SPDX-License-Identifier: MIT
"""Show the solution of an exercise and why it is one. Only after you have passed it, or with --anyway."""

from __future__ import annotations

import argparse

from ..core.console import CourseError
from ..exercises import catalog, markers
from ..exercises.progress import Progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercise", metavar="EX", help="an exercise")
    parser.add_argument("--anyway", action="store_true", help="also if it is not passed; your progress says so")


def run(options: argparse.Namespace) -> int:
    exercise = catalog.find(options.exercise)
    progress = Progress()
    entry = progress.of(exercise)
    if not entry.passed:
        if not options.anyway:
            raise CourseError(
                f"{exercise.name} is not passed yet; `./course hint {exercise.name}` helps, --anyway shows the solution"
            )
        entry.solution_seen = True
        progress.save()
    solution = (exercise.folder / "solution.cuh").read_text(encoding="utf-8")
    explanation = (exercise.folder / "explanation.md").read_text(encoding="utf-8")
    print(markers.without_marks(solution).rstrip() + "\n\n" + explanation.rstrip())
    return 0

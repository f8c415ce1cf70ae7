# SPDX-License-Identifier: MIT
"""Show how far you are: which exercises pass, how often they were checked, how many hints were used.

What is shown is kept in work/progress.json and stays on this machine.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from ..exercises import catalog
from ..exercises.progress import SCHEMA, Progress, bar, mark, next_open


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="as JSON, for scripts")


def run(options: argparse.Namespace) -> int:
    everything, progress = catalog.everything(), Progress()
    if options.json:
        rows = [
            {"exercise": e.name, "lesson": e.lesson, "points": e.points} | asdict(progress.of(e)) for e in everything
        ]
        print(json.dumps({"schema": SCHEMA, "exercises": rows}, indent=1))
        return 0
    width = max((len(exercise.name) for exercise in everything), default=0)
    lesson = ""
    for exercise in everything:
        if exercise.lesson != lesson:
            lesson = exercise.lesson
            print(lesson)
        entry = progress.of(exercise)
        extra = [f"{entry.checks} checks"] if entry.checks else []
        extra += [f"{entry.hints} of {catalog.HINT_LEVELS} hints"] if entry.hints else []
        extra += ["solution seen"] if entry.solution_seen else []
        tick = "x" if entry.passed else " "
        print(f"  [{tick}] {exercise.name:{width}}  {mark(exercise, progress):14} {', '.join(extra)}".rstrip())
    points = sum(exercise.points for exercise in everything if progress.of(exercise).passed)
    print(f"{bar(everything, progress)}, {points} of {sum(e.points for e in everything)} points")
    following = next_open(everything, progress)
    print(f"next: `./course check {following.name}`" if following else "everything is solved")
    return 0

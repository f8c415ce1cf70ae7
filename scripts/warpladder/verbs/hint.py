# SPDX-License-Identifier: MIT
"""Show a hint: first a question, then the concept, then pseudo-code.

Each call shows one more; `--level` shows an earlier one again. How many you used is kept in your progress.
"""

from __future__ import annotations

import argparse

from ..exercises import catalog
from ..exercises.catalog import HINT_LEVELS, Exercise
from ..exercises.progress import Progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercise", metavar="EX", help="an exercise")
    parser.add_argument("--level", type=int, choices=range(1, HINT_LEVELS + 1), metavar="N", help="1, 2 or 3")


def run(options: argparse.Namespace) -> int:
    print(text(catalog.find(options.exercise), Progress(), options.level))
    return 0


def text(exercise: Exercise, progress: Progress, level: int | None = None) -> str:
    """The next hint, or the one asked for; the highest level that was seen is kept."""
    entry = progress.of(exercise)
    level = level or min(entry.hints + 1, HINT_LEVELS)
    title, body = exercise.hints()[level - 1]
    entry.hints = max(entry.hints, level)
    progress.save()
    more = f"`./course hint {exercise.name}` shows the next" if level < HINT_LEVELS else "this was the last one"
    return f"hint {level} of {HINT_LEVELS} for {exercise.name}: {title}\n\n{body}\n\n{more}"

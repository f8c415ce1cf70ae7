# SPDX-License-Identifier: MIT
"""The next hint of an exercise, and how many were seen."""

from __future__ import annotations

from .catalog import HINT_LEVELS, Exercise
from .progress import Progress


def text(exercise: Exercise, progress: Progress, level: int | None = None) -> str:
    """The next hint, or the one asked for; the highest level that was seen is kept."""
    entry = progress.of(exercise)
    level = level or min(entry.hints + 1, HINT_LEVELS)
    title, body = exercise.hints()[level - 1]
    entry.hints = max(entry.hints, level)
    progress.save()
    more = f"`./course hint {exercise.name}` shows the next" if level < HINT_LEVELS else "this was the last one"
    return f"hint {level} of {HINT_LEVELS} for {exercise.name}: {title}\n\n{body}\n\n{more}"

# SPDX-License-Identifier: MIT
"""A verdict as lines for the terminal: the headline, the facts, what to do next."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from ..core.paths import shown
from ..core.plain import wrapped
from . import catalog, workbench
from .catalog import HINT_LEVELS, Exercise
from .progress import Progress, next_open
from .verdict import Verdict

_RED, _GREEN, _BOLD = "31", "32", "1"


def report(exercise: Exercise, verdict: Verdict, student: Path, progress: Progress, verbose: bool = False) -> list[str]:
    """The verdict as lines: the headline, the facts, what to do next."""
    clear = "\r\033[K" if sys.stdout.isatty() else ""
    word = coloured("PASSED", _GREEN) if verdict.passed else coloured("NOT YET", _RED)
    lines = [clear, f"{word}  {coloured(verdict.headline, _BOLD)}", *verdict.lines()]
    if verbose:
        lines += [""] + [
            f"  {'ok   ' if c.ok else 'WRONG'} n = {c.n}, seed {c.seed}  {c.message}" for c in verdict.cases
        ]
    lines.append("")
    if verdict.passed:
        lines.append(f"next  {_after(exercise, progress)}")
        return lines
    todo = workbench.todo_line(student) if student.exists() else None
    if workbench.is_untouched(exercise, student):
        at = f": edit {shown(student)}" + (f", line {todo}" if todo else "")
        lines.append(f"next  this is still the starter{at}")
        lines.append(f"      what is asked: {shown(exercise.folder / 'README.md')}")
    used = progress.of(exercise).hints
    label = "      " if lines[-1] else "next  "
    lines.append(f"{label}stuck? `./course hint {exercise.name}` ({used} of {HINT_LEVELS} hints used)")
    return lines


def _after(exercise: Exercise, progress: Progress) -> str:
    following = next_open(catalog.everything(), progress, exercise)
    text = f"`./course solution {exercise.name}` explains it"
    return f"{text}; `./course check {following.name}` is the next exercise" if following else f"{text}; all are solved"


def fitted(lines: Iterable[str]) -> list[str]:
    """Broken between words where this is a terminal that says how wide it is."""
    try:
        width = os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        width = 0
    return [part for line in lines for part in wrapped(line, width)]


def coloured(text: str, code: str) -> str:
    if not sys.stdout.isatty() or "NO_COLOR" in os.environ:
        return text
    return f"\033[{code}m{text}\033[0m"

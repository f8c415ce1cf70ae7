# SPDX-License-Identifier: MIT
"""How far the student is: work/progress.json, and what is told of it."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from ..core import paths
from . import workbench
from .catalog import Exercise
from .verdict import Kind

SCHEMA = "warpladder-progress/1"


_BAR = 30


@dataclass
class Entry:
    verdict: str = ""  # the last one; empty: never checked
    passed: bool = False  # once passed stays passed
    checks: int = 0
    hints: int = 0  # the highest level seen
    solution_seen: bool = False
    passed_at: str = ""


class Progress:
    """work/progress.json. A damaged file is set aside, never a reason to stop."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or paths.WORK / "progress.json"
        self.entries: dict[str, Entry] = {}
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
            known = {f.name for f in fields(Entry)}
            for name, entry in data["exercises"].items():
                self.entries[name] = Entry(**{key: value for key, value in entry.items() if key in known})
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            self.entries = {}
            self.path.replace(self.path.with_suffix(".damaged"))

    def of(self, exercise: Exercise) -> Entry:
        return self.entries.setdefault(exercise.name, Entry())

    def save(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        data = {"schema": SCHEMA, "exercises": {name: asdict(entry) for name, entry in sorted(self.entries.items())}}
        fresh = self.path.with_suffix(".new")
        fresh.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        fresh.replace(self.path)

    def checked(self, exercise: Exercise, kind: Kind) -> None:
        entry = self.of(exercise)
        entry.checks += 1
        entry.verdict = kind.value
        if kind is Kind.PASSED and not entry.passed:
            entry.passed, entry.passed_at = True, time.strftime("%Y-%m-%dT%H:%M:%S")
        self.save()


def next_open(everything: list[Exercise], progress: Progress, after: Exercise | None = None) -> Exercise | None:
    """The first exercise that is not passed, from the one after `after` on and then from the start."""
    start = everything.index(after) + 1 if after in everything else 0
    order = everything[start:] + everything[:start]
    return next((exercise for exercise in order if not progress.of(exercise).passed), None)


def mark(exercise: Exercise, progress: Progress) -> str:
    """One word for a list: passed, not started, or the last verdict."""
    entry = progress.of(exercise)
    if entry.passed:
        return "passed"
    if workbench.is_untouched(exercise) or not entry.verdict:
        return "not started" if workbench.is_untouched(exercise) else "not checked"
    return entry.verdict.replace("_", " ")


def bar(everything: list[Exercise], progress: Progress) -> str:
    done = sum(progress.of(exercise).passed for exercise in everything)
    filled = _BAR * done // max(1, len(everything))
    return f"[{'#' * filled}{'-' * (_BAR - filled)}] {done} of {len(everything)} exercises"


def list_lines(some: list[Exercise], progress: Progress) -> list[str]:
    """The exercises of a lesson with a tick for each that is passed."""
    if not some:
        return []
    width = max(len(exercise.name) for exercise in some)
    lines = ["  exercises:"]
    for exercise in some:
        tick = "x" if progress.of(exercise).passed else " "
        effort = f"{exercise.kind}, {exercise.points} points, about {exercise.minutes} min"
        lines.append(f"    [{tick}] {exercise.name:{width}}  {exercise.title} ({effort})")
    return lines

# SPDX-License-Identifier: MIT
"""The exercises of the course: one folder each, lessons/NN_topic/exercises/<name>, described by its exercise.json."""

from __future__ import annotations

import difflib
import json
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ..core.console import CourseError
from ..core.paths import LESSONS
from . import markers
from .verdict import Kind

KINDS = ("complete", "repair", "budget", "predict", "beat")
HINT_LEVELS = 3


@dataclass(frozen=True)
class Budget:
    """What a case may spend: a counter of the emulator, summed over the launches of the case."""

    counter: str
    case: str
    max: int
    why: str


@dataclass(frozen=True)
class Timed:
    """What is timed on a GPU where speed gives points."""

    n: int
    repeats: int = 20

    def __post_init__(self) -> None:
        for name, value in (("n", self.n), ("repeats", self.repeats)):
            if type(value) is not int or value < 1:
                raise ValueError(f"performance: {name} must be a whole number from 1")


@dataclass(frozen=True)
class Exercise:
    name: str
    lesson: str
    folder: Path
    title: str
    kind: str
    order: int
    points: int
    minutes: int
    schedules: int
    memory: str
    time_limit_s: float
    starter_verdict: Kind
    budgets: tuple[Budget, ...] = ()
    wrong: dict[str, Kind] = field(default_factory=dict)
    performance: Timed | None = None
    races: dict[str, tuple[int, int]] | None = None  # of wrong answers: the two lines (0: a call); None: not said
    devices: int = 1  # how many GPUs the emulator shall have

    @property
    def machine(self) -> dict[str, str]:
        """What the emulator is told of the machine."""
        return {"WARPLADDER_DEVICES": str(self.devices)} if self.devices > 1 else {}

    @cached_property
    def starter(self) -> str:
        """What a student begins with, made from the solution by its markers."""
        return markers.starter((self.folder / "solution.cuh").read_text(encoding="utf-8"))

    def hints(self) -> list[tuple[str, str]]:
        """Title and text of the sections of hints.md."""
        text = (self.folder / "hints.md").read_text(encoding="utf-8")
        parts = re.split(r"^## +(.*)$", text, flags=re.MULTILINE)[1:]
        return [(title.strip(), body.strip()) for title, body in zip(parts[::2], parts[1::2], strict=True)]


def everything(root: Path = LESSONS) -> list[Exercise]:
    """All exercises in the order of the course."""
    found = [load(path.parent) for path in root.glob("[0-9][0-9]_*/exercises/*/exercise.json")]
    found.sort(key=lambda exercise: (exercise.lesson, exercise.order, exercise.name))
    names = [exercise.name for exercise in found]
    if double := {name for name in names if names.count(name) > 1}:
        raise CourseError(f"two exercises are called {', '.join(sorted(double))}")
    return found


def load(folder: Path) -> Exercise:
    """Reads an exercise.json; one sentence if something in it is wrong."""
    path = folder / "exercise.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        kind = data["kind"]
        if kind not in KINDS:
            raise ValueError(f"kind '{kind}' is none of {', '.join(KINDS)}")
        return Exercise(
            name=folder.name,
            lesson=folder.parent.parent.name,
            folder=folder,
            title=str(data["title"]),
            kind=kind,
            order=int(data["order"]),
            points=int(data["points"]),
            minutes=int(data["minutes"]),
            schedules=int(data.get("schedules", 0)),
            memory=str(data.get("memory", "strong")),
            time_limit_s=float(data.get("time_limit_s", 20)),
            starter_verdict=Kind(data["starter"]),
            budgets=tuple(Budget(**entry) for entry in data.get("budgets", [])),
            wrong={name: Kind(verdict) for name, verdict in data["wrong"].items()},
            performance=Timed(**data["performance"]) if "performance" in data else None,
            races=_races(data["races"], data["wrong"]) if "races" in data else None,
            devices=int(data.get("devices", 1)),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        what = f"'{error.args[0]}' is missing" if isinstance(error, KeyError) else str(error)
        raise CourseError(f"{folder.parent.parent.name}/{folder.name}/exercise.json: {what}") from None


def _races(data: dict[str, list[int]], wrong: dict[str, str]) -> dict[str, tuple[int, int]]:
    for name, lines in data.items():
        if name not in wrong:
            raise ValueError(f"races: '{name}' is no wrong answer")
        if len(lines) != 2 or any(type(line) is not int or line < 0 for line in lines) or max(lines) == 0:
            raise ValueError(f"races: {name}: two lines, as in [12, 15]; 0 for a copy or a fill")
    return {name: (min(lines), max(lines)) for name, lines in data.items()}


def find(word: str, among: list[Exercise] | None = None) -> Exercise:
    """The exercise of this name; a name that is nearly right is suggested."""
    there = everything() if among is None else among
    for exercise in there:
        if exercise.name == word:
            return exercise
    near = difflib.get_close_matches(word, [exercise.name for exercise in there], n=1)
    help_ = f"; did you mean {near[0]}?" if near else "; `./course list` shows them"
    raise CourseError(f"there is no exercise '{word}'{help_}", exit_code=2)

# SPDX-License-Identifier: MIT
"""The rules of a grade, from grading.json: which exercises count for how much, when they are due, what late costs."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from ..core.console import CourseError
from ..core.paths import ROOT, shown
from ..exercises import catalog
from ..exercises.catalog import Exercise
from ..sandbox.allowance import Allowance

SCHEMA = "warpladder-grading/1"
DEFAULT = ROOT / "grading.json"
_DAY = 86400.0
_LIMITS = dict.fromkeys(("compile_seconds", "run_seconds", "student_seconds", "student_cpu_seconds"), _DAY)
_LATE = {"grace_minutes": 1e6, "per_day": 1.0, "lowest": 1.0, "refuse_after_days": 1e6}  # and the most that each may be
_SPEED = {"share": 1.0, "full_at": 1e6, "none_at": 1e6}
_SECONDS_FOR_ALL, _SECONDS_FOR_EACH = 120.0, 40.0  # an honest file takes about ten, on a busy machine twice that


@dataclass(frozen=True)
class Item:
    """An exercise that counts. `points` are multiplied by `weight`."""

    exercise: Exercise
    points: float
    weight: float = 1.0
    performance: float = 0.0  # the share of the points that speed decides, on a GPU

    @property
    def most(self) -> float:
        return self.points * self.weight


@dataclass(frozen=True)
class LateRule:
    grace_minutes: float = 10.0
    per_day: float = 0.1  # of the score, for each day that has begun
    lowest: float = 0.5  # but at least this share of it stays
    refuse_after_days: float | None = None  # later than this: nothing


@dataclass(frozen=True)
class SpeedRule:
    """Speed is the reference's time divided by the student's: 1 is as fast, 0.5 takes twice as long."""

    share: float = 0.0  # of the points; an instructor who has a GPU says how much
    full_at: float = 0.9
    none_at: float = 0.3


@dataclass(frozen=True)
class Rules:
    items: tuple[Item, ...]
    hidden_seeds: int = 2
    partial: float = 0.0  # share of the points that a file with some cases right can still get
    show_hidden: bool = False  # tell students the values of hidden cases
    due: datetime | None = None
    late: LateRule = field(default_factory=LateRule)
    speed: SpeedRule = field(default_factory=SpeedRule)
    compile_seconds: float = 60.0
    run_seconds: float | None = None  # None: as the exercise says
    student_seconds: float | None = None  # for all files of a student; None: by the number of exercises
    student_cpu_seconds: float | None = None  # None: twice as much
    seed: int | None = None  # a pack has it here

    def allowance(self) -> Allowance:
        """What all files of one student may take together."""
        seconds = self.student_seconds or _SECONDS_FOR_ALL + _SECONDS_FOR_EACH * len(self.items)
        return Allowance(seconds, self.student_cpu_seconds or 2 * seconds)

    def lateness(self, submitted: datetime | None) -> tuple[float, float]:
        """How many days late, and the share of the score that stays."""
        if self.due is None or submitted is None:
            return 0.0, 1.0
        over = submitted - self.due
        if over <= timedelta(minutes=self.late.grace_minutes):
            return 0.0, 1.0
        days = over / timedelta(days=1)
        if self.late.refuse_after_days is not None and days > self.late.refuse_after_days:
            return days, 0.0
        begun = int(days) + (days > int(days))
        return days, max(self.late.lowest, 1.0 - self.late.per_day * begun)


def load(path: Path | None, everything: list[Exercise] | None = None) -> Rules:
    """Reads the file; one sentence if something in it is wrong. Without a file all exercises count as they stand."""
    everything = catalog.everything() if everything is None else everything
    file = path or DEFAULT
    if path is None and not file.exists():
        return Rules(tuple(Item(e, e.points, performance=_speed_share(e, {}, SpeedRule())) for e in everything))
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        return _rules(data, everything)
    except OSError as error:
        raise CourseError(f"cannot read {file}: {error.strerror}", exit_code=2) from None
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise CourseError(f"{shown(file)}: {error}", exit_code=2) from None


def text_of(path: Path | None) -> str:
    """The same rules as a text, for whoever has not the file."""
    file = path or DEFAULT
    return json.dumps({"schema": SCHEMA}) if path is None and not file.exists() else file.read_text(encoding="utf-8")


def _rules(data: dict[str, Any], everything: list[Exercise]) -> Rules:
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise ValueError(f'it does not begin with "schema": "{SCHEMA}"')
    known = {"schema", "title", "exercises", "hidden_seeds", "partial", "show_hidden", "due", "late", "performance"}
    if unknown := sorted(set(data) - known - {"limits", "seed"}):
        raise ValueError(f"unknown: {', '.join(unknown)}")
    speed = SpeedRule(**_numbers(data, "performance", _SPEED))
    limits = {name: value for name, value in _numbers(data, "limits", _LIMITS).items() if value}
    rules = Rules(
        items=_items(data.get("exercises") or {}, everything, speed),
        hidden_seeds=int(data.get("hidden_seeds", 2)),
        partial=_number("partial", data.get("partial", 0.0), 1.0),
        show_hidden=bool(data.get("show_hidden", False)),
        due=moment(data["due"]) if data.get("due") else None,
        late=LateRule(**_numbers(data, "late", _LATE)),
        speed=speed,
        **limits,
        seed=None if data.get("seed") is None else int(data["seed"]),
    )
    if not 1 <= rules.hidden_seeds <= 100:
        raise ValueError("hidden_seeds must be from 1 to 100")
    if not rules.speed.none_at < rules.speed.full_at:
        raise ValueError("performance: none_at must be less than full_at")
    return rules


def _items(chosen: dict[str, Any], everything: list[Exercise], speed: SpeedRule) -> tuple[Item, ...]:
    if not chosen:
        return tuple(Item(e, e.points, performance=_speed_share(e, {}, speed)) for e in everything)
    names = {exercise.name: exercise for exercise in everything}
    items = []
    for name, entry in chosen.items():
        entry = {"points": entry} if isinstance(entry, (int, float)) else entry
        if name not in names:
            raise ValueError(f"there is no exercise '{name}'")
        if unknown := sorted(set(entry) - {"points", "weight", "performance"}):
            raise ValueError(f"{name}: unknown: {', '.join(unknown)}")
        points = _number(f"{name}.points", entry.get("points", names[name].points), 1e6)
        weight = _number(f"{name}.weight", entry.get("weight", 1.0), 1e6)
        items.append(Item(names[name], points, weight, _speed_share(names[name], entry, speed)))
    return tuple(items)


def _speed_share(exercise: Exercise, entry: dict[str, Any], speed: SpeedRule) -> float:
    """Only an exercise that says how to time it can have points for speed."""
    share = _number("performance", entry.get("performance", speed.share), 1.0)
    return share if exercise.performance is not None else 0.0


def _numbers(data: dict[str, Any], part: str, most: dict[str, float]) -> dict[str, Any]:
    """A part of the rules that holds numbers only; what is null stands as if it were not there."""
    given = data.get(part, {})
    if not isinstance(given, dict):
        raise ValueError(f"{part} must be an object")
    if unknown := sorted(set(given) - set(most)):
        raise ValueError(f"{part}: unknown: {', '.join(unknown)}")
    return {name: _number(f"{part}.{name}", value, most[name]) for name, value in given.items() if value is not None}


def _number(name: str, value: object, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= most:
        raise ValueError(f"{name} must be a number from 0 to {most:g}, not {value!r}")
    return float(value)


def moment(text: str) -> datetime:
    """A time as ISO 8601; without a zone it is this machine's."""
    found = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return found.astimezone(timezone.utc)

# SPDX-License-Identifier: MIT
"""The one record of a grade. Everything that is written, CSV and the four formats, is made from it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from ..core.plain import one_line, plain_text
from ..exercises.verdict import Kind

SCHEMA = "warpladder-grade/1"
__all__ = ["SCHEMA", "ClassGrade", "ExerciseGrade", "StudentGrade", "one_line", "plain_text"]


@dataclass(frozen=True)
class ExerciseGrade:
    exercise: str
    title: str
    lesson: str
    score: float  # what late costs is taken off
    most: float
    kind: Kind
    headline: str  # one line, may be shown to the student
    text: str  # all that the student may see
    seconds: float
    hints: int | None = None  # None: not known
    cases: int = 0
    cases_right: int = 0
    speed: float | None = None  # the reference's time divided by the student's; None: not measured
    remarks: tuple[str, ...] = ()  # for the instructor only

    @property
    def passed(self) -> bool:
        return self.kind is Kind.PASSED

    @property
    def ran(self) -> bool:
        """Whether the student's code was ever started."""
        return self.kind not in (Kind.COMPILE_ERROR, Kind.MISSING, Kind.NOT_STARTED)


@dataclass(frozen=True)
class StudentGrade:
    student: str
    exercises: tuple[ExerciseGrade, ...]
    submitted: str = ""  # ISO 8601
    days_late: float = 0.0
    kept: float = 1.0  # share of the score that is left, being late
    bad: str = ""  # why nothing was graded

    @property
    def score(self) -> float:
        return round(sum(grade.score for grade in self.exercises), 2)

    @property
    def most(self) -> float:
        return round(sum(grade.most for grade in self.exercises), 2)

    @property
    def seconds(self) -> float:
        return round(sum(grade.seconds for grade in self.exercises), 2)

    @property
    def late(self) -> bool:
        return self.days_late > 0


@dataclass(frozen=True)
class ClassGrade:
    students: tuple[StudentGrade, ...]
    seed: int  # of the hidden cases
    backend: str
    protection: tuple[str, ...]
    notes: tuple[str, ...] = field(default_factory=tuple)
    complete: bool = True  # False while students are still graded

    def to_json(self) -> dict[str, Any]:
        data = asdict(self)
        for student, entry in zip(self.students, data["students"], strict=True):
            entry |= {"score": student.score, "most": student.most}
        return {"schema": SCHEMA, **data}

# SPDX-License-Identifier: MIT
"""What is said about a student's file: one kind, one headline that names the cause, then the facts."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from ..core.plain import one_line, plain_text

_MOST_DETAILS, _LONGEST_DETAIL = 40, 1200  # lines and characters


class Kind(str, Enum):
    """All verdicts there are. The values stand in exercise.json, results and grades."""

    PASSED = "passed"
    COMPILE_ERROR = "compile_error"
    WRONG_VALUE = "wrong_value"
    LOST_TAIL = "lost_tail"
    OUT_OF_BOUNDS = "out_of_bounds"
    DEADLOCK = "deadlock"
    BARRIER = "barrier"
    BAD_MASK = "bad_mask"
    SCHEDULE = "schedule"
    BUDGET = "budget"
    TIME_LIMIT = "time_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    CRASHED = "crashed"
    TAMPERED = "tampered"
    MISSING = "missing"
    NOT_STARTED = "not_started"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class CaseResult:
    """What the judge says about one case."""

    id: str
    visible: bool
    ok: bool
    kind: Kind
    message: str
    n: int
    seed: int
    facts: dict[str, Any] = field(default_factory=dict)  # array, index, expected, actual, wrong, size, untouched

    @staticmethod
    def from_json(data: dict[str, Any]) -> CaseResult:
        known = ("id", "visible", "ok", "kind", "message", "n", "seed")
        facts = {key: one_line(v) if isinstance(v, str) else v for key, v in data.items() if key not in known}
        return CaseResult(
            str(data["id"]),
            bool(data["visible"]),
            bool(data["ok"]),
            Kind(data["kind"]),
            one_line(str(data["message"])),
            int(data["n"]),
            int(data["seed"]),
            facts,
        )


@dataclass(frozen=True)
class Verdict:
    kind: Kind
    headline: str
    details: tuple[tuple[str, str], ...] = ()  # label and text, in the order they are shown
    case: str = ""  # the case it is about, if it is about one
    cases: tuple[CaseResult, ...] = ()
    notes: tuple[str, ...] = ()  # what was not checked, and why

    def __post_init__(self) -> None:
        """Much of it are words of a student's program: whoever prints a verdict need not think of that."""
        details = tuple((label, plain_text(text, _LONGEST_DETAIL)) for label, text in self.details[:_MOST_DETAILS])
        object.__setattr__(self, "headline", one_line(self.headline, _LONGEST_DETAIL))
        object.__setattr__(self, "details", details)
        object.__setattr__(self, "notes", tuple(one_line(note, _LONGEST_DETAIL) for note in self.notes))

    @property
    def passed(self) -> bool:
        return self.kind is Kind.PASSED

    def lines(self) -> list[str]:
        """As text for a terminal or a grade's comment."""
        width = max((len(label) for label, _ in self.details), default=0)
        lines = []
        for label, text in self.details:
            first, *rest = text.splitlines() or [""]
            lines.append(f"  {label:{width}}  {first}".rstrip())
            lines += [f"  {'':{width}}  {line}".rstrip() for line in rest]
        return [*lines, *(f"  note: {note}" for note in self.notes)]

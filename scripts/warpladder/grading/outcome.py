# SPDX-License-Identifier: MIT
"""What was found out about one file: kept in memory during a run, and in the gradebook between runs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ..exercises.verdict import CaseResult, Kind, Verdict
from .speed import Speed


@dataclass(frozen=True)
class Outcome:
    verdict: Verdict
    seconds: float
    speed: Speed | None = None
    failed: str = ""  # the grader itself
    calls: tuple[str, ...] = ()  # what its program asks the system for, and no exercise needs

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(data: dict[str, Any]) -> Outcome:
        said = data["verdict"]
        cases = tuple(CaseResult(**case | {"kind": Kind(case["kind"])}) for case in said["cases"])
        details = tuple((label, text) for label, text in said["details"])
        verdict = Verdict(Kind(said["kind"]), said["headline"], details, said["case"], cases, tuple(said["notes"]))
        speed = Speed(**data["speed"]) if data["speed"] else None
        return Outcome(verdict, data["seconds"], speed, data["failed"], tuple(data["calls"]))

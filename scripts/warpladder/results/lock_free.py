# SPDX-License-Identifier: MIT
"""Lesson 06: operations per second of structures, out of the tables of its experiments.

The program 06_lock_free.contention writes a table FAMILY_MIX for every family of structures and mix of operations:
a row for each number of threads, a column for each structure, in millions of operations per second.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from . import saved
from .saved import Document, Results

LESSON, CONTENTION = "06_lock_free", "contention"
# Families, and the mixes of each in the order they are shown in, with what to call them.
FAMILIES: dict[str, dict[str, str]] = {
    "stack": {"push": "push only", "half": "push, pop, push, pop", "bursts": "8 pushes, 8 pops"},
    "queue": {"push": "push only", "half": "push, pop, push, pop", "bursts": "8 pushes, 8 pops"},
    "map": {"insert": "insert only", "find": "find only", "mixed": "insert, find, erase"},
}
BASELINE = "counter"


@dataclass
class Curve:
    """One structure in one mix: (threads, million operations per second), ascending. Points that took too long to run
    are not there."""

    id: str
    points: list[tuple[int, float]] = field(default_factory=list)

    @property
    def locked(self) -> bool:
        return self.id.startswith("locked")


def table(results: Results, program: str, id_: str) -> dict[str, Any] | None:
    for document in results.part(saved.EXPERIMENT):
        if (document["lesson"], document["name"]) == (LESSON, program):
            return next((found for found in document["tables"] if found["id"] == id_), None)
    return None


def documents(results: Results) -> list[Document]:
    """Those that the charts are drawn from."""
    found = results.part(saved.EXPERIMENT)
    return [document for document in found if (document["lesson"], document["name"]) == (LESSON, CONTENTION)]


def curves(results: Results, family: str, mix: str) -> list[Curve]:
    """The structures of a family in one mix; empty where that was not run."""
    found = table(results, CONTENTION, f"{family}_{mix}")
    if found is None:
        return []
    lines = [Curve(id_) for id_ in found["columns"][1:]]
    for threads, *rates in found["rows"]:
        for line, rate in zip(lines, rates, strict=True):
            if rate:
                line.points.append((int(threads), rate))
    return [line for line in lines if line.points]


def families(results: Results) -> list[str]:
    """Those with at least one curve of at least two points."""
    return [
        family
        for family, mixes in FAMILIES.items()
        if any(len(line.points) > 1 for mix in mixes for line in curves(results, family, mix))
    ]

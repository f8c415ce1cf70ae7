# SPDX-License-Identifier: MIT
"""Lessons whose rungs come in families (common/program/family.cuh): one document holds a part for each family.

A part is {"family", "about", "n", "chosen": {"bins": "256", ...}, "rows"}; its rows are those of a lesson that sums.
"""

from __future__ import annotations

from ..core import numbers
from . import ladder, saved
from .ladder import Step
from .saved import Document, Results


def documents(results: Results) -> list[Document]:
    return results.part(saved.FAMILIES)


def found(results: Results, lesson: str, family: str) -> Document | None:
    """The part of one family, with what its document says of the device and the date."""
    for document in documents(results):
        for part in document["families"]:
            if (document["lesson"], part["family"]) == (lesson, family):
                return {**document, **part}
    return None


def steps(results: Results, part: Document) -> list[Step]:
    return ladder.steps_of(results, [part])


def described(part: Document) -> str:
    """ "n = 2^26, sample u32, bins 256"; a family without choices has its n alone."""
    chosen = [f"{name} {value}" for name, value in part["chosen"].items()]
    return ", ".join([f"n = {numbers.size(part['n'])}", *chosen])

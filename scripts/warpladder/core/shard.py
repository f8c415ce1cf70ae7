# SPDX-License-Identifier: MIT
"""One part of many: `--shard K/N`, for job arrays. Each part is made on a machine of its own; together they are all."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from .console import CourseError

_MOST = 10_000
HELP = "only part K of N, by name: for job arrays"
Thing = TypeVar("Thing")


@dataclass(frozen=True)
class Shard:
    number: int
    count: int

    def has(self, name: str) -> bool:
        """By the name alone, so that it does not matter what else is there."""
        digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).digest()
        return int.from_bytes(digest[:8], "little") % self.count == self.number - 1

    def share(self, things: Iterable[Thing]) -> list[Thing]:
        """Every N-th of a list that is the same everywhere."""
        return list(things)[self.number - 1 :: self.count]

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"


WHOLE = Shard(1, 1)


def parsed(text: str | None) -> Shard:
    if not text:
        return WHOLE
    match = re.fullmatch(r"(\d{1,5})/(\d{1,5})", text)
    if not match or not 1 <= int(match.group(1)) <= int(match.group(2)) <= _MOST:
        raise CourseError(f"--shard: '{text}' is not K/N with K from 1 to N, and N up to {_MOST}", exit_code=2)
    return Shard(int(match.group(1)), int(match.group(2)))

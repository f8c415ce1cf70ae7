# SPDX-License-Identifier: MIT
"""Litmus shapes as text: a few threads, where they run, and what each does.

    MP+relaxed @ blocks
      W x 1; W.relaxed.gpu y 1
      R.relaxed.gpu y; R x
      hidden: NAME            (weak outcomes that the emulator does not show, and why: see REASONS)

Operations: `W.SEM.SCOPE PLACE VALUE`, `R.SEM.SCOPE PLACE`, `add|exch.SEM.SCOPE PLACE VALUE`, `cas.SEM.SCOPE PLACE
EXPECTED VALUE`, `F.SEM.SCOPE` (a fence), `bar`, `syncwarp`, `cluster` (barriers). Without SEM they are weak; `volatile`
has no scope. Places x, y, z are global words, s, t, u shared ones, all zero at the start. A value `r0` is what the
thread read first.

Where they run: `lanes` of a warp, `warps` of a block, `blocks`, blocks of one `cluster`, of different `clusters`, or
the block of each thread (`0 0 1`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

GLOBAL = "xyz"
SHARED = "stu"
SCOPES = ("cta", "cluster", "gpu", "sys")
RMW = ("add", "exch", "cas")
BARRIERS = ("bar", "syncwarp", "cluster")
SEMS = {
    "W": ("relaxed", "release", "volatile"),
    "R": ("relaxed", "acquire", "volatile"),
    "F": ("acq_rel", "sc"),
} | {name: ("relaxed", "acquire", "release", "acq_rel") for name in RMW}
# Why the emulator does not show an outcome that PTX allows.
REASONS = {
    "load buffering": "a load is made before the later stores of its thread",
    "one order": "all stores to a word have one order that ends with what stays in memory, also those that race",
}


@dataclass(frozen=True)
class Op:
    kind: str  # W, R, F, one of RMW or BARRIERS
    sem: str = "weak"
    scope: str = "sys"
    place: str = ""
    values: tuple[str, ...] = ()  # of W and RMW; cas: what is expected, then what is stored

    @property
    def reads(self) -> bool:
        return self.kind == "R" or self.kind in RMW

    @property
    def text(self) -> str:
        sem = "" if self.sem == "weak" else f".{self.sem}" if self.sem == "volatile" else f".{self.sem}.{self.scope}"
        return " ".join([self.kind + sem, self.place, *self.values]).strip()


@dataclass(frozen=True)
class Thread:
    block: int
    warp: int
    lane: int
    ops: tuple[Op, ...]

    @property
    def reads(self) -> int:
        return sum(op.reads for op in self.ops)


@dataclass(frozen=True)
class Shape:
    name: str
    where: str
    threads: tuple[Thread, ...]
    cluster: int  # blocks of a cluster
    hidden: tuple[str, ...]

    @property
    def title(self) -> str:
        return f"{self.name} @ {self.where}"

    @property
    def lines(self) -> list[str]:
        return ["; ".join(op.text for op in thread.ops) for thread in self.threads]

    @property
    def finals(self) -> str:
        """The global words that two threads write, whose last value belongs to the outcome."""
        writers: dict[str, set[int]] = {}
        for number, thread in enumerate(self.threads):
            for op in thread.ops:
                if op.place in GLOBAL and op.values:
                    writers.setdefault(op.place, set()).add(number)
        return "".join(sorted(place for place, who in writers.items() if len(who) > 1))

    def outcome_text(self, outcome: tuple[int, ...]) -> str:
        parts = []
        rest = list(outcome)
        for number, thread in enumerate(self.threads):
            parts += [f"P{number}:{op.place}={rest.pop(0)}" for op in thread.ops if op.reads]
        return " ".join(parts + [f"{place}={rest.pop(0)}" for place in self.finals])


class ShapeError(ValueError):
    pass


def parse_op(text: str) -> Op:
    head, *words = text.split()
    kind, *parts = head.split(".")
    if kind in BARRIERS:
        if parts or words:
            raise ShapeError(f"{text}: a barrier takes nothing")
        return Op(kind)
    if kind not in SEMS:
        raise ShapeError(f"{text}: no such operation")
    sem = parts[0] if parts else "weak"
    scope = parts[1] if len(parts) > 1 else "sys"
    must_say = kind == "F" or kind in RMW
    if (sem == "weak" and must_say) or (sem != "weak" and sem not in SEMS[kind]) or scope not in SCOPES:
        raise ShapeError(f"{text}: no such order or scope")
    if sem not in ("weak", "volatile") and len(parts) != 2:
        raise ShapeError(f"{text}: an order and a scope")
    wanted = {"F": 0, "R": 1, "W": 2, "add": 2, "exch": 2, "cas": 3}[kind]
    if len(words) != wanted or (words and words[0] not in GLOBAL + SHARED):
        raise ShapeError(f"{text}: a place and {max(wanted - 1, 0)} values")
    if any(not re.fullmatch(r"r?\d", word) for word in words[1:]):
        raise ShapeError(f"{text}: a value is a digit, or r and a digit")
    return Op(kind, sem, scope, words[0] if words else "", tuple(words[1:]))


def places(where: str, count: int) -> list[tuple[int, int, int]]:
    """Block, warp and lane of each thread."""
    simple: dict[str, Callable[[int], tuple[int, int, int]]] = {
        "lanes": lambda i: (0, 0, i),
        "warps": lambda i: (0, i, 0),
        "blocks": lambda i: (i, 0, 0),
        "cluster": lambda i: (i, 0, 0),
        "clusters": lambda i: (2 * i, 0, 0),
    }
    if where in simple:
        return [simple[where](i) for i in range(count)]
    blocks = [int(word) for word in where.split()]
    if len(blocks) != count:
        raise ShapeError(f"{where}: {count} threads")
    return [(block, blocks[:i].count(block), 0) for i, block in enumerate(blocks)]


def parse_shape(lines: list[str]) -> Shape:
    name, _, where = (part.strip() for part in lines[0].partition("@"))
    hidden: tuple[str, ...] = ()
    bodies = []
    for line in lines[1:]:
        if line.startswith("hidden:"):
            hidden = tuple(word.strip() for word in line.removeprefix("hidden:").split(","))
        else:
            bodies.append(tuple(parse_op(part.strip()) for part in line.split(";")))
    if unknown := set(hidden) - set(REASONS):
        raise ShapeError(f"{name}: no such reason: {', '.join(sorted(unknown))}")
    threads = tuple(Thread(*at, ops) for at, ops in zip(places(where, len(bodies)), bodies, strict=True))
    blocks = {thread.block for thread in threads}
    if len(blocks) > 1 and any(op.place in tuple(SHARED) for thread in threads for op in thread.ops):
        raise ShapeError(f"{name}: shared memory of several blocks")
    cluster = {"cluster": 2 if len(threads) == 2 else 4, "clusters": 2}.get(where, 1)
    return Shape(name, where, threads, cluster, hidden)


def blocks_of(text: str) -> Iterator[list[str]]:
    block: list[str] = []
    for raw in [*text.splitlines(), ""]:
        line = raw.partition("#")[0].rstrip()
        if line and not line[0].isspace() and block:
            yield block
            block = []
        if line:
            block.append(line.strip())
    if block:
        yield block


def read_shapes(path: Path) -> list[Shape]:
    shapes = []
    for lines in blocks_of(path.read_text()):
        try:
            shapes.append(parse_shape(lines))
        except ValueError as error:
            raise ShapeError(f"{path.name}: {lines[0]}: {error}") from None
    return shapes

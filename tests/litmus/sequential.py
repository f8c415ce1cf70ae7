# SPDX-License-Identifier: MIT
"""The outcomes of a litmus shape under sequential consistency: every interleaving, one memory."""

from __future__ import annotations

from typing import TypeVar

from ptx_model import Outcome
from shape import BARRIERS, RMW, Shape

# Where each thread stands, what it has read, and memory.
State = tuple[tuple[int, ...], tuple[tuple[int, ...], ...], tuple[tuple[str, int], ...]]


def sequential(shape: Shape) -> set[Outcome]:
    """What is left of what the model allows is weak."""
    threads = shape.threads
    found: set[Outcome] = set()
    seen = set()
    start: State = (tuple(0 for _ in threads), tuple(() for _ in threads), ())
    todo = [start]
    while todo:
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        at, read, memory_items = state
        memory = dict(memory_items)
        moved = False
        for i, thread in enumerate(threads):
            if at[i] == len(thread.ops):
                continue
            op = thread.ops[at[i]]
            if op.kind in BARRIERS and not all_there(shape, at, i):
                continue
            new, value = dict(memory), memory.get(op.place, 0)
            mine = read[i] + ((value,) if op.reads else ())
            values = [mine[int(v[1:])] if v.startswith("r") else int(v) for v in op.values]
            if op.kind in ("W", "exch"):
                new[op.place] = values[0]
            elif op.kind == "add":
                new[op.place] = value + values[0]
            elif op.kind == "cas" and value == values[0]:
                new[op.place] = values[1]
            assert op.kind in ("W", "R", "F", *RMW, *BARRIERS)
            todo.append((replaced(at, i, at[i] + 1), replaced(read, i, mine), tuple(sorted(new.items()))))
            moved = True
        if not moved and all(a == len(t.ops) for a, t in zip(at, threads, strict=True)):
            found.add((*(v for values in read for v in values), *(memory.get(p, 0) for p in shape.finals)))
    return found


T = TypeVar("T")


def replaced(values: tuple[T, ...], i: int, value: T) -> tuple[T, ...]:
    return (*values[:i], value, *values[i + 1 :])


def all_there(shape: Shape, at: tuple[int, ...], who: int) -> bool:
    """Whether all others of the barrier have come to this one, or are past it."""
    mine = shape.threads[who]
    kind = mine.ops[at[who]].kind
    phase = sum(op.kind == kind for op in mine.ops[: at[who]])
    for i, other in enumerate(shape.threads):
        group = shape.cluster if kind == "cluster" else 1
        if other.block // group != mine.block // group or not any(op.kind == kind for op in other.ops):
            continue
        passed = sum(op.kind == kind for op in other.ops[: at[i]])
        stands = at[i] < len(other.ops) and other.ops[at[i]].kind == kind
        if passed <= phase and not (passed == phase and stands):
            return False
    return True

# SPDX-License-Identifier: MIT
"""Relations over a few events, as one bit mask of successors per event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Relation = list[int]


def of_pairs(size: int, pairs: Iterable[tuple[int, int]]) -> Relation:
    relation = [0] * size
    for a, b in pairs:
        relation[a] |= 1 << b
    return relation


def union(*relations: Relation) -> Relation:
    merged = list(relations[0])
    for relation in relations[1:]:
        for i, row in enumerate(relation):
            merged[i] |= row
    return merged


def compose(first: Relation, second: Relation) -> Relation:
    composed = []
    for row in first:
        merged = 0
        for j in bits(row):
            merged |= second[j]
        composed.append(merged)
    return composed


def closure(relation: Relation) -> Relation:
    closed = list(relation)
    for k, row in enumerate(closed):
        if not row:
            continue
        for i in range(len(closed)):
            if closed[i] >> k & 1:
                closed[i] |= closed[k]
    return closed


def bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def acyclic(relation: Relation) -> bool:
    return not any(row >> i & 1 for i, row in enumerate(closure(relation)))


def orientations(pairs: list[tuple[int, int]], size: int) -> Iterator[Relation]:
    """All ways to direct the pairs without a cycle."""
    for choice in range(1 << len(pairs)):
        directed = of_pairs(size, ((b, a) if choice >> i & 1 else (a, b) for i, (a, b) in enumerate(pairs)))
        if acyclic(directed):
            yield directed

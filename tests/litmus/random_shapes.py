# SPDX-License-Identifier: MIT
"""Litmus shapes drawn at random: nobody has thought of them. The same number gives the same shapes everywhere."""

from __future__ import annotations

import random
from collections import Counter

from shape import Shape, parse_shape

WHERE = ("lanes", "warps", "blocks", "blocks", "cluster", "clusters", "0 0 1", "0 1 1", "0 0 1 1")
THREADS = (2, 2, 3, 3, 4)
MOST_READS, MOST_WRITES = 4, 4  # (of one word): with more the model has too much to try


def draw_op(dice: random.Random, places: str, written: dict[str, int]) -> str:
    place = dice.choice(places)
    scope = dice.choice(("cta", "cluster", "gpu", "gpu", "sys"))
    kind = dice.choice(("W", "W", "W", "R", "R", "R", "F", "add", "exch", "cas"))
    if kind == "F":
        return f"F.{dice.choice(('sc', 'acq_rel'))}.{scope}"
    sems = {
        "R": (" ", ".volatile ", f".relaxed.{scope} ", f".relaxed.{scope} ", f".acquire.{scope} "),
        "W": (" ", ".volatile ", f".relaxed.{scope} ", f".relaxed.{scope} ", f".release.{scope} "),
    }
    sem = dice.choice(sems.get(kind, tuple(f".{s}.{scope} " for s in ("relaxed", "acquire", "release", "acq_rel"))))
    if kind == "R":
        return f"R{sem}{place}"
    written[place] = written.get(place, 0) + 1
    value = written[place]
    if kind == "cas":
        return f"cas{sem}{place} {dice.randrange(value)} {value}"
    return f"{kind}{sem}{place} {value}"


def draw_lines(dice: random.Random, number: int) -> list[str]:
    where = dice.choice(WHERE)
    threads = len(where.split()) if where[0].isdigit() else dice.choice(THREADS)
    one_block = where in ("lanes", "warps")
    places = dice.choice(("x", "xy", "xy", "xyz", "st", "xs") if one_block else ("x", "xy", "xy", "xyz"))
    written: dict[str, int] = {}
    bodies = [[draw_op(dice, places, written) for _ in range(dice.choice((1, 2, 2, 3)))] for _ in range(threads)]
    if one_block and dice.random() < 0.2:
        for body in bodies:
            body.insert(dice.randrange(len(body) + 1), "syncwarp" if where == "lanes" else "bar")
    return [f"random {number} @ {where}", *("; ".join(body) for body in bodies)]


def random_shapes(count: int) -> list[Shape]:
    dice = random.Random(17)
    shapes: list[Shape] = []
    while len(shapes) < count:
        shape = parse_shape(draw_lines(dice, len(shapes)))
        written = Counter(op.place for thread in shape.threads for op in thread.ops if op.values)
        reads = sum(thread.reads for thread in shape.threads)
        if 0 < reads <= MOST_READS and max(written.values(), default=0) <= MOST_WRITES:
            shapes.append(shape)
    return shapes

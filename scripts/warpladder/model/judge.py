# SPDX-License-Identifier: MIT
"""How good the model is: how far off its times are, and whether it puts rungs in the right order."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import combinations

from .points import PROBE_LESSON, Point

CLEAR = 0.05  # two rungs whose measured times differ by less have no order


MOST_MEAN_ERROR, MOST_TIMES_OFF, MOST_WRONG = 0.25, 2.0, 0  # what --check lets pass; the last: pairs of rungs


@dataclass
class Judgement:
    mean_error: float  # geometric mean of how many times off, minus 1
    worst: Point
    pairs: int  # of rungs of one lesson, at one size, whose order is clear
    wrong: list[tuple[Point, Point]] = field(default_factory=list)


def judge(points: list[Point]) -> Judgement:
    errors = {point: abs(math.log(point.ratio)) for point in points}
    mean = math.exp(sum(errors.values()) / len(errors)) - 1
    judgement = Judgement(mean, max(errors, key=errors.__getitem__), 0)
    for a, b in combinations(points, 2):
        if a.lesson != b.lesson or a.exponent != b.exponent or "cub" in (a.rung, b.rung) or a.lesson == PROBE_LESSON:
            continue
        difference = abs(a.measured - b.measured) / min(a.measured, b.measured)
        if difference <= max(CLEAR, a.spread + b.spread):
            continue
        judgement.pairs += 1
        if (a.measured - b.measured) * (a.modelled - b.modelled) <= 0:
            judgement.wrong.append((a, b))
    return judgement


def broken_promises(judgement: Judgement) -> list[str]:
    worst = judgement.worst
    found = []
    if judgement.mean_error > MOST_MEAN_ERROR:
        found.append(f"the mean error is {100 * judgement.mean_error:.0f} %")
    if max(worst.ratio, 1 / worst.ratio) > MOST_TIMES_OFF:
        found.append(f"{worst.rung} at 2^{worst.exponent} is {worst.ratio:.2f} times the measured time")
    if len(judgement.wrong) > MOST_WRONG:
        found.append(f"{len(judgement.wrong)} of {judgement.pairs} pairs of rungs are in the wrong order")
    return found

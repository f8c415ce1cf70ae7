# SPDX-License-Identifier: MIT
"""How good the model is on the kernels of tests/timing_set: times, their order, hit rates and bytes from DRAM."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from .timing_set import Case

CLEAR = 1.15  # two kernels whose measured times are nearer have no order
WITHIN = 1.5
POINTS_OFF = 5.0  # of a hit rate
BYTES_OFF = 0.10  # of the bytes from DRAM
# The same of L2: some are looked up for code, constants and the GPU itself. Of `add_one_word`, whose 2048 requests
# mean one word, Nsight Compute counts 4137; of kernels that read a thousand sectors the misses differ by a thousand.
FEW_SECTORS = 3072
FEW_BYTES = 256 << 10  # fewer are not told apart: other units of the GPU use DRAM as well, ncu among them

L1_RATE, L2_RATE = "l1tex__t_sector_hit_rate.pct", "lts__t_sector_hit_rate.pct"
L1_SECTORS, L2_SECTORS = "l1tex__t_sectors.sum", "lts__t_sectors.sum"
DRAM = ("dram__bytes_read.sum", "dram__bytes_write.sum")

# What the judged half must keep: mean factor, share within 1.5, worst, share of pairs, share of kernels.
MOST_MEAN, LEAST_WITHIN, MOST_OFF, LEAST_PAIRS, LEAST_COUNTERS = 1.20, 0.95, 2.0, 0.97, 0.90


Readings = dict[str, list[float]]  # of a counter: what it was each time that the GPU was asked


@dataclass(frozen=True)
class Point:
    """A case, measured and modelled: microseconds, and the counters of both by Nsight Compute's names."""

    case: Case
    half: str
    measured: float
    spread: float
    modelled: float
    limit: str = ""
    there: dict[str, float] = field(default_factory=dict, compare=False)
    here: dict[str, float] = field(default_factory=dict, compare=False)
    readings: Readings = field(default_factory=dict, compare=False)  # of what was read several times

    def seen(self, name: str) -> list[float]:
        """What the GPU counted, each time that it was asked."""
        return self.readings.get(name) or [self.there[name]]

    @property
    def ratio(self) -> float:
        return self.modelled / self.measured

    @property
    def off(self) -> float:
        return max(self.ratio, 1 / self.ratio)


@dataclass(frozen=True)
class Share:
    """So many of so many."""

    good: int
    all: int

    @property
    def value(self) -> float:
        return self.good / self.all if self.all else math.nan

    def __str__(self) -> str:
        return f"{100 * self.value:.0f} % ({self.good} of {self.all})" if self.all else "-"


@dataclass(frozen=True)
class Judgement:
    cases: int
    kernels: int
    mean: float  # geometric mean of how many times off
    within: Share
    worst: Point
    pairs: Share
    counters: dict[str, Share]  # of kernels all of whose cases agree: "L1 hit rate", "L2 hit rate", "DRAM bytes"


def clear_pairs(points: Sequence[Point]) -> list[tuple[Point, Point]]:
    """Of one family, at one size and in the same state of the cache, and clearly apart; the faster first."""
    found = []
    for a, b in combinations(points, 2):
        if (a.case.family, a.case.n, a.case.cache) != (b.case.family, b.case.n, b.case.cache):
            continue
        fast, slow = sorted((a, b), key=lambda point: point.measured)
        if slow.measured / fast.measured > max(CLEAR, 1 + a.spread + b.spread):
            found.append((fast, slow))
    return found


def between(value: float, seen: Sequence[float]) -> float:
    """The value itself if it is among those that were seen, or between two of them; else the nearest."""
    return min(max(value, min(seen)), max(seen))


def rate_agrees(point: Point, rate: str, sectors: str) -> bool | None:
    """None: nothing to compare."""
    if rate not in point.here or rate not in point.there or point.there.get(sectors, 1) == 0:
        return None
    off = abs(point.here[rate] - between(point.here[rate], point.seen(rate)))
    few = rate == L2_RATE and off / 100 * point.there.get(sectors, math.inf) <= FEW_SECTORS
    return off <= POINTS_OFF or few


def bytes_agree(point: Point) -> bool | None:
    if any(name not in counters for name in DRAM for counters in (point.here, point.there)):
        return None
    here = sum(point.here[name] for name in DRAM)
    there = between(here, [sum(both) for both in zip(*(point.seen(name) for name in DRAM), strict=True)])
    return abs(here - there) <= max(BYTES_OFF * there, FEW_BYTES)


def _kernels(points: Iterable[Point], verdicts: Iterable[bool | None]) -> Share:
    kernels: dict[str, bool] = {}
    for point, verdict in zip(points, verdicts, strict=True):
        if verdict is not None:
            kernels[point.case.kernel] = kernels.get(point.case.kernel, True) and verdict
    return Share(sum(kernels.values()), len(kernels))


def steady(points: Sequence[Point]) -> dict[str, Share]:
    """Of kernels whose counters were read several times: those of which each reading agrees with the median."""

    def agrees(point: Point, rule: Callable[[Point], bool | None], *names: str) -> bool | None:
        if any(name not in point.readings for name in names):
            return None
        turns = zip(*(point.readings[name] for name in names), strict=True)
        alike = [rule(replace(point, readings={}, here=dict(zip(names, values, strict=True)))) for values in turns]
        return all(alike) if None not in alike else None

    rules: dict[str, tuple[Callable[[Point], bool | None], tuple[str, ...]]] = {
        "L1 hit rate": (lambda point: rate_agrees(point, L1_RATE, L1_SECTORS), (L1_RATE,)),
        "L2 hit rate": (lambda point: rate_agrees(point, L2_RATE, L2_SECTORS), (L2_RATE,)),
        "DRAM bytes": (bytes_agree, DRAM),
    }
    return {
        name: _kernels(points, [agrees(point, rule, *counters) for point in points])
        for name, (rule, counters) in rules.items()
    }


def judge(points: Sequence[Point]) -> Judgement:
    pairs = clear_pairs(points)
    return Judgement(
        cases=len(points),
        kernels=len({point.case.kernel for point in points}),
        mean=math.exp(sum(math.log(point.off) for point in points) / len(points)),
        within=Share(sum(point.off <= WITHIN for point in points), len(points)),
        worst=max(points, key=lambda point: point.off),
        pairs=Share(sum(fast.modelled < slow.modelled for fast, slow in pairs), len(pairs)),
        counters={
            "L1 hit rate": _kernels(points, [rate_agrees(point, L1_RATE, L1_SECTORS) for point in points]),
            "L2 hit rate": _kernels(points, [rate_agrees(point, L2_RATE, L2_SECTORS) for point in points]),
            "DRAM bytes": _kernels(points, [bytes_agree(point) for point in points]),
        },
    )


def broken_promises(judgement: Judgement) -> list[str]:
    found = []
    if judgement.mean > MOST_MEAN:
        found.append(f"the times are off by {judgement.mean:.2f} times (at most {MOST_MEAN:.2f})")
    if judgement.within.value < LEAST_WITHIN:
        found.append(f"{judgement.within} are within {WITHIN} times (at least {100 * LEAST_WITHIN:.0f} %)")
    if judgement.worst.off > MOST_OFF:
        found.append(f"one is off by {judgement.worst.off:.2f} times (at most {MOST_OFF:.0f})")
    if judgement.pairs.value < LEAST_PAIRS:
        found.append(f"{judgement.pairs} pairs are in the right order (at least {100 * LEAST_PAIRS:.0f} %)")
    for name, share in judgement.counters.items():
        if not share.value >= LEAST_COUNTERS:
            found.append(f"{name}: right for {share} kernels (at least {100 * LEAST_COUNTERS:.0f} %)")
    return found

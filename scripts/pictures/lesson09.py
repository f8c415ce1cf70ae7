# SPDX-License-Identifier: MIT
"""Lesson 09: errors of ten orders, an error that is lost in a merge, two shelves, bins for exact sums."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable, Sequence

from .svg import Picture

COUNT = 4096


def rounded(value: float) -> float:
    """To fp32. A double that was added once and is rounded again gives what fp32 gives."""
    return float(struct.unpack("f", struct.pack("f", value))[0])


def running(numbers: Sequence[float]) -> float:
    total = 0.0
    for number in numbers:
        total = rounded(total + number)
    return total


def in_pairs(numbers: Sequence[float]) -> float:
    if len(numbers) == 1:
        return numbers[0]
    half = len(numbers) // 2
    return rounded(in_pairs(numbers[:half]) + in_pairs(numbers[half:]))


def by_lanes(numbers: Sequence[float], lanes: int) -> float:
    return in_pairs([running(numbers[lane::lanes]) for lane in range(lanes)])


def ten_errors() -> list[tuple[str, float]]:
    """Of the sum of the same numbers, in units of the last place of their sum."""
    source = random.Random(9)
    numbers = [rounded(source.random()) for _ in range(COUNT)]
    mixed = list(numbers)
    source.shuffle(mixed)
    orders: list[tuple[str, Callable[[], float]]] = [
        ("one by one, as they lie", lambda: running(numbers)),
        ("one by one, backwards", lambda: running(numbers[::-1])),
        ("one by one, ascending", lambda: running(sorted(numbers))),
        ("one by one, descending", lambda: running(sorted(numbers, reverse=True))),
        ("one by one, shuffled", lambda: running(mixed)),
        ("4 shares, then pairs", lambda: by_lanes(numbers, 4)),
        ("32 shares, then pairs", lambda: by_lanes(numbers, 32)),
        ("256 shares, then pairs", lambda: by_lanes(numbers, 256)),
        ("pairs", lambda: in_pairs(numbers)),
        ("pairs, shuffled", lambda: in_pairs(mixed)),
    ]
    truth = math.fsum(numbers)
    last_place = 2.0 ** (math.frexp(truth)[1] - 24)
    return [(name, (add() - truth) / last_place) for name, add in orders]


def orders() -> str:
    errors = ten_errors()
    p = Picture(
        376,
        "The same numbers in ten orders",
        "Errors of the sum of 4096 numbers between 0 and 1 in fp32, in units of the last place: "
        + ", ".join(f"{name}: {error:.1f}" for name, error in errors)
        + ".",
    )
    p.text(24, 32, "The same 4096 numbers, ten orders: error in units of the last place", size=15, bold=True)
    middle, top = 540.0, 52.0
    widest = max(abs(error) for _, error in errors)
    scale = 190.0 / widest
    for row, (name, error) in enumerate(errors):
        y = top + row * 29
        p.text(24, y + 15, name, size=12.5)
        width = max(abs(error) * scale, 1.5)
        p.box(middle if error >= 0 else middle - width, y, width, 20, "wait" if row < 5 else "work", round_by=1)
        p.text(
            middle + (width + 8 if error >= 0 else -width - 8),
            y + 15,
            f"{error:.1f}",
            size=11.5,
            anchor="start" if error >= 0 else "end",
            colour="note",
        )
    p.line(middle, top - 6, middle, top + 290, "faint")
    p.text(
        24,
        364,
        "Sums in fp32, against the exact sum. Where every element goes through fewer additions, less is lost.",
        size=12.5,
        colour="note",
    )
    return p.svg()


def merge() -> str:
    p = Picture(
        268,
        "What a merge must not forget",
        "Two lanes have the sums 33554432 and minus 33554432; the first one owes 1. Kahan's merge adds the sums and "
        "gets 0. A merge of pairs adds the errors too and gets 1.",
    )
    p.text(24, 32, "Two lanes are merged; lane 0 still owes 1", size=15, bold=True)
    for row, (name, sum_, error) in enumerate((("lane 0", "33554432", "+ 1"), ("lane 1", "-33554432", "+ 0"))):
        y = 56 + row * 48
        p.text(24, y + 20, name, size=13)
        p.box(100, y, 130, 32, "work", sum_, mono=True)
        p.box(236, y, 60, 32, "second", error, mono=True)
    p.text(110, 172, "sum", size=11.5, colour="note")
    p.text(236, 172, "error", size=11.5, colour="note")
    p.arrow(310, 96, 400, 78, "wait")
    p.arrow(310, 112, 400, 142, "result")
    p.box(410, 60, 130, 32, "wait", "0", mono=True)
    p.text(556, 80, "only sums are merged: 1 is gone", size=12.5)
    p.box(410, 128, 130, 32, "result", "0", mono=True)
    p.box(546, 128, 60, 32, "result", "+ 1", mono=True)
    p.text(620, 148, "pairs are merged", size=12.5)
    p.text(
        24,
        212,
        "Within a lane, Kahan's correction waits for the next element. After the last one nobody takes it.",
        size=12.5,
    )
    p.text(
        24,
        238,
        "A pair (sum, error) is a value like any other: it goes through shuffles, blocks and the grid.",
        size=12.5,
        colour="note",
    )
    return p.svg()


def shelves() -> str:
    p = Picture(
        250,
        "An element is cut at fixed places",
        "A number's bits lie on a ruler of powers of two. Two places, 30 bits apart, cut it: the upper piece counts "
        "coarse units, the lower one fine units, the rest is dropped. The places depend only on the largest element.",
    )
    p.text(24, 32, "reproducible: cut at fixed places, add integers", size=15, bold=True)
    left, bit = 60.0, 8.0
    for first, last, fill, name in (
        (0, 30, "work", "coarse units"),
        (30, 60, "second", "fine units"),
        (60, 82, "idle", "dropped"),
    ):
        p.box(left + first * bit, 56, (last - first) * bit, 26, fill, name)
    for row, (start, words) in enumerate(
        ((6, "a large element: 24 bits"), (22, "a smaller one: two pieces"), (44, "a small one"))
    ):
        y = 100.0 + row * 32
        pieces = [
            (start, min(start + 24, 30), "work"),
            (max(start, 30), min(start + 24, 60), "second"),
            (max(start, 60), start + 24, "idle"),
        ]
        for begin, end, fill in pieces:
            if end > begin:
                p.box(left + begin * bit, y, (end - begin) * bit, 22, fill)
        p.text(left + (start + 24) * bit + 12, y + 16, words, size=12)
    p.text(24, 216, "Pieces are whole numbers of units, and whole numbers do not care about the order.", size=12.5)
    p.text(
        24,
        238,
        "A larger element moves both places up. What is dropped then would not have counted had it come first.",
        size=12.5,
        colour="note",
    )
    return p.svg()


def bins() -> str:
    p = Picture(
        236,
        "Sixteen integers hold every float",
        "The 254 exponents of a float are divided among sixteen bins. An element is shifted within "
        "its bin and added to a 64-bit integer. Carries go up once, at the end.",
    )
    p.text(24, 32, "exact: sixteen exponents share an integer of 64 bits", size=15, bold=True)
    left, cell = 40.0, 45.0
    for k in range(16):
        p.box(left + k * cell, 60, cell - 4, 32, "work" if k == 7 else "plain", str(k), mono=True)
    p.text(left, 110, "exponents 1 to 15", size=11, colour="note")
    p.text(left + 16 * cell - 4, 110, "240 to 254", size=11, anchor="end", colour="note")
    p.arrow(left + 7.5 * cell, 132, left + 7.5 * cell, 98, "work")
    p.box(left + 4 * cell, 134, 7 * cell, 28, "work", "24 bits of 0.75, moved by 126 mod 16 places")
    p.text(
        24, 194, "Every thread has its own sixteen, in a column of shared memory: no conflicts, no atomics.", size=12.5
    )
    p.text(
        24,
        218,
        "At the end carries go from bin to bin, blocks are added with integer atomics, and the sum is rounded once.",
        size=12.5,
        colour="note",
    )
    return p.svg()


PICTURES = {"orders": orders, "merge": merge, "shelves": shelves, "bins": bins}

# SPDX-License-Identifier: MIT
"""Lesson 02: three trees over the same numbers. Which threads work, and which banks they meet in."""

from __future__ import annotations

from collections.abc import Callable

from .svg import Picture

THREADS = 16  # of the block in the picture
WARP = 4  # so that four warps fit into it; on a GPU it is 32
CELL, GAP = 13.0, 1.5
PANEL = 262.0

# For a step of the tree, the words that thread t adds: (into, from). None: it rests.
Pair = Callable[[int, int], "tuple[int, int] | None"]


def _interleaved(step: int, t: int) -> tuple[int, int] | None:
    distance = 1 << step
    return (t, t + distance) if t % (2 * distance) == 0 else None


def _strided(step: int, t: int) -> tuple[int, int] | None:
    distance = 1 << step
    i = 2 * distance * t
    return (i, i + distance) if i < THREADS else None


def _sequential(step: int, t: int) -> tuple[int, int] | None:
    half = THREADS >> (step + 1)
    return (t, t + half) if t < half else None


def _x(i: int) -> float:
    return i * (CELL + GAP) + (i // WARP) * 3


def _panel(p: Picture, left: float, name: str, notes: tuple[str, str], pairs: Pair) -> None:
    p.text(left, 34, name, size=15, bold=True)
    for row, note in enumerate(notes):
        p.text(left, 54 + 17 * row, note, size=12, colour="note")
    for step in range(4):
        top = 96 + step * 84
        work = {t: pair for t in range(THREADS) if (pair := pairs(step, t)) is not None}
        p.text(left, top - 4, f"step {step + 1}", size=11)
        warps = len({t // WARP for t in work})
        p.text(left + _x(THREADS) - 4, top - 4, f"{warps} of 4 warps busy", size=11, anchor="end")
        for t in range(THREADS):
            p.box(left + _x(t), top, CELL, CELL, "work" if t in work else "idle", round_by=6)
        read = {i for pair in work.values() for i in pair}
        for i in range(THREADS):
            fill = "result" if any(i == pair[0] for pair in work.values()) else "second" if i in read else "plain"
            p.box(left + _x(i), top + 40, CELL, CELL, fill, round_by=1)
        for t, (into, other) in work.items():
            thread = left + _x(t) + CELL / 2
            p.line(thread, top + CELL, left + _x(into) + CELL / 2, top + 40, "result", thick=1.3)
            p.line(thread, top + CELL, left + _x(other) + CELL / 2, top + 40, "second", thick=1.3)


def trees() -> str:
    p = Picture(
        474,
        "Three trees in shared memory",
        "Sixteen threads in four warps of four add sixteen words in four steps. Interleaved: threads 0, 2, 4 and so on "
        "work, so all four warps stay busy for two steps, with half and then a quarter of their lanes. Strided: the "
        "first threads work, but they touch words that are far apart. Sequential: the first threads work, on words "
        "side by side.",
    )
    panels: list[tuple[str, tuple[str, str], Pair]] = [
        ("interleaved", ("few lanes in every warp:", "lanes are lost"), _interleaved),
        ("strided", ("whole warps rest, but the words", "lie far apart: banks collide"), _strided),
        ("sequential", ("whole warps rest, words lie side", "by side: every bank once"), _sequential),
    ]
    for column, (name, notes, pairs) in enumerate(panels):
        _panel(p, 16 + column * PANEL, name, notes, pairs)
        if column > 0:
            p.line(column * PANEL + 4, 20, column * PANEL + 4, 425, dashed=True)
    p.legend(16, 444, [("work", "a thread that works"), ("idle", "a thread that rests")], step=170)
    p.legend(
        356, 444, [("result", "a word it adds to"), ("second", "a word it reads"), ("plain", "not touched")], step=150
    )
    p.text(
        16,
        465,
        "Circles: threads, in warps of 4 so that they fit (a real warp has 32). Squares: words of shared memory.",
        size=12,
    )
    return p.svg()


def banks() -> str:
    p = Picture(
        300,
        "Banks of shared memory",
        "Shared memory has 32 banks; word i lies in bank i modulo 32. One warp of the strided tree, stride 8, touches "
        "4 banks, each 8 times: 8 rounds. A warp of the sequential tree touches all 32 banks once: one round.",
    )
    cell, gap = 21.0, 2.0
    left = 26.0

    def row(top: float, title: str, stride: int, note: str) -> None:
        p.text(left, top - 10, title, size=14, bold=True)
        depth = [0] * 32
        for lane in range(32):
            depth[lane * stride % 32] += 1
        for bank in range(32):
            x = left + bank * (cell + gap)
            fill = "idle" if depth[bank] == 0 else "wait" if depth[bank] > 1 else "work"
            p.box(x, top, cell, 30, fill, f"{depth[bank]}" if depth[bank] else "", size=12)
            p.text(x + cell / 2, top + 44, str(bank), size=9.5, anchor="middle", colour="note")
        p.text(left, top + 64, note, size=12)

    p.text(left, 30, "32 lanes, 32 banks: how many lanes want a word of each bank?", size=15, bold=True)
    row(
        72,
        "strided, distance 4: lane t reads word 8 t",
        8,
        "4 banks, 8 words in each: the hardware needs 8 rounds for one instruction.",
    )
    row(192, "sequential: lane t reads word t", 1, "32 banks, one word in each: 1 round.")
    p.legend(left, 284, [("wait", "several words in one bank"), ("work", "one word"), ("idle", "not used")])
    return p.svg()


PICTURES = {"trees": trees, "banks": banks}

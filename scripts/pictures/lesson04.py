# SPDX-License-Identifier: MIT
"""Lesson 04: who reads whose register. Warps of eight lanes here, so that they fit; a GPU's have 32."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .svg import Picture

LANES = 8
CELL, GAP = 34.0, 8.0
PANEL = LANES * CELL + (LANES - 1) * GAP
LEFT, RIGHT = 36.0, 436.0


def _exchange(p: Picture, left: float, top: float, name: str, note: str, source: Callable[[int], int]) -> None:
    """One shuffle: a row that brings, a row that gets, an arrow from each lane that is read."""
    p.text(left, top, name, size=14, bold=True, mono=True)
    p.text(left, top + 19, note, size=12, colour="note")
    edge = [source(i) == i for i in range(LANES)]
    middles = p.cells(left, top + 32, CELL, ["work"] * LANES, [str(i) for i in range(LANES)], gap=GAP, height=24)
    for i, x in enumerate(middles):
        p.arrow(middles[source(i)], top + 56, x, top + 103, "second" if edge[i] else "work", thick=1.4)
    fills = ["second" if own else "work" for own in edge]
    p.cells(left, top + 105, CELL, fills, [str(source(i)) for i in range(LANES)], gap=GAP, height=24)


def family() -> str:
    p = Picture(
        374,
        "The four shuffles",
        "Eight lanes bring their own number. idx, source 2: every lane gets 2. up by 1: lane i gets i - 1, lane 0 "
        "keeps its own. down by 2: lane i gets i + 2, lanes 6 and 7 keep their own. xor 1: neighbours trade.",
    )
    _exchange(p, LEFT, 34, "__shfl_sync(m, v, 2)", "idx: every lane names the lane it reads", lambda _: 2)
    _exchange(p, RIGHT, 34, "__shfl_xor_sync(m, v, 1)", "xor: lane i reads lane i xor 1; pairs trade", lambda i: i ^ 1)
    _exchange(p, LEFT, 204, "__shfl_up_sync(m, v, 1)", "up: values move to higher lanes", lambda i: max(i - 1, 0))
    _exchange(
        p,
        RIGHT,
        204,
        "__shfl_down_sync(m, v, 2)",
        "down: values move to lower lanes",
        lambda i: i + 2 if i + 2 < LANES else i,
    )
    p.legend(LEFT, 358, [("work", "a lane and what it holds"), ("second", "reads itself: its own value comes back")])
    return p.svg()


VALUES = (3, 1, 4, 1, 5, 9, 2, 6)


def _tree(
    p: Picture,
    left: float,
    name: str,
    notes: Sequence[str],
    source: Callable[[int, int], int],
    useful: Callable[[int, int], bool],
) -> None:
    """`useful(i, width)`: lane i still matters when sums of `width` lanes are left to be added."""
    p.text(left, 34, name, size=15, bold=True)
    for row, note in enumerate(notes):
        p.text(left, 54 + 17 * row, note, size=12, colour="note")
    values = list(VALUES)
    top = 96.0
    middles = p.cells(left, top, CELL, ["work"] * LANES, [str(v) for v in values], gap=GAP, height=26)
    for distance in (4, 2, 1):
        values = [v + values[source(i, distance)] for i, v in enumerate(values)]
        fills = []
        for i, x in enumerate(middles):
            good = useful(i, distance)
            fills.append("idle" if not good else "result" if distance == 1 else "work")
            if good:
                p.line(x, top + 26, x, top + 78, "faint", thick=1.2)
                p.arrow(middles[source(i, distance)], top + 26, x, top + 78, "work", thick=1.4)
        top += 80
        p.cells(left, top, CELL, fills, [str(v) for v in values], gap=GAP, height=26)


def trees() -> str:
    p = Picture(
        404,
        "A warp's sum by down and by xor",
        "Eight lanes with 3 1 4 1 5 9 2 6 add in three steps of distance 4, 2, 1. By down, half of the lanes hold a "
        "useful sum after the first step, then a quarter, and lane 0 ends with 31. By xor all lanes hold a useful sum "
        "after each step, and all end with 31.",
    )
    _tree(
        p,
        LEFT,
        "down: a tree",
        ("lane i adds what lane i + distance holds", "only lane 0 ends with the sum"),
        lambda i, distance: i + distance if i + distance < LANES else i,
        lambda i, distance: i < distance,
    )
    _tree(
        p,
        RIGHT,
        "xor: a butterfly",
        ("lane i adds what lane i xor distance holds", "every lane ends with the sum"),
        lambda i, distance: i ^ distance,
        lambda i, distance: True,
    )
    for row, distance in enumerate((4, 2, 1)):
        p.text(400, 152 + 80 * row, f"distance {distance}", size=12, anchor="middle", colour="note")
    p.legend(
        LEFT,
        388,
        [
            ("work", "a sum on the way"),
            ("result", "the sum of all"),
            ("idle", "of no use: added too, never read for the result"),
        ],
    )
    return p.svg()


def two_levels() -> str:
    p = Picture(
        372,
        "A block's sum in two levels",
        "Four warps of eight lanes add their lanes by shuffles. Each leaves one number in shared memory. After one "
        "barrier the first warp reads the four numbers, its other lanes bring zero, and adds them by shuffles.",
    )
    warps, cell, gap = 4, 17.0, 2.0
    width = LANES * cell + (LANES - 1) * gap
    left, step = 140.0, width + 10
    p.text(24, 50, "registers", size=13, bold=True)
    p.text(24, 68, "of each warp", size=12, colour="note")
    p.text(24, 150, "shared memory", size=13, bold=True)
    p.text(24, 168, "a word per warp", size=12, colour="note")
    p.text(24, 238, "registers", size=13, bold=True)
    p.text(24, 256, "of the first warp", size=12, colour="note")
    p.text(24, 318, "thread 0", size=13, bold=True)
    first = left + 2 * step - 5 - PANEL / 2  # of the first warp's lanes, further down
    words = [first + w * (CELL + GAP) + CELL / 2 for w in range(warps)]
    for w in range(warps):
        x = left + w * step
        p.text(x, 32, f"warp {w}", size=12)
        p.cells(x, 40, cell, ["work"] * LANES, gap=gap, height=24)
        p.text(x + width / 2, 84, "shuffles", size=11, anchor="middle", colour="work")
        p.line(x, 68, x + width, 68, "work", thick=1.5)
        p.arrow(x + width / 2, 90, words[w], 137, "work")
        p.box(words[w] - CELL / 2, 139, CELL, 26, "second", f"w{w}")
    p.line(left, 190, left + 4 * step - 10, 190, "wait", thick=3)
    p.text(left + 4 * step - 10, 183, "__syncthreads(): the only barrier", size=12, anchor="end", colour="wait")
    labels = [f"w{i}" if i < warps else "0" for i in range(LANES)]
    fills = ["work"] * warps + ["idle"] * (LANES - warps)
    lanes = p.cells(first, 226, CELL, fills, labels, gap=GAP, height=26)
    for word in words:
        p.arrow(word, 165, word, 224, "second")
    p.line(first, 258, first + PANEL, 258, "work", thick=1.5)
    p.text(first + PANEL + 10, 244, "the other lanes", size=12, colour="note")
    p.text(first + PANEL + 10, 259, "bring a zero", size=12, colour="note")
    p.text(first + PANEL / 2, 276, "shuffles", size=11, anchor="middle", colour="work")
    p.arrow(first + PANEL / 2, 282, lanes[0] + 21, 302, "work")
    p.box(lanes[0] - 30, 304, 104, 28, "result", "block's sum")
    p.legend(
        140,
        356,
        [("work", "a lane's register"), ("second", "shared memory"), ("idle", "no warp for it"), ("result", "a sum")],
    )
    return p.svg()


def transpose() -> str:
    size = 4
    colours = ("work", "second", "third", "fourth")
    p = Picture(
        312,
        "A 4 x 4 matrix transposed in registers",
        "Four lanes hold the rows a, b, c, d of a matrix, four registers each. Step 1: lanes that differ in bit 0 "
        "trade one register of each pair. Step 2: lanes that differ in bit 1 do. Then lane 0 holds a0 b0 c0 d0, the "
        "first column.",
    )
    held = [[f"{'abcd'[lane]}{k}" for k in range(size)] for lane in range(size)]
    titles = ("each lane has a row", "after xor 1", "after xor 2: a column")
    cell, gap = 42.0, 5.0
    for state in range(3):
        left = 70 + state * 246.0
        p.text(left, 34, titles[state], size=14, bold=True)
        for lane in range(size):
            x = left + lane * (cell + gap)
            p.text(x + cell / 2, 60, f"lane {lane}", size=11, anchor="middle", colour="note")
            for k in range(size):
                name = held[lane][k]
                p.box(x, 70 + k * 40, cell, 34, colours["abcd".index(name[0])], name, size=13)
        bit = (1, 2, 0)[state]
        if bit:
            right = left + size * (cell + gap)
            p.arrow(right + 4, 147, right + 46, 147, "ink", thick=2, head=8)
            p.text(right + 25, 136, f"xor {bit}", size=12, anchor="middle")
        # A lane whose bit is clear gives its upper register of each pair, its partner the lower one.
        after = [row[:] for row in held]
        for lane in range(size):
            for k in range(size):
                if bit and bool(lane & bit) != bool(k & bit):
                    after[lane][k] = held[lane ^ bit][k ^ bit]
        held = after
    for k in range(size):
        p.text(60, 92 + k * 40, f"r{k}", size=12, anchor="end", colour="note", mono=True)
    p.text(70, 262, "r0 to r3 are registers. In a step a lane sends one register of each pair and keeps", size=13)
    p.text(70, 281, "the other: two shuffles per step, four in all, and no memory is touched.", size=13)
    return p.svg()


def width() -> str:
    p = Picture(
        392,
        "The width of a shuffle",
        "Sixteen lanes in two groups of eight. With width 8, __shfl_sync from lane 0 gives every lane the first value "
        "of its own eight: 0 in the first group, 8 in the second. With width 8, __shfl_up_sync by 1 gives lane i the "
        "value of lane i - 1, but lanes 0 and 8 are the first of their groups and keep their own.",
    )
    cell, gap = 38.0, 6.0
    p.text(24, 32, "width 8 cuts the warp: lane numbers count inside each group", size=15, bold=True)
    p.text(
        24,
        52,
        "Two groups of eight are drawn; a warp of 32 lanes has four. One instruction serves all.",
        size=12,
        colour="note",
    )

    def exchange(top: float, name: str, source: Callable[[int], int]) -> None:
        p.text(24, top, name, size=14, bold=True, mono=True)
        for group in (0, 1):
            first = group * 8
            left = 30 + group * (8 * (cell + gap) + 26)
            own = [source(first + i) == first + i for i in range(8)]
            middles = p.cells(
                left, top + 14, cell, ["work"] * 8, [str(first + i) for i in range(8)], gap=gap, height=24
            )
            for i, x in enumerate(middles):
                p.arrow(
                    middles[source(first + i) - first], top + 38, x, top + 91, "second" if own[i] else "work", thick=1.4
                )
            fills = ["second" if each else "work" for each in own]
            p.cells(left, top + 93, cell, fills, [str(source(first + i)) for i in range(8)], gap=gap, height=24)

    exchange(88, "__shfl_sync(m, v, 0, 8)", lambda i: i // 8 * 8)
    exchange(238, "__shfl_up_sync(m, v, 1, 8)", lambda i: i if i % 8 == 0 else i - 1)
    p.legend(24, 378, [("work", "a lane and what it holds"), ("second", "its own value comes back")])
    return p.svg()


def mask() -> str:
    p = Picture(
        330,
        "The mask of a branch is made before the branch",
        "Eight lanes with the values 3 1 4 1 5 9 2 6. First all eight vote whether their value is odd: the ballot has "
        "the bits 1 1 0 1 1 1 0 0. Then only the five lanes whose bit is set enter the branch and shuffle, with that "
        "ballot as the mask: it names exactly the lanes that come.",
    )
    p.text(24, 32, "Vote while all lanes are here; the ballot is the mask inside of the branch", size=15, bold=True)
    left, cell, gap = 330.0, 44.0, 8.0
    odd = [value % 2 == 1 for value in VALUES]
    notes = (
        (66, "unsigned who = __ballot_sync(all, odd)", "all eight vote"),
        (146, "who", "a bit for each lane"),
        (226, "if (odd) ... __shfl_sync(who, ...)", "exactly those that who names"),
    )
    for y, name, note in notes:
        p.text(24, y + 12, name, size=12.5, bold=True, mono=True)
        p.text(24, y + 30, note, size=12, colour="note")
    middles = p.cells(left, 66, cell, ["work"] * 8, [str(v) for v in VALUES], gap=gap, height=30)
    p.cells(
        left,
        146,
        cell,
        ["second" if each else "plain" for each in odd],
        ["1" if each else "0" for each in odd],
        gap=gap,
        height=30,
    )
    p.cells(
        left,
        226,
        cell,
        ["work" if each else "idle" for each in odd],
        [str(v) if o else "" for v, o in zip(VALUES, odd, strict=True)],
        gap=gap,
        height=30,
    )
    for x, each in zip(middles, odd, strict=True):
        p.arrow(x, 96, x, 144, "work", thick=1.4)
        if each:
            p.arrow(x, 176, x, 224, "second", thick=1.4)
    p.legend(
        24,
        302,
        [
            ("work", "a lane that takes part"),
            ("second", "its bit is set"),
            ("idle", "elsewhere: not named, not awaited"),
        ],
    )
    return p.svg()


PICTURES = {
    "family": family,
    "width": width,
    "mask": mask,
    "trees": trees,
    "two_levels": two_levels,
    "transpose": transpose,
}

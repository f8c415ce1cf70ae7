# SPDX-License-Identifier: MIT
"""Lesson 03: what each thread adds, who idles, and how an array that begins anywhere is read in groups of four."""

from __future__ import annotations

from .svg import Picture

FILLS = ("work", "second", "third", "fourth")  # of the picture's threads 0 to 3
CELL, GAP = 27.0, 2.0


def grid_stride() -> str:
    p = Picture(
        322,
        "A grid-stride loop",
        "Twenty-two elements, a grid of two blocks of two threads. Thread t adds the elements t, t + 4, t + 8 and so "
        "on. In each round the four threads read four neighbouring elements. The last round is only half full.",
    )
    left, cell, elements, threads = 46.0, 30.0, 22, 4
    p.text(left, 32, "A thread's share: t, t + stride, t + 2 stride, ...", size=15, bold=True)
    p.text(
        left, 52, "22 elements; 2 blocks of 2 threads, so stride = gridDim.x * blockDim.x = 4", size=12, colour="note"
    )
    fills = [FILLS[i % threads] for i in range(elements)]
    middles = p.cells(left, 96, cell, fills, [str(i) for i in range(elements)], gap=GAP)
    p.text(left - 8, 114, "in", size=13, anchor="end", mono=True)
    for r in range((elements + threads - 1) // threads):
        first, last = r * threads, min(r * threads + threads, elements) - 1
        p.line(middles[first] - 11, 86, middles[last] + 11, 86, "ink")
        p.text((middles[first] + middles[last]) / 2, 80, f"round {r + 1}", size=11, anchor="middle")
    top = 190.0
    for t in range(threads):
        x = left + 16 + t * 184
        p.box(x, top, 132, 40, FILLS[t], f"mine of thread {t}", size=13)
        share = list(range(t, elements, threads))
        p.text(x + 66, top + 58, " + ".join(str(i) for i in share), size=11.5, anchor="middle", mono=True)
        p.arrow(middles[t], 96 + cell + 2, x + 40, top - 2, "faint", thick=1.2)
    p.text(
        left,
        276,
        "Neighbouring threads read neighbouring elements: in each round a warp reads one stretch of memory.",
        size=12.5,
    )
    p.text(
        left,
        296,
        "Each thread adds its own colour, in a register. Then the tree runs, once per block.",
        size=12.5,
    )
    return p.svg()


def idle() -> str:
    p = Picture(
        404,
        "Who works when",
        "Rows are threads of a block, columns are steps. One element per thread: one column of loading, then a tree in "
        "which half, a quarter, an eighth of the threads work. Two elements per thread: two columns of loading, then "
        "the same tree. Grid-stride: many columns in which all threads work, then the tree once.",
    )
    cell, gap = 15.0, 2.0
    threads = 8

    def panel(left: float, top: float, name: str, note: str, rounds: int) -> None:
        p.text(left, top - 26, name, size=14, bold=True)
        p.text(left, top - 9, note, size=12, colour="note")
        steps = [threads] * rounds + [threads >> (s + 1) for s in range(3)]
        for column, busy in enumerate(steps):
            x = left + column * (cell + gap) + (7 if column >= rounds else 0)
            for t in range(threads):
                fill = "idle" if t >= busy else "work" if column < rounds else "second"
                p.box(x, top + t * (cell + gap), cell, cell, fill, round_by=2)
        cells = sum(steps)
        share = f"{cells} of {threads * len(steps)} cells at work"
        p.text(left, top + threads * (cell + gap) + 16, share, size=12)

    p.text(26, 32, "Who works when: 8 threads of a block (rows), step by step (columns)", size=15, bold=True)
    panel(26, 100, "sequential (lesson 02)", "1 element per thread", 1)
    panel(256, 100, "first_add_on_load", "2 elements per thread", 2)
    panel(486, 100, "grid_stride", "as many as there are", 13)
    p.text(
        26,
        300,
        "All three read each element once. What changes is how often the tree, with its idle threads, runs:",
        size=12.5,
    )
    p.text(26, 320, "once per 8 elements, once per 16, or once for the block's whole share.", size=12.5)
    p.text(
        26,
        346,
        "A block of 256 threads has 8 steps of tree instead of 3. The picture is the same.",
        size=12.5,
        colour="note",
    )
    p.legend(
        26,
        384,
        [("work", "loads an element and adds it"), ("second", "works in the tree"), ("idle", "waits at a barrier")],
    )
    return p.svg()


def vector_load() -> str:
    p = Picture(
        330,
        "A vector load with head and tail",
        "An array of 21 elements that begins 4 bytes past a multiple of 16. The first 3 elements are the head; then "
        "come 4 whole groups of four that are read with one 16-byte load each, then a tail of 2 elements.",
    )
    left, n, past = 60.0, 21, 1
    step = CELL + GAP + 1
    p.text(26, 32, "Any array, seen as whole groups of four", size=15, bold=True)
    p.text(
        26,
        52,
        "21 elements that begin 4 bytes past a multiple of 16: 3 before the first whole group, 2 behind the last",
        size=12,
        colour="note",
    )
    head, tail = 4 - past, 19
    for i in range(n):
        x = left + (i + past) * step
        fill = "wait" if i < head or i >= tail else FILLS[(i - head) // 4 % 4]
        p.box(x, 110, CELL, CELL, fill, str(i), size=11)
    for boundary in range(0, 24, 4):
        x = left + boundary * step - 1.5
        p.line(x, 92, x, 146, "ink", dashed=True)
        p.text(x, 84, f"{16 * boundary // 4}", size=11, anchor="middle")
    p.text(left - 34, 84, "byte", size=11)
    for four in range(4):
        x = left + (4 + 4 * four) * step
        width = 4 * step - 3
        p.box(x + 6, 180, width - 12, 30, FILLS[four], f"thread {four}")
        p.arrow(x + width / 2, 142, x + width / 2, 178, "ink")
    p.text(left + 4 * step, 230, "groups of four: one load of 16 bytes each, from a multiple of 16", size=12)
    for t in range(3):
        x = left + (1 + t) * step + CELL / 2
        p.arrow(x, 142, x, 250, "wait", thick=1.2)
    for t in range(2):
        x = left + (past + tail + t) * step + CELL / 2
        p.arrow(x, 142, x, 250, "wait", thick=1.2)
    p.text(left + step, 268, "head: threads 0, 1, 2", size=12)
    p.text(left + (past + n) * step, 268, "tail: threads 0, 1", size=12, anchor="end")
    p.text(
        26,
        300,
        "cudaMalloc returns addresses that are multiples of 256, so an array that begins there has no head.",
        size=12.5,
    )
    p.text(26, 318, "A sum over part of an array may begin anywhere.", size=12.5)
    return p.svg()


PICTURES = {"grid_stride": grid_stride, "idle": idle, "vector_load": vector_load}

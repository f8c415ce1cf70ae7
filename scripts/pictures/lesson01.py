# SPDX-License-Identifier: MIT
"""Lesson 01: who waits where."""

from __future__ import annotations

from .svg import Picture

BLOCKS, THREADS = 3, 4
CELL, GAP = 24.0, 3.0
BLOCK_WIDTH = THREADS * CELL + (THREADS - 1) * GAP


def _blocks(p: Picture, left: float) -> list[list[float]]:
    """Three blocks of four threads. Returns the middles of their threads."""
    middles = []
    for b in range(BLOCKS):
        x = left + b * (BLOCK_WIDTH + 16)
        p.box(x - 5, 66, BLOCK_WIDTH + 10, 54)
        p.text(x, 82, f"block {b}", size=12)
        middles.append(p.cells(x, 90, CELL, ["work"] * THREADS, [str(t) for t in range(THREADS)]))
    return middles


def queues() -> str:
    p = Picture(
        350,
        "Queues of atomic additions",
        "Left: twelve threads of three blocks add to one total in global memory; the twelve additions form one queue. "
        "Right: each block has its own total in shared memory with a queue of four; then three additions, one per "
        "block, go to the total in global memory.",
    )
    left, right = 26.0, 428.0
    p.text(left - 5, 32, "global_atomic: one queue for all", size=15, bold=True)
    p.text(right - 5, 32, "shared_atomic: one queue per block", size=15, bold=True)
    p.text(left - 5, 52, "every thread adds its element to one variable", size=12, colour="note")
    p.text(right - 5, 52, "then one addition per block to the total", size=12, colour="note")
    p.line(399, 20, 399, 300, dashed=True)

    # One queue of twelve.
    middles = _blocks(p, left)
    slots = p.cells(left, 172, 20, ["wait"] * (BLOCKS * THREADS), height=24, gap=2)
    for b, block in enumerate(middles):
        for t, x in enumerate(block):
            p.arrow(x, 116, slots[b * THREADS + t], 170, "faint", thick=1, head=5)
    queue_end = slots[-1] + 10
    p.arrow(queue_end + 2, 184, queue_end + 22, 184, "wait", thick=2)
    p.box(queue_end + 24, 166, 56, 36, "result", "total")
    p.text(left, 218, "12 additions, one after the other", size=13)
    p.text(left, 236, "(n of them for n elements, however many threads wait)", size=12, colour="note")

    # A queue of four in each block, then a queue of three.
    middles = _blocks(p, right)
    for b, block in enumerate(middles):
        x = right + b * (BLOCK_WIDTH + 16)
        slots = p.cells(x + 6, 152, 20, ["wait"] * THREADS, height=24, gap=3)
        for t, thread in enumerate(block):
            p.arrow(thread, 116, slots[t], 150, "faint", thick=1, head=5)
        p.arrow(x + BLOCK_WIDTH / 2, 178, x + BLOCK_WIDTH / 2, 194, "wait", thick=2)
        p.box(x + 6, 196, BLOCK_WIDTH - 12, 26, "second", "block_total", size=12)
    last = p.cells(right + 114, 258, 20, ["wait"] * BLOCKS, height=24, gap=3)
    for b in range(BLOCKS):
        p.arrow(right + b * (BLOCK_WIDTH + 16) + BLOCK_WIDTH / 2, 222, last[b], 256, "faint", thick=1, head=5)
    p.arrow(last[-1] + 12, 270, last[-1] + 32, 270, "wait", thick=2)
    p.box(last[-1] + 34, 252, 56, 36, "result", "total")
    p.text(right, 306, "4 in a row per block, all blocks at once; then 3", size=13)

    p.legend(
        left,
        334,
        [
            ("work", "a thread with its element"),
            ("wait", "an addition, waiting for its turn"),
            ("second", "shared memory"),
            ("result", "global memory"),
        ],
    )
    return p.svg()


PICTURES = {"queues": queues}

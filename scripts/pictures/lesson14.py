# SPDX-License-Identifier: MIT
"""Lesson 14: who reaches whose memory, and how parts go round a ring."""

from __future__ import annotations

from .svg import Picture

RANKS = 4


def links() -> str:
    p = Picture(
        300,
        "Three GPUs and a host",
        "Each GPU has its own memory and L2 cache. A switch links the GPUs with each other; a slower link leads from "
        "each to the host. A release with the scope of a GPU reaches that GPU, one with the scope of the system all.",
    )
    p.text(24, 32, "Memories, links, and how far a scope reaches", size=15, bold=True)
    p.box(60, 48, 680, 26, "idle", "host memory (PCI Express)")
    p.box(60, 244, 680, 26, "result", "switch: every GPU reaches every other one (NVLink)")
    for gpu in range(3):
        left = 60.0 + gpu * 240
        p.line(left + 100, 74, left + 100, 102, "faint", thick=1.5)
        p.box(left, 102, 200, 104, "plain", "")
        p.text(left + 10, 122, f"GPU {gpu}: scope of the device", size=12.5)
        p.box(left + 14, 134, 76, 28, "work", "threads")
        p.box(left + 110, 134, 76, 28, "second", "L2")
        p.box(left + 14, 170, 172, 26, "idle", "memory")
        p.line(left + 100, 206, left + 100, 244, "work", thick=3)
    p.text(24, 292, "The scope of the system reaches all of it.", size=12.5, colour="note")
    return p.svg()


def ring() -> str:
    """Which part each rank sends in which step, as ring.cuh does it."""
    p = Picture(
        330,
        "Parts go round a ring of four GPUs",
        "Six steps of four ranks. In the first three a rank sends a part to the next rank, each time with its own "
        "numbers added; then one part is finished on each rank, and three more steps hand the finished parts on.",
    )
    p.text(24, 32, "What each GPU sends to the next one, step by step", size=15, bold=True)
    left, width, top, height = 150.0, 88.0, 62.0, 40.0
    for step in range(2 * RANKS - 2):
        p.text(left + step * width + width / 2 - 4, 54, f"step {step}", size=12.5, anchor="middle")
        for rank in range(RANKS):
            part = (rank + 2 * RANKS - step) % RANKS
            gathered = step + 1 if step < RANKS - 1 else RANKS
            fill = "result" if gathered == RANKS else "second" if step > 0 else "work"
            words = f"part {part}: {gathered}/{RANKS}" if gathered < RANKS else f"part {part}"
            p.box(left + step * width, top + rank * height, width - 8, height - 8, fill, words)
    for rank in range(RANKS):
        p.text(24, top + rank * height + 21, f"rank {rank} to {(rank + 1) % RANKS}", size=12.5)
    p.text(
        24,
        252,
        "1/4, 2/4, 3/4: the numbers of so many ranks are in it. Green: the sum of all.",
        size=12.5,
        colour="note",
    )
    p.text(24, 276, "Every link carries one part in every step.", size=12.5, colour="note")
    p.text(
        24,
        300,
        "After step 2 rank r adds its own numbers to the part that has come, and has part r + 1.",
        size=12.5,
        colour="note",
    )
    return p.svg()


PICTURES = {"links": links, "ring": ring}

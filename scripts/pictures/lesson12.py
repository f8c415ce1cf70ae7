# SPDX-License-Identifier: MIT
"""Lesson 12: what the word of outstanding work counts, step by step."""

from __future__ import annotations

from .svg import Picture

# What happens; tasks in the stack of warp A, in the queue, in the stack of warp B. A stack that is not empty counts as
# one, a task in the queue as one.
STEPS = (
    ("A has taken a root", 1, 0, 0),
    ("A has run it: eight children, on its own stack", 8, 0, 0),
    ("A has run those: 64 tasks, and counts 32 of them for the queue", 64, 0, 0),
    ("A has put the 32 oldest into the queue", 32, 32, 0),
    ("B takes them all: it has work now", 32, 0, 32),
    ("A has run its tasks; they were leaves", 0, 0, 32),
    ("B has run its own: nothing is left, and nobody could make any", 0, 0, 0),
)
COUNTED_BEFORE = 2  # the step in which 32 tasks are counted already and not yet in the queue


def outstanding(step: int) -> int:
    _, a, queue, b = STEPS[step]
    return (a > 0) + (b > 0) + queue + (32 if step == COUNTED_BEFORE else 0)


def outstanding_work() -> str:
    p = Picture(
        90 + 42 * len(STEPS) + 40,
        "What is outstanding",
        "Seven moments of two warps and a queue between them. The word counts a warp that has work once, however many "
        "tasks it has, and every task in the queue. Tasks are counted before they are put into the queue.",
    )
    p.text(24, 32, "The word is never too small", size=15, bold=True)
    columns = ((420, "warp A"), (510, "queue"), (600, "warp B"), (700, "word"))
    for x, name in columns:
        p.text(x + 35, 62, name, size=12.5, anchor="middle", colour="note")
    for row, (words, a, queue, b) in enumerate(STEPS):
        top = 74.0 + row * 42
        p.text(24, top + 20, words, size=12.5)
        for (x, _), tasks, fill in zip(columns, (a, queue, b), ("work", "second", "work"), strict=False):
            p.box(x, top, 70, 30, fill if tasks > 0 else "idle", str(tasks) if tasks > 0 else "")
        p.box(700, top, 70, 30, "result" if outstanding(row) == 0 else "plain", str(outstanding(row)))
    p.text(
        24,
        74 + 42 * len(STEPS) + 22,
        "In the third line 32 tasks are counted that are still in the stack: too large is harmless.",
        size=12.5,
        colour="note",
    )
    return p.svg()


PICTURES = {"outstanding": outstanding_work}

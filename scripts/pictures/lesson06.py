# SPDX-License-Identifier: MIT
"""Lesson 06: a message, the ABA error, retries against additions, the ring and its turns, a history."""

from __future__ import annotations

from .svg import Picture


def message() -> str:
    p = Picture(
        456,
        "A message between two blocks, without and with order",
        "Above, without order: the writer's data are still on their way to the L2 cache when the flag is already "
        "there; the reader sees the flag and reads the old data, from the L2 cache or from its own L1 cache. Below, "
        "with order: the release waits until the data are in the L2 cache and then raises the flag; the acquire sees "
        "the flag, and the read after it goes to the L2 cache and brings the new data.",
    )
    left = 128.0

    def lanes(top: float) -> tuple[float, float, float]:
        ys = (top, top + 56, top + 112)
        for y, name in zip(ys, ("writer", "L2 cache", "reader"), strict=True):
            p.text(left - 14, y + 4, name, size=13, anchor="end")
            p.line(left, y, 776, y, "faint")
        return ys

    p.text(24, 32, "Data first, then the flag: who says so?", size=15, bold=True)
    p.text(24, 52, "Time goes to the right.", size=12, colour="note")

    p.text(24, 84, "no order", size=14, bold=True)
    writer, cache, reader = lanes(104.0)
    p.box(left + 14, writer - 11, 76, 22, "work", "data = 42")
    p.box(left + 96, writer - 11, 66, 22, "second", "flag = 1")
    p.arrow(left + 52, writer + 11, left + 500, cache - 2, "wait", thick=1.8)
    p.arrow(left + 129, writer + 11, left + 190, cache - 2, "second", thick=1.8)
    p.text(left + 420, writer + 24, "the data take longer", size=12, colour="wait")
    p.box(left + 228, reader - 11, 92, 22, "second", "flag is 1")
    p.arrow(left + 196, cache + 3, left + 240, reader - 12, "second", thick=1.8)
    p.box(left + 330, reader - 11, 104, 22, "wait", "data is old")
    p.arrow(left + 372, cache + 3, left + 382, reader - 12, "wait", thick=1.8)
    p.text(left + 330, reader + 28, "old in the L2 cache, or in the reader's own L1 cache", size=12, colour="wait")

    p.text(24, 276, "release and acquire", size=14, bold=True)
    writer, cache, reader = lanes(304.0)
    p.box(left + 14, writer - 11, 76, 22, "work", "data = 42")
    p.arrow(left + 52, writer + 11, left + 170, cache - 2, "work", thick=1.8)
    p.arrow(left + 174, cache - 3, left + 292, writer + 12, "faint", thick=1.4)
    p.text(left + 96, writer - 8, "release: are they there?", size=12, colour="wait")
    p.box(left + 300, writer - 11, 66, 22, "second", "flag = 1")
    p.arrow(left + 333, writer + 11, left + 394, cache - 2, "second", thick=1.8)
    p.arrow(left + 400, cache + 3, left + 440, reader - 12, "second", thick=1.8)
    p.box(left + 410, reader - 11, 92, 22, "second", "flag is 1")
    p.box(left + 512, reader - 11, 92, 22, "result", "data is 42")
    p.arrow(left + 548, cache + 3, left + 558, reader - 12, "result", thick=1.8)
    p.text(770, reader + 28, "acquire: what is read after it is not older than the flag", size=12, anchor="end")
    return p.svg()


def aba() -> str:
    p = Picture(
        500,
        "ABA: the head is the same, the stack is not",
        "Four states of a stack of nodes A, B, C. First: head A, then B, then C; thread 1 has read head A and next B "
        "and is about to exchange A for B. Second: thread 2 has popped A. Third: thread 3 has popped B; the head is C, "
        "and the free nodes are A and B. Fourth: thread 2 pushes and gets node A for it; head A, then C, while B is "
        "free. Now the exchange of thread 1 succeeds: "
        "the head becomes B, a free node, and C is lost. With a version beside the index the head is (A, 7) at first "
        "and (A, 10) now, and the exchange fails.",
    )
    p.text(24, 32, "A, B, A: the exchange cannot tell “still” from “again”", size=15, bold=True)
    p.text(
        24,
        52,
        "Thread 1 wants to pop. It has read “head is A, next is B” and sleeps before its exchange A → B.",
        size=12,
        colour="note",
    )
    node, pitch, left = 58.0, 96.0, 226.0

    def state(top: float, title: str, words: str, head: str, version: int, chain: str, free: str) -> None:
        p.text(24, top + 6, title, size=13, bold=True)
        p.text(24, top + 24, words, size=12, colour="note")
        p.box(left, top - 10, 82, 30, "second", f"head {head}, {version}", size=12)
        x = left + 82 + 26
        p.arrow(left + 82, top + 5, x, top + 5)
        for i, name in enumerate(chain):
            p.box(x, top - 10, node, 30, "work", name, size=13)
            if i + 1 < len(chain):
                p.arrow(x + node, top + 5, x + pitch, top + 5)
            x += pitch
        for i, name in enumerate(free):
            p.box(674 + i * 50, top - 10, 44, 30, "idle", name, size=13, dashed=True)

    p.text(674, 78, "free nodes", size=12, colour="note")
    state(98, "thread 1 looks", "head A, next B", "A", 7, "ABC", "")
    state(154, "thread 2: pop", "takes A", "B", 8, "BC", "")
    state(210, "thread 3: pop", "takes B; B, then A are free", "C", 9, "C", "AB")
    state(266, "thread 2: push", "gets node A for it", "A", 10, "AC", "B")
    _exchanges_of_thread_1(p, left, node)
    return p.svg()


def _exchanges_of_thread_1(p: Picture, left: float, node: float) -> None:
    top = 330.0
    p.line(24, top - 20, 776, top - 20, "faint")
    p.text(24, top + 6, "thread 1: A → B", size=13, bold=True)
    p.text(24, top + 24, "compares the index", size=12, colour="note")
    p.box(left, top - 10, 82, 30, "wait", "head B", size=12)
    p.arrow(left + 82, top + 5, left + 108, top + 5, "wait")
    p.box(left + 108, top - 10, node, 30, "idle", "B", size=13, dashed=True)
    p.text(left + 182, top + 4, "It succeeds. The head is a free node, which", size=12.5, colour="wait")
    p.text(left + 182, top + 22, "pops and pushes will share, and C is lost.", size=12.5, colour="wait")

    top = 396.0
    p.text(24, top + 6, "thread 1: (A, 7) → (B, 8)", size=13, bold=True)
    p.text(24, top + 24, "compares index and version", size=12, colour="note")
    p.box(left, top - 10, 82, 30, "second", "head A, 10", size=12)
    p.text(left + 108, top + 4, "10 is not 7: it fails, changes nothing, and thread 1 looks again.", size=12.5)
    p.text(left + 108, top + 22, "Every change counts the version up, so no two states share a word.", size=12.5)
    p.legend(
        24,
        464,
        [("second", "the head: index, version"), ("work", "nodes of the stack"), ("idle", "free nodes")],
    )


def hot_word() -> str:
    p = Picture(
        392,
        "Four threads at one word: compare-and-swap against addition",
        "Above, compare-and-swap. Four threads read the word and try to exchange it; in each round one succeeds and "
        "the others have travelled for nothing: four rounds of two trips. Below, addition. Four threads send one "
        "addition each; the L2 cache does them one after the other, and each comes back with its number: one round "
        "of one trip.",
    )
    left, unit = 120.0, 76.0
    p.text(24, 32, "Four threads, one word, four operations", size=15, bold=True)
    p.text(
        24,
        52,
        "A box is a trip to the L2 cache and back. Time goes to the right.",
        size=12,
        colour="note",
    )
    p.text(24, 84, "read, then compare-and-swap: one winner per round", size=14, bold=True)
    for thread in range(4):
        y = 98 + thread * 34
        p.text(left - 14, y + 18, f"thread {thread}", size=13, anchor="end")
        for turn in range(4):
            if turn > thread:
                break
            x = left + turn * 2 * unit
            p.box(x, y, unit - 4, 26, "work", "read")
            won = turn == thread
            p.box(x + unit, y, unit - 4, 26, "result" if won else "wait", "done" if won else "too late")
    p.text(24, 266, "addition: nobody can be too late", size=14, bold=True)
    for thread in range(4):
        y = 280 + thread * 24
        p.text(left - 14, y + 14, f"thread {thread}", size=13, anchor="end")
        p.box(left + thread * 5, y, unit - 4, 19, "result", "done", size=11)
    p.text(left + 120, 300, "The cache adds one after the other, without a trip in between.", size=12.5)
    p.text(left + 120, 320, "Each thread gets its own number back: its ticket.", size=12.5)
    p.text(left + 120, 340, "One lane can add for its whole warp: one trip in place of 32.", size=12.5)
    p.legend(left + 120, 372, [("result", "an operation done"), ("wait", "a trip for nothing")])
    return p.svg()


def ring() -> str:
    p = Picture(
        424,
        "The ring: tickets and turns",
        "A ring of five slots. Head is ticket 7, tail is ticket 11. Ticket t belongs to slot t modulo 5 in round t "
        "divided by 5. Slot 2 holds ticket 7 and has turn 3: filled for round 1. Slots 3 and 4 hold tickets 8 and 9, "
        "turn 3. Slot 0 holds ticket 10: round 2, turn 5. Slot 1 is free for ticket 11: round 2, turn 4. Below, the "
        "life of one slot: 0 free, 1 filled, 2 free for the next round, 3 filled, and so on.",
    )
    p.text(24, 32, "A ring of five slots: tickets say where, turns say when", size=15, bold=True)
    p.text(
        24,
        52,
        "Ticket t: slot t % 5 in round t / 5. A slot's turn is 2 × round while it is free, one more when it is filled.",
        size=12,
        colour="note",
    )
    left, width, top = 130.0, 110.0, 112.0
    slots = (
        ("ticket 10", "turn 5", "second"),
        ("free", "turn 4", "idle"),
        ("ticket 7", "turn 3", "work"),
        ("ticket 8", "turn 3", "work"),
        ("ticket 9", "turn 3", "work"),
    )
    p.text(left - 14, top + 32, "slots", size=13, anchor="end")
    for i, (what, turn, fill) in enumerate(slots):
        x = left + i * (width + 4)
        p.box(x, top, width, 32, fill, what)
        p.box(x, top + 32, width, 26, "plain", turn)
        p.text(x + width / 2, top - 8, f"slot {i}", size=12, anchor="middle", colour="note")
    p.arrow(left + 2.5 * width + 8, top + 92, left + 2.5 * width + 8, top + 62)
    p.text(left + 2.5 * width + 8, top + 108, "head = 7: next to pop", size=12.5, anchor="middle")
    p.arrow(left + 1.5 * width + 4, top + 92, left + 1.5 * width + 4, top + 62)
    p.text(left + 1.5 * width - 24, top + 108, "tail = 11: next to push", size=12.5, anchor="end")
    _push_step_by_step(p)
    return p.svg()


def _push_step_by_step(p: Picture) -> None:
    y = 256.0
    p.text(24, y, "A push, step by step", size=14, bold=True)
    steps = (
        ("1  free −1", "was it above 0?", "else: full?"),
        ("2  tail +1", "the old value is", "the ticket"),
        ("3  wait for turn 2r", "then the value,", "then turn 2r + 1"),
        ("4  filled +1", "a pop may", "enter"),
    )
    for i, (head, first, second) in enumerate(steps):
        x = 24 + i * 190.0
        p.box(x, y + 14, 166, 28, ("work", "work", "wait", "work")[i], head, size=12.5)
        p.text(x + 83, y + 60, first, size=12, anchor="middle")
        p.text(x + 83, y + 76, second, size=12, anchor="middle")
        if i < 3:
            p.arrow(x + 166, y + 28, x + 190, y + 28)
    p.text(
        24,
        y + 112,
        "Steps 1, 2 and 4 are additions: one lane can do them for its whole warp. Only step 3 can wait, and only for",
        size=12.5,
    )
    p.text(
        24,
        y + 130,
        "the thread that had this slot a round ago. That thread holds a ticket, so it is already running.",
        size=12.5,
    )
    p.text(24, y + 152, "A pop is the mirror image: filled −1, head +1, wait for turn 2r + 1, free +1.", size=12.5)


def history() -> str:
    p = Picture(
        376,
        "Two histories of a queue",
        "Operations as bars over time. Above: thread 1 pushes 1; thread 2 pushes 2 at the same time; thread 3 pops 2 "
        "and later 1. A point can be chosen in each bar so that the order push 2, push 1, pop 2, pop 1 explains all "
        "answers: linearizable. Below: push 1 ends before push 2 begins, and yet pop gives 2 first: no choice of "
        "points explains it.",
    )
    left = 120.0

    def bars(top: float, rows: tuple[tuple[str, tuple[tuple[float, float, str, float], ...]], ...], good: bool) -> None:
        for i, (name, calls) in enumerate(rows):
            y = top + i * 36
            p.text(left - 14, y + 17, name, size=13, anchor="end")
            p.line(left, y + 12, 776, y + 12, "faint", thick=1)
            for begin, end, words, point in calls:
                p.box(left + begin, y, end - begin, 25, "work", words, size=12)
                if good:
                    p.box(left + point - 2, y - 3, 4, 31, "result", round_by=1)

    p.text(24, 32, "Is there an order that explains the answers?", size=15, bold=True)
    p.text(24, 52, "A queue. A bar goes from call to return; time goes to the right.", size=12, colour="note")
    p.text(24, 84, "Yes: push 2, push 1, pop 2, pop 1", size=14, bold=True)
    bars(
        98,
        (
            ("thread 1", ((20, 250, "push(1)", 216),)),
            ("thread 2", ((60, 200, "push(2)", 84),)),
            ("thread 3", ((230, 360, "pop() = 2", 244), (400, 530, "pop() = 1", 414))),
        ),
        True,
    )
    p.text(24, 232, "No: push(1) had returned when push(2) was called, and 2 comes out first", size=14, bold=True)
    bars(
        246,
        (
            ("thread 1", ((20, 150, "push(1)", 0),)),
            ("thread 2", ((180, 310, "push(2)", 0),)),
            ("thread 3", ((340, 470, "pop() = 2", 0), (510, 640, "pop() = 1", 0))),
        ),
        False,
    )
    p.legend(left, 366, [("work", "an operation"), ("result", "the point at which it takes effect")])
    return p.svg()


PICTURES = {"message": message, "aba": aba, "hot_word": hot_word, "ring": ring, "history": history}

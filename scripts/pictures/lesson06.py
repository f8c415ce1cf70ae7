# SPDX-License-Identifier: MIT
"""Lesson 06: a message, the ABA error, two queues, retries against additions, the map's buckets, a history."""

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
        470,
        "ABA: the head is the same, the stack is not",
        "Five states of a stack of nodes 2, 1, 0, as in the trace below. First: the head is node 2; b0 has read that, "
        "and is delayed. Second: b1 has popped node 2; the head is node 1, and node 2 is the only free node. Third: b0 "
        "reads the next of node 2, and there is none. Fourth: b1 pushes and gets node 2 for it; the head is node 2, "
        "then 1, then 0. Fifth: the head is node 2 as b0 expects, so its exchange succeeds, and the head becomes "
        "none: nodes 1 and 0 are lost. With a version beside the index the head was (2, 7) and is (2, 9), and the "
        "exchange fails.",
    )
    p.text(24, 32, "A, B, A: the exchange cannot tell “still” from “again”", size=15, bold=True)
    p.text(
        24, 52, "The run of the trace below: b0 wants to pop, and b1 pops and pushes meanwhile.", size=12, colour="note"
    )
    p.text(674, 78, "free list", size=12, colour="note")
    _stack(p, 98, "b0 reads the head", "2, and is delayed", "2", "210", "")
    _stack(p, 152, "b1: pop", "takes node 2", "1", "10", "2")
    _stack(p, 206, "b0 reads next of 2", "none: it is in the free list", "1", "10", "2")
    _stack(p, 260, "b1: push", "gets node 2 for it", "2", "210", "")
    _exchanges_of_b0(p)
    return p.svg()


STACK_LEFT, STACK_NODE = 226.0, 58.0


def _stack(p: Picture, top: float, title: str, words: str, head: str, chain: str, free: str) -> None:
    """One state: the head, the nodes behind it, and the free ones."""
    p.text(24, top + 6, title, size=13, bold=True)
    p.text(24, top + 24, words, size=12, colour="note")
    p.box(STACK_LEFT, top - 10, 82, 30, "second", f"head {head}", size=12)
    x = STACK_LEFT + 108
    p.arrow(STACK_LEFT + 82, top + 5, x, top + 5)
    for i, name in enumerate(chain):
        p.box(x, top - 10, STACK_NODE, 30, "work", name, size=13)
        if i + 1 < len(chain):
            p.arrow(x + STACK_NODE, top + 5, x + 96, top + 5)
        x += 96
    for i, name in enumerate(free):
        p.box(674 + i * 50, top - 10, 44, 30, "idle", name, size=13, dashed=True)


def _exchanges_of_b0(p: Picture) -> None:
    left, top = STACK_LEFT, 324.0
    p.line(24, top - 20, 776, top - 20, "faint")
    p.text(24, top + 6, "b0: head 2 → none", size=13, bold=True)
    p.text(24, top + 24, "compares the index", size=12, colour="note")
    p.box(left, top - 10, 82, 30, "wait", "head none", size=12)
    p.text(
        left + 108,
        top + 4,
        "It succeeds, because the head is 2 again. “None” was the next of a",
        size=12.5,
        colour="wait",
    )
    p.text(
        left + 108,
        top + 22,
        "free node: the stack looks empty now, and nodes 1 and 0 are lost.",
        size=12.5,
        colour="wait",
    )

    top = 388.0
    p.text(24, top + 6, "b0: (2, 7) → (none, 8)", size=13, bold=True)
    p.text(24, top + 24, "compares index and version", size=12, colour="note")
    p.box(left, top - 10, 82, 30, "second", "head 2, 9", size=12)
    p.text(left + 108, top + 4, "The cure. The pop and the push have each counted the version up:", size=12.5)
    p.text(left + 108, top + 22, "9 is not 7, so the exchange fails, and b0 looks again.", size=12.5)
    p.legend(24, 446, [("second", "the head"), ("work", "nodes of the stack"), ("idle", "free nodes")])


def linked_queue() -> str:
    p = Picture(
        402,
        "A push to the linked queue, and a thread that helps",
        "Three states of a linked queue. First: head points at the dummy, behind it are the elements a and b; tail "
        "points at b. Second: a compare-and-swap has linked a new node c behind b; the tail still points at b, it "
        "lags. Third: a compare-and-swap has moved the tail to c. Whoever finds the tail lagging does the second step "
        "himself: the thread that pushed c, or any other.",
    )
    p.text(24, 32, "A push is two changes, and anybody may make the second", size=15, bold=True)
    left, step, width = 240.0, 124.0, 84.0

    def state(top: float, title: str, words: str, names: str, tail: int, new: bool) -> None:
        p.text(24, top + 8, title, size=13, bold=True)
        p.text(24, top + 27, words, size=12, colour="note")
        for i, name in enumerate(names):
            x = left + i * step
            fresh = new and i + 1 == len(names)
            p.box(x, top - 8, width, 32, "idle" if i == 0 else "result" if fresh else "work", name, size=13)
            if i:
                p.arrow(x - step + width, top + 8, x, top + 8, "result" if fresh else "ink", thick=2 if fresh else 1.5)
        for name, i, up in (("head", 0, False), ("tail", tail, True)):
            x = left + i * step + width / 2
            lags = up and i + 1 < len(names)
            p.text(
                x,
                top - 36,
                name + (" lags" if lags else ""),
                size=12.5,
                anchor="middle",
                colour="wait" if lags else "ink",
            )
            p.arrow(x, top - 30, x, top - 9, "wait" if lags else "ink")

    names = ("-ab", "-abc", "-abc")
    state(104, "before", "tail points at the last node", names[0], 2, False)
    state(204, "CAS at b’s link", "c is in the queue", names[1], 2, True)
    state(304, "CAS at the tail", "by whoever notices", names[2], 3, False)
    p.legend(24, 374, [("idle", "the dummy: its value is spent"), ("work", "an element"), ("result", "the new one")])
    return p.svg()


def buckets() -> str:
    p = Picture(
        352,
        "Buckets of four slots, and where a key goes",
        "Four buckets of four slots; each slot is one 64-bit word with a key and a value, and a bucket is 32 bytes. "
        "The hash of key 23 names bucket 1, which is full: three living keys and an erased one. So the key goes to "
        "the first empty slot of bucket 2. A search for 23 walks the same way. A search for a key that is not there "
        "ends at the first empty slot.",
    )
    p.text(24, 32, "The hash names a bucket; the key goes to the first empty slot from there on", size=15, bold=True)
    p.text(
        24,
        52,
        "A slot is one 64-bit word, key and value. A bucket is a sector of 32 bytes: one access.",
        size=12,
        colour="note",
    )
    rows = (
        (("work", "8: a"), ("plain", ""), ("plain", ""), ("plain", "")),
        (("work", "5: b"), ("idle", "17: dead"), ("work", "31: c"), ("work", "40: d")),
        (("work", "12: e"), ("result", "23: f"), ("plain", ""), ("plain", "")),
        (("work", "9: g"), ("work", "2: h"), ("plain", ""), ("plain", "")),
    )
    left, width = 250.0, 92.0
    for row, slots in enumerate(rows):
        y = 80 + row * 52.0
        p.text(left - 14, y + 22, f"bucket {row}", size=12.5, anchor="end", colour="note")
        for i, (fill, label) in enumerate(slots):
            p.box(left + i * width, y, width - 4, 34, fill, label, size=12.5)
    p.box(24, 136, 112, 26, "second", "hash(23) = 1", size=12.5)
    p.arrow(136, 149, left - 76, 149, "second", thick=2)
    right = left + 4 * width
    p.text(right + 10, 153, "full: go on", size=12.5, colour="wait")
    p.arrow(right + 40, 160, right + 40, 190, "wait")
    p.text(right + 10, 205, "the first empty", size=12.5, colour="result")
    p.legend(
        24,
        324,
        [
            ("work", "a key and its value"),
            ("idle", "erased: the slot stays its key’s"),
            ("plain", "empty"),
            ("result", "taken by one CAS"),
        ],
    )
    return p.svg()


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


PICTURES = {
    "message": message,
    "aba": aba,
    "hot_word": hot_word,
    "ring": ring,
    "history": history,
    "linked_queue": linked_queue,
    "buckets": buckets,
}

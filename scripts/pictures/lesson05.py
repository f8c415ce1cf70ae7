# SPDX-License-Identifier: MIT
"""Lesson 05: groups inside groups, two ways to finish, and the ring of copies."""

from __future__ import annotations

from .svg import Picture

TILES = ("work", "second", "third", "fourth")  # of a warp's four tiles of eight


def groups() -> str:
    p = Picture(
        424,
        "Groups inside each other",
        "A grid of two clusters of four blocks. The first block is drawn with two warps of 32 threads. The first warp "
        "is divided into four tiles of eight. In the second warp every third thread is marked: those that took a "
        "branch, a coalesced group. Each frame says where its members meet: registers, shared memory, the shared "
        "memory of the cluster, global memory.",
    )
    cell, gap = 11.0, 1.0
    p.text(24, 32, "Who can be a group, and where its members meet", size=15, bold=True)

    p.box(24, 48, 752, 284, "plain")
    p.text(38, 70, "grid", size=13, bold=True)
    p.text(80, 70, "this_grid(): meets in global memory, through the L2 cache", size=12, colour="note")
    p.box(38, 82, 600, 236, "plain")
    p.text(52, 104, "cluster 0", size=13, bold=True)
    p.text(122, 104, "this_cluster(): meets in the shared memory of all its blocks", size=12, colour="note")
    p.box(52, 116, 452, 188, "plain")
    p.text(66, 138, "block 0", size=13, bold=True)
    p.text(126, 138, "this_thread_block(): meets in its shared memory", size=12, colour="note")

    def warp(top: float, name: str, fills: list[str]) -> None:
        p.box(62, top - 20, 432, 48, "plain")
        p.text(70, top - 5, name, size=12)
        for lane, fill in enumerate(fills):
            p.box(70 + lane * (cell + gap) + lane // 8 * 10, top + 4, cell, 16, fill, round_by=2)

    warp(172, "warp 0, tiled_partition<32>; in it four of tiled_partition<8>", [TILES[i // 8] for i in range(32)])
    warp(
        226,
        "warp 1; in it coalesced_threads() of those that took a branch",
        ["result" if i % 3 == 0 else "idle" for i in range(32)],
    )
    p.text(66, 280, "Tiles and coalesced groups are part of one warp. They meet in", size=12, colour="note")
    p.text(66, 296, "registers, by shuffles.", size=12, colour="note")
    for b in range(1, 4):
        p.box(518, 116 + (b - 1) * 66, 106, 56, "plain", f"block {b}")
    p.box(652, 82, 110, 236, "plain")
    p.text(664, 104, "cluster 1", size=13, bold=True)
    for b in range(4):
        p.box(664, 116 + b * 49, 86, 41, "plain", f"block {b + 4}")

    p.text(24, 358, "Outwards: more threads, a longer way to each other, a more expensive barrier.", size=12.5)
    p.text(
        24,
        378,
        "A barrier is possible only if all members are on the GPU at the same time. Inside of a block and a",
        size=12.5,
    )
    p.text(24, 396, "cluster the hardware sees to that. For the grid you must: with a cooperative launch.", size=12.5)
    return p.svg()


def finish() -> str:
    p = Picture(
        508,
        "Two ways to finish, as round trips to the L2 cache",
        "Above, the ticket. The last block writes its sum to the L2 cache and waits until it is there; takes a ticket "
        "and waits for the number; reads all sums and waits for them: three round trips, one after the other. Below, "
        "the word. The last block writes value and flag in one word and ends. Block 0, which asks again and again, "
        "gets the word in the answer to its next question: between one round trip and two.",
    )
    left, trip = 150.0, 150.0
    p.text(24, 32, "From the last block's sum to the result: round trips to the L2 cache", size=15, bold=True)
    p.text(
        24,
        52,
        "Time goes to the right. A round trip is there and back; nothing else in the picture takes as long.",
        size=12,
        colour="note",
    )

    # The ticket.
    p.text(24, 88, "last_block: a ticket, three round trips", size=14, bold=True)
    top, bottom = 122.0, 212.0
    _line(p, left, top, "last block")
    _line(p, left, bottom, "L2 cache")
    steps = (
        ("1  store the sum,", "fence: is it there?"),
        ("2  take a ticket:", "is it the last?"),
        ("3  read the sums", "of all blocks"),
    )
    for i, (first, second) in enumerate(steps):
        x = left + 12 + i * (trip + 22)
        p.box(x - 6, top - 8, 12, 16, "work")
        p.arrow(x + 6, top + 2, x + trip / 2, bottom - 3, "wait", thick=1.8)
        p.arrow(x + trip / 2, bottom - 3, x + trip, top + 3, "wait", thick=1.8)
        p.text(x + trip / 2, bottom + 20, first, size=12, anchor="middle")
        p.text(x + trip / 2, bottom + 36, second, size=12, anchor="middle")
    end = left + 12 + 3 * (trip + 22)
    p.box(end - 22, top - 8, 60, 16, "result", "add", size=11)
    p.text(end + 8, top - 14, "result", size=12, anchor="middle")

    _trips_of_a_word(p, left, trip)
    return p.svg()


def _line(p: Picture, left: float, y: float, name: str) -> None:
    p.text(left - 14, y + 4, name, size=13, anchor="end")
    p.line(left, y, 776, y, "faint")


def _trips_of_a_word(p: Picture, left: float, trip: float) -> None:
    p.text(24, 288, "collect: a word, between one round trip and two", size=14, bold=True)
    top, bottom, third = 322.0, 392.0, 462.0
    _line(p, left, top, "last block")
    _line(p, left, bottom, "L2 cache")
    _line(p, left, third, "block 0")
    x = left + 12
    there, asked = x + trip / 2, x + 35  # when the word is in the cache; when block 0 asks for the last time
    p.box(x - 6, top - 8, 12, 16, "work")
    p.arrow(x + 6, top + 2, there, bottom - 3, "wait", thick=1.8)
    p.text(there + 8, top + 30, "store value and flag in one word; then the block ends", size=12)
    p.arrow(left, third - 45, asked, third - 3, "faint", thick=1.2)
    p.arrow(asked, third - 3, asked + trip / 2, bottom + 3, "wait", thick=1.8)
    p.arrow(asked + trip / 2, bottom + 3, asked + trip, third - 3, "wait", thick=1.8)
    p.text(asked, third + 20, "not yet: asks again", size=12, anchor="middle")
    p.text(asked + trip + 10, bottom + 34, "the first question that comes after the store brings the sum", size=12)
    p.box(asked + trip, third - 8, 60, 16, "result", "add", size=11)
    p.text(asked + trip + 30, third + 24, "result", size=12, anchor="middle")


def ring() -> str:
    p = Picture(
        408,
        "The ring of four stages",
        "Rows are the four stages in shared memory, time goes to the right. Each stage is filled by the copy engine, "
        "then added up by the threads, then filled again. While one stage is added up the three others are on their "
        "way. Pieces 0 to 3 are waited for with parity 0, pieces 4 to 7 with parity 1, pieces 8 to 11 with parity 0.",
    )
    left, top, unit, height = 96.0, 96.0, 44.0, 36.0
    p.text(24, 32, "A ring of four stages: three in flight while one is added up", size=15, bold=True)
    p.text(
        24,
        52,
        "One block. Time goes to the right. The number is the piece of the block's share.",
        size=12,
        colour="note",
    )
    units = 15
    for stage in range(4):
        y = top + stage * (height + 12)
        p.text(left - 12, y + 23, f"stage {stage}", size=13, anchor="end")
        for turn in range(4):
            piece = 4 * turn + stage
            begin = 0 if turn == 0 else 4 * turn + stage
            arrive = 3 + 4 * turn + stage
            if begin < units:
                stop = min(arrive, units)
                p.box(
                    left + begin * unit,
                    y,
                    (stop - begin) * unit - 2,
                    height,
                    "work",
                    f"{piece} on its way" if stop - begin > 2 else "",
                )
            if arrive < units:
                p.box(left + arrive * unit, y, unit - 2, height, "second", f"add {piece}", size=11)
    bottom = top + 4 * (height + 12)
    for first, last, words in ((3, 7, "parity 0"), (7, 11, "parity 1"), (11, 15, "parity 0")):
        x1, x2 = left + first * unit + 2, left + last * unit - 4
        p.line(x1, bottom + 4, x2, bottom + 4, "ink")
        p.text((x1 + x2) / 2, bottom + 20, f"wait_parity: {words}", size=12, anchor="middle")
    p.text(
        24,
        bottom + 56,
        "At the end of each add: block.sync(). Only then may the stage be asked for again, or the engine would",
        size=12.5,
    )
    p.text(
        24,
        bottom + 74,
        "write over what a slower thread still reads. Each time a stage is full its barrier goes to the next phase.",
        size=12.5,
    )
    p.legend(24, bottom + 104, [("work", "the copy engine fills it"), ("second", "the threads add it up")])
    return p.svg()


def partitions() -> str:
    p = Picture(
        318,
        "Three ways to divide a warp",
        "The first sixteen lanes of a warp, three times. tiled_partition of 8: lanes 0 to 7 are one group, 8 to 15 "
        "another. labeled_partition by rank modulo 3: the lanes with the same remainder are a group, so that three "
        "groups lie among each other. binary_partition by rank modulo 8 equal 0: lanes 0 and 8 are one group, all "
        "others the second. Each lane is labelled with its rank in its own group.",
    )
    p.text(24, 32, "Which lanes are a group, and the rank of each in its own", size=15, bold=True)
    p.text(
        24,
        52,
        "The first 16 lanes of a warp; a colour is a group, the number a lane’s thread_rank() in it.",
        size=12,
        colour="note",
    )
    rows = (
        ("tiled_partition<8>(block)", "neighbours", [i // 8 for i in range(16)]),
        ("labeled_partition(warp, i % 3)", "the same label", [i % 3 for i in range(16)]),
        ("binary_partition(warp, i % 8 == 0)", "yes, and no", [0 if i % 8 == 0 else 1 for i in range(16)]),
    )
    for row, (name, note, group) in enumerate(rows):
        top = 76 + row * 72.0
        p.text(24, top + 14, name, size=12.5, bold=True, mono=True)
        p.text(24, top + 32, note, size=12, colour="note")
        ranks = [sum(g == group[i] for g in group[:i]) for i in range(16)]
        p.cells(300, top, 26, [TILES[g] for g in group], [str(rank) for rank in ranks], gap=3, height=30)
    p.text(
        24,
        300,
        "Every lane of the warp takes part in each of these partitions, whichever group it ends up in.",
        size=12.5,
    )
    return p.svg()


PICTURES = {"groups": groups, "finish": finish, "ring": ring, "partitions": partitions}

# SPDX-License-Identifier: MIT
"""Lesson 07: lanes that vote and match, counters in banks, blocks that tell each other. Warps of eight lanes here."""

from __future__ import annotations

from .svg import Picture

LANES = 8
CELL, GAP = 40.0, 8.0
LEFT = 190.0
KEYS = (2, 7, 2, 5, 7, 7, 2, 5)
FILL = {2: "work", 7: "second", 5: "third"}


def _row(p: Picture, y: float, name: str, note: str, fills: list[str], labels: list[str]) -> list[float]:
    p.text(24, y + 15, name, size=13, bold=True)
    p.text(24, y + 31, note, size=11, colour="note")
    return p.cells(LEFT, y, CELL, fills, labels, gap=GAP, height=28)


def ballot() -> str:
    keep = [i in (1, 4, 5, 7) for i in range(LANES)]
    values = (8, 3, 9, 6, 1, 4, 7, 2)
    p = Picture(
        306,
        "A vote gives every lane its place",
        "Eight lanes hold 8 3 9 6 1 4 7 2 and keep what is below 5: lanes 1, 4, 5 and 7. The ballot has these bits. "
        "Each counts the bits below its own, 0, 1, 2, 3, and that is its place in the output: 3 1 4 2.",
    )
    p.text(24, 32, "Compaction in a warp: a vote is a count", size=15, bold=True)
    fills = ["work" if k else "idle" for k in keep]
    top = _row(p, 52, "value", "keep what is below 5", fills, [str(v) for v in values])
    _row(p, 104, "ballot", "every lane has all bits", fills, ["1" if k else "0" for k in keep])
    ranks = [str(sum(keep[:i])) if keep[i] else "" for i in range(LANES)]
    middles = _row(p, 156, "bits below mine", "population count", fills, ranks)
    kept = [v for v, k in zip(values, keep, strict=True) if k]
    out = _row(p, 236, "output", "no gaps, in order", ["result"] * 4 + ["plain"] * 4, [str(v) for v in kept])
    place = 0
    for i, x in enumerate(middles):
        if keep[i]:
            p.arrow(x, 186, out[place], 234, "work")
            place += 1
    p.line(top[0] - 20, 92, top[-1] + 20, 92, "faint", dashed=True)
    p.legend(24, 292, [("work", "keeps its element"), ("idle", "does not: it votes all the same")])
    return p.svg()


def match() -> str:
    p = Picture(
        262,
        "Lanes with the same key find each other",
        "Eight lanes have the keys 2 7 2 5 7 7 2 5. Each gets the mask of the lanes with its key. The lowest lane of "
        "each mask adds the number of its bits: 3 for key 2, 3 for key 7, 2 for key 5. Three atomics instead of eight.",
    )
    p.text(24, 32, "A match: three atomics instead of eight", size=15, bold=True)
    fills = [FILL[key] for key in KEYS]
    _row(p, 52, "key", "of each lane", fills, [str(key) for key in KEYS])
    masks = ["".join("1" if KEYS[j] == key else "0" for j in range(LANES)) for key in KEYS]
    p.text(24, 119, "match", size=13, bold=True)
    p.text(24, 135, "lane 0 is the left bit", size=11, colour="note")
    for i, mask in enumerate(masks):
        p.box(LEFT + i * (CELL + GAP) - 3, 104, CELL + 6, 28, fills[i], mask, size=8.5, mono=True)
    leaders = [i for i in range(LANES) if KEYS.index(KEYS[i]) == i]
    labels = [f"+{KEYS.count(KEYS[i])}" if i in leaders else "" for i in range(LANES)]
    shown = [fills[i] if i in leaders else "idle" for i in range(LANES)]
    middles = _row(p, 156, "the leader adds", "the lowest lane of the mask", shown, labels)
    counters = [KEYS[i] for i in leaders]
    bins = p.cells(
        LEFT + 60, 216, 76, [FILL[c] for c in counters], [f"counts[{c}]" for c in counters], gap=30, height=26
    )
    p.text(24, 233, "counters", size=13, bold=True)
    for i, x in zip(leaders, bins, strict=True):
        p.arrow(middles[i], 186, x, 214, "work")
    return p.svg()


SAMPLES = (3, 11, 19, 3, 27, 11, 19, 27)


def banks() -> str:
    p = Picture(
        330,
        "One table, and a counter for each lane",
        "Eight banks, one for each column. The lanes have samples 3, 11, 19, 3, 27, 11, 19, 27. On the left one table: "
        "the counters of all these bins lie in bank 3, so it takes four passes. On the right each bin has a row with a "
        "counter for each lane: lane i always uses bank i, and one pass is enough.",
    )
    p.text(24, 32, "Whose counter lies in which bank?", size=15, bold=True)
    cell, gap = 36.0, 6.0
    panels = (
        (24.0, "one table", "bank 3 serves one word at a time: four passes"),
        (424.0, "a counter for each lane", "lane i uses bank i, whatever its sample is: one pass"),
    )
    for left, name, note in panels:
        p.text(left, 62, name, size=14, bold=True)
        p.text(left, 80, note, size=12, colour="note")
        labels = [str(sample) for sample in SAMPLES]
        middles = p.cells(left, 94, cell, ["work"] * LANES, labels, gap=gap, height=24)
        for row in range(4):
            y = 164 + row * 32
            if left < 100:
                fills = ["wait" if bank == 3 else "plain" for bank in range(LANES)]
                p.cells(left, y, cell, fills, [str(8 * row + bank) for bank in range(LANES)], gap=gap, height=24)
            else:
                hit = [sample == 8 * row + 3 for sample in SAMPLES]
                fills = ["result" if h else "plain" for h in hit]
                columns = p.cells(left, y, cell, fills, [str(8 * row + 3)] * LANES, gap=gap, height=24)
                for x, h in zip(columns, hit, strict=True):
                    if h:
                        p.line(x, 120, x, y, "result", thick=1.2)
        if left < 100:
            for x in middles:
                p.arrow(x, 120, middles[3], 162, "wait", thick=1.2)
    p.legend(24, 318, [("work", "a lane's sample"), ("wait", "a queue"), ("result", "served at once")])
    return p.svg()


def waves() -> str:
    p = Picture(
        344,
        "Waves: say the count, ask one round later",
        "Three blocks take tiles in turn. In each round a block says the count of its tile, and asks for the place of "
        "the tile of the round before: it adds up what all blocks said since. When it asks, all have answered.",
    )
    p.text(24, 32, "Who is where? Say a count, ask one round later", size=15, bold=True)
    p.text(
        24,
        52,
        "Three blocks, all running. Block 1 asks in round 2 for the place of its tile 4.",
        size=12,
        colour="note",
    )
    left, width, height = 120.0, 212.0, 62.0
    for r in range(3):
        p.text(left + r * width + 6, 82, f"round {r}", size=13, bold=True)
    for b in range(3):
        y = 94 + b * (height + 10)
        p.text(24, y + 36, f"block {b}", size=13)
        for r in range(3):
            tile = 3 * r + b
            x = left + r * width
            asked = r == 2 and b == 1
            p.box(x, y, width - 12, height, "plain")
            heard = tile in (1, 2, 3)
            p.box(
                x + 6, y + 6, width - 24, 22, "result" if heard else "work", f"say: tile {tile} keeps so many", size=11
            )
            if r > 0:
                p.box(
                    x + 6,
                    y + 34,
                    width - 24,
                    22,
                    "second" if asked else "idle",
                    f"move tile {tile - 3} to its place",
                    size=11,
                )
    p.arrow(left + 2 * width - 18, 94 + 17, left + 2 * width + 4, 94 + height + 10 + 44, "result")
    p.arrow(left + width - 18, 94 + 2 * (height + 10) + 17, left + 2 * width + 4, 94 + height + 10 + 48, "result")
    p.arrow(left + width - 18, 94 + height + 10 + 17, left + 2 * width + 4, 94 + height + 10 + 46, "result")
    p.legend(24, 330, [("result", "what block 1 adds up for tile 4"), ("second", "asks"), ("work", "said for later")])
    return p.svg()


PICTURES = {"ballot": ballot, "match": match, "banks": banks, "waves": waves}

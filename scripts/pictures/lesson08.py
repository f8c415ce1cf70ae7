# SPDX-License-Identifier: MIT
"""Lesson 08: a warp scans in five steps, a tile looks back, and a whole run of look-back."""

from __future__ import annotations

import json
from pathlib import Path

from .svg import Picture

FLIGHT = Path(__file__).resolve().parent / "look_back_run.json"  # written by scripts/record_flight.py


def warp_scan() -> str:
    p = Picture(
        300,
        "A warp scans in steps",
        "Eight lanes hold the number one each. In three steps with distances one, two and four each lane adds the "
        "value of the lane that far to its left. After the steps lane i holds i plus one. Lanes that have nobody so "
        "far to their left keep their value.",
    )
    p.text(24, 32, "Eight lanes, three steps: each adds what a lane to its left has", size=15, bold=True)
    values = [1] * 8
    left, cell = 150.0, 72.0
    for row, distance in enumerate((0, 1, 2, 4)):
        top = 56.0 + row * 52
        before = list(values)
        if distance:
            values = [v + (before[i - distance] if i >= distance else 0) for i, v in enumerate(before)]
        p.text(24, top + 20, f"distance {distance}" if distance else "values", size=12.5)
        for lane, value in enumerate(values):
            fill = "result" if distance and lane >= distance else "idle"
            p.box(left + lane * cell, top, cell - 10, 30, fill, str(value))
    p.text(24, 284, "A warp has 32 lanes and takes five steps.", size=12.5, colour="note")
    return p.svg()


def look_back() -> str:
    p = Picture(
        230,
        "Looking back",
        "Eight tiles in a row. Tiles 0 to 2 have told their prefix, tiles 3 to 6 only their sum. Tile 7 adds the sums "
        "of tiles 6, 5, 4 and 3 and the prefix of tile 2, and stops there.",
    )
    p.text(24, 32, "Tile 7 adds sums until it finds a prefix", size=15, bold=True)
    left, cell = 24.0, 94.0
    for tile in range(8):
        fill, told = ("result", "prefix") if tile < 3 else ("work", "sum") if tile < 7 else ("second", "asks")
        p.box(left + tile * cell, 60, cell - 10, 46, fill, f"tile {tile}")
        p.text(left + tile * cell + 10, 126, told, size=12.5)
    p.text(24, 164, "Read: 6, 5, 4, 3 (sums), 2 (a prefix: everything before is in it).", size=12.5)
    p.text(24, 190, "A warp reads 32 such words at once. Then tile 7 tells its own prefix.", size=12.5, colour="note")
    return p.svg()


def flight() -> str:
    events = [tuple(event) for event in json.loads(FLIGHT.read_text(encoding="utf-8"))["events"]]
    tiles = 1 + max(tile for tile, _, _, _ in events)
    told = {(tile, word): at for at, (tile, what, _, word) in enumerate(events) if what == "tells"}
    left, top, lane = 84.0, 62.0, 25.0
    step = (776.0 - left) / len(events)
    p = Picture(
        int(top + tiles * lane) + 84,
        "Look-back in flight",
        f"A run of {tiles} tiles on the emulator, from left to right. Each tile has a row. It is blue from when the "
        "tile has told its sum, and green from when it has told its prefix. A line goes from the tile that looks back "
        "to the tile whose word it finds.",
    )
    p.text(24, 32, f"A run of {tiles} tiles: what has been told, and who looks where", size=15, bold=True)
    end = left + len(events) * step

    def middle(tile: int) -> float:
        return top + tile * lane + lane / 2

    for tile in range(tiles):
        y = top + tile * lane
        p.text(24, y + lane / 2 + 4, f"tile {tile}", size=12)
        p.line(left, middle(tile), end, middle(tile), "faint", thick=0.5)
        prefix = left + told[(tile, "prefix")] * step
        if (tile, "sum") in told:
            start = left + told[(tile, "sum")] * step
            p.box(start, y + 5, prefix - start, lane - 10, "work", round_by=0)
        p.box(prefix, y + 5, end - prefix, lane - 10, "result", round_by=0)
    for at, (tile, what, other, _) in enumerate(events):
        x = left + (at + 0.5) * step
        if what == "finds":
            p.line(x, middle(tile), x, middle(other), "ink", thick=1.2)
            p.box(x - 2, middle(other) - 2, 4, 4, "plain", round_by=2)
        elif what == "waits":
            p.box(x - 2.5, middle(tile) - 4, 5, 8, "wait", round_by=0)
    y = top + tiles * lane + 26
    p.legend(24, y - 12, [("work", "sum told"), ("result", "prefix told"), ("wait", "waits for a word")], step=150)
    p.text(
        24,
        y + 34,
        "Time goes to the right, one event after the other. A line ends at the word that is found.",
        size=12.5,
        colour="note",
    )
    return p.svg()


PICTURES = {"warp_scan": warp_scan, "look_back": look_back, "flight": flight}

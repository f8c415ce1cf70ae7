# SPDX-License-Identifier: MIT
"""Lesson 08: a warp scans in five steps, and a tile looks back."""

from __future__ import annotations

from .svg import Picture


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


PICTURES = {"warp_scan": warp_scan, "look_back": look_back}

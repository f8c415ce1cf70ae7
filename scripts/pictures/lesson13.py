# SPDX-License-Identifier: MIT
"""Lesson 13: core, border and noise; cells of two sizes."""

from __future__ import annotations

import math

from .svg import Picture

# Points of the first picture, in units of eps; what each is follows from them.
POINTS = [(0.9, 1.3), (1.35, 0.85), (1.5, 1.55), (1.95, 1.2), (2.45, 1.6), (2.7, 1.05), (3.6, 1.35)] + [
    (4.9, 1.0),
    (5.3, 1.5),
    (5.6, 0.9),
    (6.0, 1.3),
    (7.6, 1.6),
]
NEEDED = 4


def near(a: tuple[float, float], b: tuple[float, float]) -> bool:
    return math.dist(a, b) <= 1


def kinds() -> list[str]:
    core = [sum(near(p, q) for q in POINTS) >= NEEDED for p in POINTS]
    found = []
    for p, is_core in zip(POINTS, core, strict=True):
        beside = any(near(p, q) and c for q, c in zip(POINTS, core, strict=True))
        found.append("core" if is_core else "border" if beside else "noise")
    return found


def three_kinds() -> str:
    p = Picture(
        300,
        "Core, border and noise",
        f"Twelve points. One with {NEEDED} points or more within eps, itself among them, is a core point; one that "
        "has fewer and is within eps of a core point is on the border; the others are noise.",
    )
    p.text(24, 32, f"At least {NEEDED} points within eps, itself among them: a core point", size=15, bold=True)
    scale, left, top = 92.0, 24.0, 50.0
    colours = {"core": "work", "border": "second", "noise": "idle"}
    for (x, y), kind in zip(POINTS, kinds(), strict=True):
        p.box(left + x * scale - 9, top + y * scale - 9, 18, 18, colours[kind])
    p.line(left + 0.9 * scale, 262, left + 1.9 * scale, 262, "ink", thick=1.5)
    p.text(left + 0.9 * scale, 282, "eps", size=12.5)
    for x, kind, words in (
        (260, "core", "core"),
        (360, "border", "border: near a core point"),
        (580, "noise", "noise"),
    ):
        p.box(x, 252, 16, 16, colours[kind])
        p.text(x + 24, 265, words, size=12.5)
    return p.svg()


def two_cells() -> str:
    p = Picture(
        330,
        "Cells of two sizes",
        "On the left cells with an edge of eps: what is near lies in the cell or in one of those around it. On the "
        "right cells with a diagonal of eps: all points of a cell are near each other, and what else is near is at "
        "most two cells away.",
    )
    p.text(24, 32, "An edge of eps: 27 cells in space", size=15, bold=True)
    p.text(420, 32, "A diagonal of eps: 125 cells in space", size=15, bold=True)
    for left, cells, edge in ((60.0, 3, 78.0), (440.0, 5, 47.0)):
        for row in range(cells):
            for column in range(cells):
                middle = row == cells // 2 and column == cells // 2
                p.box(left + column * edge, 60 + row * edge, edge - 3, edge - 3, "work" if middle else "idle")
    p.text(60, 318, "A point may be far from others of its own cell.", size=12.5)
    p.text(440, 318, "All points of a cell are near each other.", size=12.5)
    return p.svg()


PICTURES = {"three_kinds": three_kinds, "two_cells": two_cells}

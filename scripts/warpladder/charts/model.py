# SPDX-License-Identifier: MIT
"""The chart of the model: modelled against measured time, one dot per rung and size.

python -m warpladder.charts.model MODEL.json RUNGS.json draws it beside the first file.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from matplotlib import pyplot

from ..model.judge import Judgement, judge
from ..model.points import Point
from . import base

_MARKERS = {"01": "o", "02": "s", "03": "D", "04": "^", "05": "v", "pr": "P"}


def draw(points: list[Point], judgement: Judgement, measured: dict[str, Any], path: Path) -> None:
    with pyplot.rc_context(base.STYLE):
        _draw(points, judgement, measured, path)


def _draw(points: list[Point], judgement: Judgement, measured: dict[str, Any], path: Path) -> None:
    title = f"The emulator's modelled times beside the {measured['device'].removeprefix('NVIDIA ')}'s"
    sizes = [point.exponent for point in points]
    subtitle = (
        f"every rung of lessons 01 to 05, and other kernels (probe), n = 2^{min(sizes)} to 2^{max(sizes)} "
        f"{measured['type']}: "
        f"off by {100 * judgement.mean_error:.0f} % (geometric mean)"
    )
    footer = (
        f"across: measured, {measured['device']}, {measured['date']}, revision {measured['revision']}  ·  "
        "up: modelled by the emulator, not measured"
    )
    figure, axes = base.titled(6.2, title, subtitle, footer, left=0.85, right=0.3)
    low = 0.7 * min(min(p.measured, p.modelled) for p in points)
    high = 1.4 * max(max(p.measured, p.modelled) for p in points)
    ends = (low, high)
    axes.fill_between(ends, [e / 2 for e in ends], [e * 2 for e in ends], color=base.PALE, alpha=0.6, lw=0)
    axes.plot(ends, ends, color=base.GREY, lw=0.8)
    axes.text(high / 3, high / 2.4, "equal", color=base.GREY, ha="right", va="bottom")
    axes.text(high / 3, high / 6.6, "half", color=base.GREY, ha="left", va="top")
    for lesson in sorted({point.lesson for point in points}):
        own = [p for p in points if p.lesson == lesson and p.rung != "cub"]
        colour = base.LESSON_COLOURS.get(lesson[:2], base.INK)
        axes.scatter(
            [p.measured for p in own],
            [p.modelled for p in own],
            s=26,
            marker=_MARKERS.get(lesson[:2], "o"),
            color=colour,
            alpha=0.85,
            lw=0,
            label=lesson,
        )
    library = [p for p in points if p.rung == "cub"]
    axes.scatter(
        [p.measured for p in library],
        [p.modelled for p in library],
        s=24,
        marker="x",
        color=base.LIBRARY_COLOUR,
        lw=1.0,
        label="CUB",
    )
    base.beside_measured(axes, ends, "modelled, µs")
    base.save(figure, path)


def main(model: Path, measured: Path) -> None:
    points = [Point(**row) for row in json.loads(model.read_text(encoding="utf-8"))["points"]]
    draw(points, judge(points), json.loads(measured.read_text(encoding="utf-8")), model.with_suffix(""))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

# SPDX-License-Identifier: MIT
"""The charts of lessons whose rungs come in families: every rung of a family as a bar.

GB/s beside the roof; where most rungs stay far below it, times as fast as one CPU core.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import Transform

from ..core import numbers
from ..results import families, ladder
from ..results.ladder import Step
from ..results.saved import Document, Results
from .base import (
    BLUE,
    CPU_COLOUR,
    GREY,
    LETTERS,
    LIBRARY_COLOUR,
    ROOF_COLOUR,
    decimal_axis,
    named,
    save,
    source,
    titled,
)

_ROW = 0.262  # inches
# Of the roof. A family most of whose rungs stay below the first, and all below the second, is not held up by the
# memory's bandwidth.
_FAR, _NEAR = 0.05, 0.25


@dataclass(frozen=True)
class Scale:
    """What the bars show, and the numbers in a row beside them: (head, right edge in widths of the axes, text)."""

    label: str
    footer: str
    of: Callable[[Step], float]
    columns: tuple[tuple[str, float, Callable[[Step], str]], ...]


_TIME = ("time", 1.13, lambda step: numbers.time(step.us))
BANDWIDTH = Scale(
    "GB/s",
    "GB/s: every byte that must move, once.",
    lambda step: step.gbps,
    (
        _TIME,
        ("GB/s", 1.29, lambda step: numbers.significant(step.gbps)),
        ("of the roof", 1.51, lambda step: numbers.percent(step.share)),
    ),
)
SPEED_UP = Scale(
    "times as fast as one CPU core",
    "Far below the memory's roof: what counts here is the work, not the bytes.",
    lambda step: step.cpu_factor or 0.0,
    (_TIME, ("× one CPU core", 1.45, lambda step: numbers.factor(step.cpu_factor or 0.0))),
)


def scale_for(steps: list[Step]) -> Scale:
    """Bars of GB/s would all be invisible where nobody comes near the roof."""
    timed = [step for step in steps if step.timed and step.kind == ladder.RUNG]
    shares = [step.share for step in timed]
    far = bool(shares) and median(shares) < _FAR and max(shares) < _NEAR
    return SPEED_UP if far and all(step.cpu_factor for step in steps if step.timed) else BANDWIDTH


def draw_all(results: Results, folder: Path) -> list[str]:
    drawn = []
    for document in families.documents(results):
        for part in document["families"]:
            save(draw(results, {**document, **part}), folder / part["family"])
            drawn.append(part["family"])
    return drawn


def draw(results: Results, part: Document) -> Figure:
    steps = families.steps(results, part)
    scale = scale_for(steps)
    height = len(steps) * _ROW + 1.9
    where = f"{part['about']}, {families.described(part)}"
    title = named(f"{part['lesson'][:2]} {part['family']}", results)
    figure, axes = titled(height, title, source(results, [part]), f"{where}. {scale.footer}", 1.6, 2.6, 1.0)
    axes.set_ylim(len(steps) - 0.4, -0.8)
    if scale is BANDWIDTH:
        _up_to_the_roof(axes, results.roof_gbps)
    else:
        _in_powers_of_ten(axes, [scale.of(step) for step in steps if step.timed])
    for position, step in enumerate(steps):
        _bar(axes, position, step, scale)
    for head, x, _ in scale.columns:
        _head(axes, head, (x, -0.8), axes.get_yaxis_transform(), GREY)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x", which="major")
    decimal_axis(axes.xaxis)
    axes.set_xlabel(scale.label)
    return figure


def _head(axes: Axes, text: str, at: tuple[float, float], coordinates: Transform, colour: str) -> None:
    axes.annotate(
        text,
        at,
        (0, 3),
        xycoords=coordinates,
        textcoords="offset points",
        ha="right",
        va="bottom",
        fontsize=9,
        color=colour,
    )


def _up_to_the_roof(axes: Axes, roof: float) -> None:
    axes.set_xlim(0, roof * 1.05)
    axes.axvline(roof, color=ROOF_COLOUR, linewidth=1.4, zorder=3)
    _head(axes, f"roof {numbers.significant(roof)} GB/s", (roof, -0.8), axes.transData, LETTERS[ROOF_COLOUR])


def _in_powers_of_ten(axes: Axes, values: list[float]) -> None:
    """A logarithmic axis whose bars all begin at a power of ten below the slowest: even that one has a length."""
    axes.set_xscale("log")
    axes.set_xlim(10 ** math.floor(math.log10(min(values)) - 0.2), max(values) * 1.5)
    axes.axvline(1, color=CPU_COLOUR, linewidth=1.4, zorder=3)


def _bar(axes: Axes, position: int, step: Step, scale: Scale) -> None:
    colour = {ladder.CPU: CPU_COLOUR, ladder.LIBRARY: LIBRARY_COLOUR}.get(step.kind, BLUE)
    beside = axes.get_yaxis_transform()
    axes.text(-0.27, position, step.id, transform=beside, va="center", fontsize=9)
    if not step.timed:
        text = f"skipped: {step.skipped}" if step.skipped else "FAIL: wrong result"
        axes.text(0.01, position, text, transform=beside, va="center", fontsize=8.5, color=GREY, style="italic")
        return
    axes.barh(position, scale.of(step), height=0.72, color=colour)
    for _, x, text_of in scale.columns:
        axes.text(x, position, text_of(step), transform=beside, ha="right", va="center", fontsize=9)

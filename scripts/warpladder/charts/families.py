# SPDX-License-Identifier: MIT
"""The charts of lessons whose rungs come in families: every rung of a family as a bar, GB/s beside the roof."""

from __future__ import annotations

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

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
_COLUMNS = (("time", 1.13), ("GB/s", 1.29), ("of the roof", 1.51))  # right edges, in widths of the axes


def draw_all(results: Results, folder: Path) -> list[str]:
    drawn = []
    for document in families.documents(results):
        for part in document["families"]:
            save(draw(results, {**document, **part}), folder / part["family"])
            drawn.append(part["family"])
    return drawn


def draw(results: Results, part: Document) -> Figure:
    steps = families.steps(results, part)
    height = len(steps) * _ROW + 1.9
    where = f"{part['about']}, {families.described(part)}"
    title = named(f"{part['lesson'][:2]} {part['family']}", results)
    footer = f"{where}. GB/s: every byte that must move, once."
    figure, axes = titled(height, title, source(results), footer, 1.6, 2.6, 1.0)
    axes.set_xlim(0, results.roof_gbps * 1.05)
    axes.set_ylim(len(steps) - 0.4, -0.8)
    for position, step in enumerate(steps):
        _bar(axes, position, step)
    axes.axvline(results.roof_gbps, color=ROOF_COLOUR, linewidth=1.4, zorder=3)
    roof = f"roof {numbers.significant(results.roof_gbps)} GB/s"
    axes.annotate(
        roof,
        (results.roof_gbps, -0.8),
        (0, 3),
        textcoords="offset points",
        ha="right",
        va="bottom",
        fontsize=9,
        color=LETTERS[ROOF_COLOUR],
    )
    for head, x in _COLUMNS:
        axes.annotate(
            head,
            (x, -0.8),
            (0, 3),
            xycoords=axes.get_yaxis_transform(),
            textcoords="offset points",
            ha="right",
            va="bottom",
            fontsize=9,
            color=GREY,
        )
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x", which="major")
    decimal_axis(axes.xaxis)
    axes.set_xlabel("GB/s")
    return figure


def _bar(axes: Axes, position: int, step: Step) -> None:
    colour = {ladder.CPU: CPU_COLOUR, ladder.LIBRARY: LIBRARY_COLOUR}.get(step.kind, BLUE)
    beside = axes.get_yaxis_transform()
    axes.text(-0.27, position, step.id, transform=beside, va="center", fontsize=9)
    if not step.timed:
        text = f"skipped: {step.skipped}" if step.skipped else "FAIL: wrong result"
        axes.text(0.01, position, text, transform=beside, va="center", fontsize=8.5, color=GREY, style="italic")
        return
    axes.barh(position, step.gbps, height=0.72, color=colour)
    cells = (numbers.time(step.us), numbers.significant(step.gbps), numbers.percent(step.share))
    for (_, x), cell in zip(_COLUMNS, cells, strict=True):
        axes.text(x, position, cell, transform=beside, ha="right", va="center", fontsize=9)

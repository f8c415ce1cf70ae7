# SPDX-License-Identifier: MIT
"""Times against a size, both on log scales, a line for each rung: a straight line of slope one is twice for twice."""

from __future__ import annotations

from pathlib import Path

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter, NullLocator

from ..core import numbers
from ..results import growth
from ..results.growth import Chart, Line
from ..results.saved import Results
from .base import BLUE, GREEN, INK, ORANGE, PURPLE, SKY, VERMILION, WIDTH, Look, end_labels, label, named, save, source

_COLOURS = (INK, ORANGE, SKY, PURPLE, GREEN, VERMILION, BLUE, "#666666")
_MARKERS = ("x", "v", "^", "s", "D", "P", "o", "h")


def draw_all(results: Results, folder: Path) -> list[str]:
    drawn = []
    for chart in growth.charts(results):
        save(draw(results, chart), folder / chart.name)
        drawn.append(chart.name)
    return drawn


def draw(results: Results, chart: Chart) -> Figure:
    tables = growth.tables(results, chart)
    panels = {panel: growth.lines(tables[panel.table]) for panel in chart.panels if panel.table in tables}
    look = looks([line.id for every in panels.values() for line in every])
    height = 4.9
    figure, axes = pyplot.subplots(1, len(panels), figsize=(WIDTH, height), sharey=True, squeeze=False)
    figure.subplots_adjust(0.85 / WIDTH, 0.95 / height, 1 - 1.45 / WIDTH, 1 - 0.95 / height, wspace=0.08)
    footer = "Both axes are logarithmic. A line ends where a rung would take too long."
    label(figure, height, named(chart.title, results), source(results, growth.documents(results, chart)), footer)
    for panel, (what, lines) in zip(axes[0], panels.items(), strict=True):
        for line in lines:
            panel.plot(*zip(*line.points, strict=True), markersize=4, linewidth=1.5, **look[line.id])
        _sizes(panel, lines)
        panel.set_xlabel(what.axis)
    left = axes[0][0]
    left.set_yscale("log")
    decades = left.get_ylim()[1] / left.get_ylim()[0]
    left.yaxis.set_major_locator(LogLocator(subs=(1,) if decades > 100 else (1, 2, 5)))
    left.yaxis.set_major_formatter(FuncFormatter(lambda us, _: numbers.time(us).replace(".00", "").replace(".0", "")))
    left.yaxis.set_minor_formatter(NullFormatter())
    left.set_ylabel("time, log scale")
    _name_lines(axes[0], list(panels.values()), look)
    return figure


def looks(ids: list[str]) -> dict[str, Look]:
    """A colour and a marker for each rung, the same in all panels."""
    different = list(dict.fromkeys(ids))
    return {
        id_: {"color": _COLOURS[place % len(_COLOURS)], "marker": _MARKERS[place % len(_MARKERS)]}
        for place, id_ in enumerate(different)
    }


def _name_lines(axes: list[Axes], panels: list[list[Line]], look: dict[str, Look]) -> None:
    """Right of the last panel; a line that is not in it has a key in its own."""
    last = {line.id for line in panels[-1]}
    end_labels(axes[-1], [(*line.points[-1], line.id, look[line.id]["color"]) for line in panels[-1]])
    for panel, lines in zip(axes[:-1], panels[:-1], strict=True):
        shown = [line.id for line in lines if line.id not in last]
        if shown:
            keys = [Line2D([], [], linewidth=1.5, markersize=4, **look[id_]) for id_ in shown]
            panel.legend(keys, shown, loc="best", frameon=False, fontsize=8.5)


def _sizes(axes: Axes, lines: list[Line]) -> None:
    axes.set_xscale("log")
    places = sorted({x for line in lines for x, _ in line.points})
    shown = places if len(places) < 7 else [x for place, x in enumerate(places) if place % 2 == 1 or place == 0]
    axes.xaxis.set_major_locator(FixedLocator(shown))
    axes.xaxis.set_minor_locator(NullLocator())
    in_bytes = all(x >= 1024 and x % 1024 == 0 for x in places)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: _bytes(x) if in_bytes else _count(x)))
    axes.tick_params(axis="x", labelsize=8)
    axes.grid(which="major")


def _bytes(x: float) -> str:
    return f"{x / 1024:g} KiB" if x < 1 << 20 else f"{x / (1 << 20):g} MiB"


def _count(x: float) -> str:
    for factor, unit in ((1e6, " M"), (1e3, " k")):
        if x >= factor:
            return f"{x / factor:g}{unit}"
    return f"{x:g}"

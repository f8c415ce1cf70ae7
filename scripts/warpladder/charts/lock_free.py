# SPDX-License-Identifier: MIT
"""The charts of lesson 06: operations per second against the number of threads that use one structure, a chart for each
family of structures with a panel for each mix of operations; and all mixes at the most threads."""

from __future__ import annotations

from pathlib import Path

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter, NullLocator
from matplotlib.transforms import Transform

from ..core import numbers
from ..results import lock_free
from ..results.lock_free import Curve
from ..results.saved import Results
from .base import (
    BLUE,
    CPU_COLOUR,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    WIDTH,
    Look,
    end_labels,
    label,
    named,
    save,
    source,
)

_FREE = (BLUE, GREEN, PURPLE, SKY)  # lock-free structures, simplest first
_LOCKED = (VERMILION, ORANGE, INK)  # their twins with a lock
_MARKERS = {False: ("o", "s", "D", "h"), True: ("v", "^", "P")}
_MODELLED = "Not modelled: attempts that fail."  # timing/model.hpp


def draw_all(results: Results, folder: Path) -> list[str]:
    drawn = []
    for family in lock_free.families(results):
        save(draw_family(results, family), folder / family)
        drawn.append(family)
    if drawn:
        save(draw_mixes(results), folder / "mixes")
        drawn.append("mixes")
    return drawn


def looks(ids: list[str]) -> dict[str, Look]:
    """Colour, marker and line of each structure: dashed with a lock, dotted for the baseline."""
    found: dict[str, Look] = {}
    count = {False: 0, True: 0}
    for id_ in ids:
        if id_ == lock_free.BASELINE:
            found[id_] = {"color": CPU_COLOUR, "marker": "x", "linestyle": ":"}
            continue
        locked = Curve(id_).locked
        colours = _LOCKED if locked else _FREE
        place = count[locked] % len(colours)
        colour = colours[place]
        found[id_] = {"color": colour, "marker": _MARKERS[locked][place], "linestyle": "--" if locked else "-"}
        count[locked] += 1
    return found


def draw_family(results: Results, family: str) -> Figure:
    mixes = {mix: lock_free.curves(results, family, mix) for mix in lock_free.FAMILIES[family]}
    mixes = {mix: lines for mix, lines in mixes.items() if lines}
    ids = list(dict.fromkeys(line.id for lines in mixes.values() for line in lines))
    height = 4.6
    figure, panels = pyplot.subplots(1, len(mixes), figsize=(WIDTH, height), sharey=True, squeeze=False)
    figure.subplots_adjust(0.75 / WIDTH, 0.95 / height, 1 - 1.75 / WIDTH, 1 - 1.15 / height, wspace=0.1)
    title = named(f"One {family}, more and more threads", results)
    footer = "Dashed: the same structure behind a lock. Dotted: one atomic counter, which keeps nothing. " + (
        _MODELLED if results.modelled else "A line ends where one operation per thread takes too long."
    )
    label(figure, height, title, source(results, lock_free.documents(results)), footer)
    look = looks(ids)
    for axes, (mix, lines) in zip(panels[0], mixes.items(), strict=True):
        for line in lines:
            threads, rates = zip(*line.points, strict=True)
            axes.plot(threads, rates, markersize=4, linewidth=1.5, **look[line.id])
        axes.set_title(lock_free.FAMILIES[family][mix], fontsize=9.5, loc="left", color=INK)
        _thread_axis(axes, [t for line in lines for t, _ in line.points])
    left = panels[0][0]
    left.set_yscale("log")
    left.yaxis.set_major_locator(LogLocator(subs=(1,)))
    left.yaxis.set_major_formatter(FuncFormatter(lambda value, _: rate(value)))
    left.yaxis.set_minor_formatter(NullFormatter())
    left.set_ylabel("operations per second, log scale")
    panels[0][len(mixes) // 2].set_xlabel("threads that use it, log scale")
    last = list(mixes.values())[-1]
    end_labels(panels[0][-1], [(*line.points[-1], line.id, look[line.id]["color"]) for line in last])
    return figure


def rate(millions: float) -> str:
    """Operations per second: 0.01 -> 10 k, 2 -> 2 M, 1500 -> 1.5 G."""
    for factor, unit in ((1e-3, "G"), (1.0, "M"), (1e3, "k")):
        if millions * factor >= 0.9995:
            return f"{float(numbers.significant(millions * factor)):g} {unit}"
    return f"{millions * 1e6:g}"


def _thread_axis(axes: Axes, threads: list[int]) -> None:
    axes.set_xscale("log", base=2)
    places = sorted(set(threads))
    shown = [place for i, place in enumerate(places) if i == len(places) - 1 or places[i + 1] / place > 6 or i == 0]
    axes.xaxis.set_major_locator(FixedLocator(shown))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda n, _: thread_count(round(n))))
    axes.tick_params(axis="x", labelsize=8)
    axes.grid(which="major")


def thread_count(n: int) -> str:
    return str(n) if n < 1000 else f"{round(n / 1e3)} k"


def draw_mixes(results: Results) -> Figure:
    """Every structure in every mix, at the most threads it was run with."""
    rows: list[tuple[str, str]] = []  # family, structure; a heading has no structure
    best: dict[tuple[str, str], list[tuple[str, float, int]]] = {}
    for family in lock_free.families(results):
        rows.append((family, ""))
        for mix in lock_free.FAMILIES[family]:
            for line in lock_free.curves(results, family, mix):
                if (family, line.id) not in best:
                    rows.append((family, line.id))
                threads, value = line.points[-1]
                best.setdefault((family, line.id), []).append((mix, value, threads))
    height = len(rows) * 0.262 + 2.1
    figure, axes = pyplot.subplots(figsize=(WIDTH, height))
    figure.subplots_adjust(1.95 / WIDTH, 0.95 / height, 1 - 1.1 / WIDTH, 1 - 1.05 / height)
    title = named("The mix of operations, at the most threads", results)
    most = "all that the GPU holds, or the most that did not take too long."
    footer = f"Threads: at the right. {_MODELLED}" if results.modelled else f"Threads: at the right, {most}"
    label(figure, height, title, source(results, lock_free.documents(results)), footer)
    beside = axes.get_yaxis_transform()
    for position, (family, id_) in enumerate(rows):
        if not id_:
            # The key of a family is a row of its own; a band tells it from data.
            axes.axhspan(position - 0.45, position + 0.45, color="#EFEFEF", zorder=1.5)
            names = list(lock_free.FAMILIES[family].values())
            axes.text(-0.29, position + 0.06, family, transform=beside, va="center", fontweight="bold", fontsize=9)
            for place, name in enumerate(names):
                _dot(axes, place, 0.02 + 0.32 * place, position, transform=beside)
                axes.text(0.04 + 0.32 * place, position, name, transform=beside, va="center", fontsize=8.5, color=GREY)
            continue
        axes.text(-0.27, position, id_, transform=beside, va="center", fontsize=9)
        found = best[family, id_]
        values = [value for _, value, _ in found]
        axes.plot([min(values), max(values)], [position, position], color="#BBBBBB", linewidth=1.2, zorder=1)
        order = list(lock_free.FAMILIES[family])
        for mix, value, _ in found:
            _dot(axes, order.index(mix), value, position)
        counts = sorted({n for _, _, n in found})
        text = " to ".join(thread_count(n) for n in dict.fromkeys((counts[0], counts[-1])))
        axes.text(1.02, position, text, transform=beside, va="center", fontsize=8.5, color=GREY)
    axes.set_xscale("log")
    axes.set_ylim(len(rows) - 0.4, -0.8)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x", which="major")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: rate(value)))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.annotate("threads", (1.02, -0.8), (0, 3), xycoords=beside, textcoords="offset points", fontsize=9, color=GREY)
    axes.set_xlabel("operations per second, log scale")
    return figure


def _dot(axes: Axes, place: int, x: float, y: float, transform: Transform | None = None) -> None:
    colour, marker = ((BLUE, "o"), (VERMILION, "D"), (GREEN, "s"))[place % 3]
    axes.plot(
        [x],
        [y],
        color=colour,
        marker=marker,
        markersize=5,
        linestyle="none",
        zorder=3,
        transform=transform or axes.transData,
    )

# SPDX-License-Identifier: MIT
"""Draws the charts of results files with matplotlib, as SVG and PNG.

python -m warpladder.charts FOLDER [--compare] FILE...
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from pathlib import Path

import matplotlib
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from ..core import numbers
from ..results import ladder, saved
from ..results.ladder import Series, Step
from ..results.saved import Results
from . import compare as compare_chart
from . import families, growth, lock_free
from .base import (
    CPU_COLOUR,
    GREY,
    INK,
    LESSON_COLOURS,
    LETTERS,
    LIBRARY_COLOUR,
    ROOF_COLOUR,
    STYLE,
    WIDTH,
    End,
    Look,
    decimal_axis,
    end_labels,
    label,
    named,
    power_axis,
    save,
    source,
    titled,
)


def draw_all(results: Results, folder: Path) -> list[str]:
    """Every chart these results have data for."""
    drawn = []
    types, type_ = ladder.types(results), ladder.best_type(results)
    with matplotlib.rc_context(STYLE):
        drawn += lock_free.draw_all(results, folder)
        drawn += families.draw_all(results, folder)
        drawn += growth.draw_all(results, folder)
        if type_ is None:
            return drawn
        save(draw_ladder(results, type_), folder / "ladder")
        drawn.append("ladder")
        if any(len(series.points) > 1 for series in ladder.over_n(results, type_)):
            save(draw_time(results, type_), folder / "time")
            drawn.append("time")
        if any((pair := ladder.duel(results, t)) and len(pair[0].points) > 1 for t in types):
            save(draw_share(results, types), folder / "share")
            drawn.append("share")
    return drawn


# ---- the ladder

_ROW = 0.262  # inches


def draw_ladder(results: Results, type_: str) -> Figure:
    """Every rung as two bars, and its figures in columns beside them: GB/s on a log scale, on which the slow ones can
    be told apart, and the share of the roof on a plain one, on which the fast ones can."""
    steps = ladder.ladder(results, type_)
    lines = _ladder_lines(steps)
    height = len(lines) * _ROW + 1.9
    figure, axes = titled(
        height,
        _ladder_title(steps, results),
        source(results, ladder.documents(results, type_), type_),
        _footer(results),
        1.95,
        2.45,
        1.0,
    )
    shares = _beside(figure, axes)
    timed = [step.gbps for step in steps if step.timed]
    axes.set_xscale("log")
    axes.set_xlim(10.0 ** min(0, math.floor(math.log10(min(timed)))), max([results.roof_gbps, *timed]) * 1.15)
    shares.set_xlim(0, max([1.0, *(step.share for step in steps if step.timed)]) * 1.02)
    axes.set_ylim(len(lines) - 0.4, -0.8)
    beside = axes.get_yaxis_transform()
    for position, line in enumerate(lines):
        if isinstance(line, Step):
            _ladder_bar(axes, shares, position, line)
        else:
            axes.text(_NAMES, position + 0.06, line, transform=beside, va="center", fontweight="bold", fontsize=9)
    axes.axvline(results.roof_gbps, color=ROOF_COLOUR, linewidth=1.4, zorder=3)
    shares.axvline(1.0, color=ROOF_COLOUR, linewidth=1.4, zorder=3)
    roof = f"roof {numbers.significant(results.roof_gbps)} GB/s"
    above: Look = {"textcoords": "offset points", "ha": "right", "va": "bottom", "fontsize": 9}
    axes.annotate(roof, (results.roof_gbps, -0.8), (0, 3), color=LETTERS[ROOF_COLOUR], **above)
    for x, head in zip(_COLUMNS, ("GB/s", "of the roof", "× previous"), strict=True):
        shares.annotate(head, (x, -0.8), (0, 3), xycoords=shares.get_yaxis_transform(), color=GREY, **above)
    axes.set_yticks([])
    for panel in (axes, shares):
        panel.spines["left"].set_visible(False)
        panel.tick_params(axis="y", length=0)
        panel.grid(axis="x", which="major")
    decimal_axis(axes.xaxis)
    axes.set_xlabel("GB/s of input, log scale")
    shares.xaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:g} %"))
    shares.set_xlabel("share of the roof")
    return figure


def _beside(figure: Figure, axes: Axes) -> Axes:
    """Cuts the axes in two, and returns the second."""
    box = axes.get_position()
    first, gap = 2.5 / WIDTH, 0.15 / WIDTH
    axes.set_position((box.x0, box.y0, first, box.height))
    return figure.add_axes((box.x0 + first + gap, box.y0, box.width - first - gap, box.height), sharey=axes)


def _ladder_title(steps: list[Step], results: Results) -> str:
    rungs = [step for step in steps if step.kind == ladder.RUNG and step.timed and "(" not in step.id]
    if len(rungs) < 2 or results.modelled:
        return named("The ladder", results)
    times = numbers.factor(rungs[0].us / rungs[-1].us)
    return f"The ladder: {times} from {rungs[0].id} to {rungs[-1].id}"


_NAMES, _INDENT = -0.70, -0.645  # where headings and the ids of rungs begin, in widths of the first axes
_COLUMNS = (1.30, 1.73, 2.20)  # right edges, in widths of the second


def _ladder_lines(steps: list[Step]) -> list[Step | str]:
    """The steps, with a heading before each lesson."""
    lines: list[Step | str] = []
    group = ""
    for step in steps:
        heading = {ladder.CPU: "CPU", ladder.LIBRARY: "library"}.get(step.kind, step.lesson.replace("_", " "))
        if heading != group:
            lines.append(heading)
            group = heading
        lines.append(step)
    return lines


def _ladder_bar(axes: Axes, shares: Axes, position: int, step: Step) -> None:
    colour = {ladder.CPU: CPU_COLOUR, ladder.LIBRARY: LIBRARY_COLOUR}.get(
        step.kind, LESSON_COLOURS.get(step.lesson[:2], INK)
    )
    beside = axes.get_yaxis_transform()
    axes.text(_INDENT, position, step.id, transform=beside, va="center", fontsize=9)
    if not step.timed:
        text = f"skipped: {step.skipped}" if step.skipped else "FAIL: wrong sum"
        axes.text(0.01, position, text, transform=beside, va="center", fontsize=8.5, color=GREY, style="italic")
        return
    left = axes.get_xlim()[0]
    axes.barh(position, step.gbps - left, left=left, height=0.72, color=colour)
    shares.barh(position, step.share, height=0.72, color=colour)
    factor = numbers.factor(step.factor) if step.factor else ""
    cells = (numbers.significant(step.gbps), numbers.percent(step.share), factor)
    for x, cell in zip(_COLUMNS, cells, strict=True):
        shares.text(x, position, cell, transform=shares.get_yaxis_transform(), ha="right", va="center", fontsize=9)


def _footer(results: Results) -> str:
    text = "The roof is the fastest read or copy of this device's memory. × previous: as fast as the rung before."
    return text + (" CPU rows are measured." if results.modelled else "")


# ---- over n


def draw_time(results: Results, type_: str) -> Figure:
    series = [s for s in ladder.over_n(results, type_) if s.points]
    height = 5.6
    subtitle = source(results, ladder.swept(results, type_), type_, sizes=False)
    figure, axes = titled(height, named("Time against n", results), subtitle, _time_footer(results), 0.85, 1.75)
    sizes = sorted({point.n for one in series for point in one.points})
    axes.set_yscale("log")
    power_axis(axes, sizes)
    ends: list[End] = []
    for one in series:
        colour, marker = series_look(one, series)
        axes.plot(
            [p.n for p in one.points],
            [p.us for p in one.points],
            marker=marker,
            color=colour,
            markersize=4,
            linewidth=1.6,
            linestyle="--" if one.kind == ladder.LIBRARY else "-",
            zorder=2.1 if one.kind == ladder.LIBRARY else 2.2,
        )
        ends.append((one.points[-1].n, one.points[-1].us, "CUB" if one.id == "cub" else one.id, colour))
    roof = [4 * n / results.roof_gbps / 1e3 for n in sizes]
    low = min(p.us for one in series for p in one.points)
    axes.plot(sizes, roof, color=ROOF_COLOUR, linewidth=1.4, linestyle=":", zorder=2.3)
    axes.set_ylim(bottom=low / 2.5)
    if axes.get_ylim()[1] / axes.get_ylim()[0] < 100:
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_minor_locator(NullLocator())
    ends.append((sizes[-1], roof[-1], "roof: bytes / roof", ROOF_COLOUR))
    axes.grid(which="major")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda us, _: numbers.time(us).replace(".00", "").replace(".0", "")))
    axes.set_ylabel("time, log scale")
    end_labels(axes, [end for end in ends if end[1] >= low / 2.5])
    return figure


def _time_footer(results: Results) -> str:
    roof = numbers.significant(results.roof_gbps)
    return f"Dotted: the time it takes to read n elements at the roof of this device, {roof} GB/s."


def series_look(one: Series, every: Sequence[Series]) -> tuple[str, str]:
    """Colour by lesson; the very first rung is told from the last one of its lesson by its marker."""
    if one.kind == ladder.LIBRARY:
        return LIBRARY_COLOUR, "s"
    first = one is every[0]
    return LESSON_COLOURS.get(one.lesson[:2], INK), "v" if first else "o"


def draw_share(results: Results, types: Sequence[str]) -> Figure:
    """The roofline rung beside the library: as a share of the roof, and how many times as fast."""
    pairs = {t: pair for t in types if (pair := ladder.duel(results, t)) and len(pair[0].points) > 1}
    rungs = sorted({pair[0].id for pair in pairs.values()})
    title = named(f"How close to the roof: {' and '.join(rungs)} beside CUB", results)
    roof = numbers.significant(results.roof_gbps)
    footer = f"100 % is the roof of this device, {roof} GB/s: its fastest read or copy of memory."
    footer += f" Upper panel: {next(iter(pairs))}." if len(pairs) > 1 else ""
    height = 6.6
    figure, (upper, lower) = pyplot.subplots(
        2, 1, figsize=(WIDTH, height), sharex=True, gridspec_kw={"height_ratios": (2.1, 1)}
    )
    figure.subplots_adjust(0.85 / WIDTH, 0.85 / height, 1 - 1.75 / WIDTH, 1 - 0.85 / height, hspace=0.12)
    label(figure, height, title, source(results, [d for t in pairs for d in ladder.swept(results, t)]), footer)
    power_axis(lower, sorted({p.n for pair in pairs.values() for p in pair[0].points}))
    _draw_shares(upper, results, pairs)
    _draw_ratios(lower, pairs)
    return figure


def _draw_shares(axes: Axes, results: Results, pairs: dict[str, tuple[Series, Series]]) -> None:
    ends: list[End] = []
    most = 1.0
    for type_, pair in list(pairs.items())[:1]:  # the lines of other types would lie on these
        for one in pair:
            shares = [p.gbps / results.roof_gbps for p in one.points]
            most = max(most, *shares)
            look = duel_look(one, type_)
            axes.plot([p.n for p in one.points], [100 * share for share in shares], **look)
            name = "CUB" if one.id == "cub" else one.id
            ends.append((one.points[-1].n, 100 * shares[-1], f"{name} {type_}", look["color"]))
    axes.axhline(100, color=ROOF_COLOUR, linewidth=1.4, linestyle=":")
    ends.append((axes.get_xlim()[1], 100, "roof", ROOF_COLOUR))
    axes.set_ylim(0, 100 * most * 1.06)
    axes.set_xlabel("")
    axes.tick_params(axis="x", length=0)
    axes.grid(which="major")
    decimal_axis(axes.yaxis, "{:g} %")
    axes.set_ylabel("share of the roof")
    end_labels(axes, ends)


def _draw_ratios(axes: Axes, pairs: dict[str, tuple[Series, Series]]) -> None:
    ends: list[End] = []
    ratios = [1.0]
    for type_, (rung, library) in pairs.items():
        times = [b.us / a.us for a, b in zip(rung.points, library.points, strict=True)]
        ratios += times
        look = duel_look(rung, type_)
        axes.plot([p.n for p in rung.points], times, **look)
        ends.append((rung.points[-1].n, times[-1], f"{rung.id} {type_}", look["color"]))
    axes.axhline(1, color=LIBRARY_COLOUR, linewidth=1.4)
    ends.append((axes.get_xlim()[1], 1.0, "CUB", LIBRARY_COLOUR))
    margin = 0.1 * (max(ratios) - min(ratios)) + 0.02
    axes.set_ylim(min(ratios) - margin, max(ratios) + margin)
    axes.grid(which="major")
    decimal_axis(axes.yaxis, "{:g}×")
    axes.set_ylabel("times as fast as CUB")
    end_labels(axes, ends)


def duel_look(one: Series, type_: str) -> Look:
    """Colour and shape: rung or library. Solid and filled: f32; dashed and hollow: i32."""
    mine = one.kind == ladder.RUNG
    colour = LESSON_COLOURS.get(one.lesson[:2], INK) if mine else LIBRARY_COLOUR
    floating = type_ == "f32"
    return {
        "color": colour,
        "marker": "o" if mine else "s",
        "markersize": 4,
        "markerfacecolor": colour if floating else "white",
        "linewidth": 1.6,
        "linestyle": "-" if floating else "--",
    }


def main(words: Sequence[str]) -> int:
    compare = "--compare" in words
    folder, *files = [Path(word) for word in words if word != "--compare"]
    loaded = [saved.load(file) for file in files]
    if compare:
        with matplotlib.rc_context(STYLE):
            save(compare_chart.draw(loaded), folder / "compare")
        return 0
    for results in loaded:
        if not draw_all(results, folder):
            print(f"error: {results.path} holds nothing to draw")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

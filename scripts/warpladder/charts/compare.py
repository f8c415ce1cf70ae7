# SPDX-License-Identifier: MIT
"""Any number of results on one chart: each rung in GB/s and as a share of each device's own roof, and the sweep."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ..core import numbers
from ..results import ladder
from ..results.ladder import Step
from ..results.saved import Results
from . import base

_COLOURS = (
    base.BLUE,
    base.ORANGE,
    base.GREEN,
    base.PURPLE,
    base.SKY,
    base.VERMILLION,
    base.INK,
)
Key = tuple[str, str, str]  # lesson ("~" for the library: behind all lessons), kind, id
_MARKERS = "osD^vP*Xph"
_ROW = 0.235  # inches


def draw(results: Sequence[Results]) -> Figure:
    type_ = next((t for t in ("f32", "i32") if all(t in ladder.types(one) for one in results)), "f32")
    ladders = [{(s.lesson, s.kind, s.id): s for s in _rungs(one, type_)} for one in results]
    rows = _rows(ladders)
    swept = [one for one in results if (pair := ladder.duel(one, type_)) and len(pair[0].points) > 1]
    legend = 0.24 * len(results)
    top, middle = 1.35 + legend, len(rows) * _ROW
    below = 3.6 if swept else 0.0
    height = top + middle + below + 0.95
    figure = pyplot.figure(figsize=(base.WIDTH, height))
    names = unique_names(results)
    title = f"{len(results)} results side by side"
    base.label(
        figure, height, title, f"sum of {type_}, higher is better; each device against its own roof", _footer(results)
    )
    _legend(figure, height, results, names, type_)

    def box(x: float, y: float, width: float, tall: float) -> Axes:
        return figure.add_axes((x / base.WIDTH, 1 - (y + tall) / height, width / base.WIDTH, tall / height))

    left, right = box(1.75, top, 3.6, middle), box(5.55, top, 3.2, middle)
    _dots(left, rows, ladders, lambda step: step.gbps)
    _dots(right, rows, ladders, lambda step: 100 * step.share)
    _finish_rows(left, right, rows)
    if swept:
        _sweep(box(0.85, top + middle + 0.85, 6.4, below - 0.85), results, names, type_)
    return figure


def look(index: int) -> tuple[str, str]:
    """Colour and marker of the i-th file; the pair repeats after seventy."""
    return _COLOURS[index % len(_COLOURS)], _MARKERS[index % len(_MARKERS)]


def unique_names(results: Sequence[Results]) -> list[str]:
    """The devices; where two files have the same, also what tells them apart: revision, date, folder, else a number."""
    names = [one.device for one in results]
    tells = (
        lambda i: results[i].data["revision"],
        lambda i: results[i].data["date"][:10],
        lambda i: results[i].path.parent.name,
        lambda i: f"no. {i + 1}",
    )
    for name in {name for name in names if names.count(name) > 1}:
        same = [i for i, other in enumerate(names) if other == name]
        tell = next(t for t in tells if len({t(i) for i in same}) == len(same))
        for i in same:
            names[i] = f"{name}, {tell(i)}"
    return names


def _rungs(results: Results, type_: str) -> list[Step]:
    """CPU rows differ from machine to machine and are left out."""
    return [step for step in ladder.ladder(results, type_) if step.kind != ladder.CPU and step.timed]


def _rows(ladders: Sequence[dict[Key, Step]]) -> list[Key]:
    """Every rung that one of them has, in the order of the lessons; the library at the end."""
    keys: list[Key] = []
    for found in ladders:
        after = -1
        for key in found:
            key = ("~", *key[1:]) if key[1] == ladder.LIBRARY else key
            if key in keys:
                after = keys.index(key)
            else:
                after += 1
                keys.insert(after, key)
    return sorted(keys, key=lambda key: key[0])


def _dots(axes: Axes, rows: list[Key], ladders: Sequence[dict[Key, Step]], value: Callable[[Step], float]) -> None:
    for index, found in enumerate(ladders):
        colour, marker = look(index)
        values = {("~", *key[1:]) if key[1] == ladder.LIBRARY else key: value(step) for key, step in found.items()}
        # A rung that is missing interrupts the line, and the library is no rung.
        rungs = [values.get(key, math.nan) if key[1] == ladder.RUNG else math.nan for key in rows]
        library = [values.get(key, math.nan) if key[1] != ladder.RUNG else math.nan for key in rows]
        for line in (rungs, library):
            axes.plot(line, range(len(rows)), marker=marker, color=colour, markersize=5, linewidth=0.8, alpha=0.9)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.grid(which="major")


def _finish_rows(left: Axes, right: Axes, rows: list[Key]) -> None:
    names = ["CUB" if id_ == "cub" else id_ for _, _, id_ in rows]
    left.set_yticks(range(len(rows)), names, fontsize=9, color=base.INK)
    right.set_yticks(range(len(rows)), [""] * len(rows))
    for axes in (left, right):
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        for position in range(1, len(rows)):
            if rows[position][0] != rows[position - 1][0]:
                axes.axhline(position - 0.5, color=base.GREY, linewidth=0.6)
    left.set_xscale("log")
    right.set_xlim(0, max(103, right.get_xlim()[1]))
    base.decimal_axis(left.xaxis)
    base.decimal_axis(right.xaxis, "{:g} %")
    left.set_title("GB/s, log scale", fontsize=9.5, color=base.GREY, loc="left")
    right.set_title("share of its own roof", fontsize=9.5, color=base.GREY, loc="left")


def _legend(figure: Figure, height: float, results: Sequence[Results], names: list[str], type_: str) -> None:
    for index, (one, name) in enumerate(zip(results, names, strict=True)):
        colour, marker = look(index)
        y = 1 - (0.95 + 0.24 * index) / height
        figure.add_artist(Line2D([0.3 / base.WIDTH], [y + 0.035 / height], marker=marker, color=colour, markersize=7))
        found = ladder.documents(one, type_)
        sizes = ", ".join(base.power(n) for n in sorted({d["n"] for d in found})) or "-"
        kind = "modelled" if one.modelled else "measured"
        facts = f"n = {sizes}  ·  roof {numbers.significant(one.roof_gbps)} GB/s  ·  {kind} {one.data['date'][:10]}"
        if one.data["revision"] not in name:
            facts += f"  ·  revision {one.data['revision']}"
        figure.text(0.45 / base.WIDTH, y, f"{name}  ·  {facts}", fontsize=9)


def _sweep(axes: Axes, results: Sequence[Results], names: list[str], type_: str) -> None:
    ends, sizes = [], []
    axes.set_yscale("log")
    for index, (one, name) in enumerate(zip(results, names, strict=True)):
        pair = ladder.duel(one, type_)
        if pair is None or len(pair[0].points) < 2:
            continue
        colour, marker = look(index)
        rung, library = pair
        sizes += [p.n for p in rung.points]
        axes.plot([p.n for p in rung.points], [p.gbps for p in rung.points], marker=marker, color=colour, markersize=4)
        axes.plot([p.n for p in library.points], [p.gbps for p in library.points], linestyle=":", color=colour)
        ends.append((rung.points[-1].n, rung.points[-1].gbps, _short(name), colour))
    base.power_axis(axes, sizes)
    base.decimal_axis(axes.yaxis)
    axes.grid(which="major")
    axes.set_ylabel("GB/s, log scale")
    axes.set_title("the last rung (solid) and CUB (dotted) over n", fontsize=9.5, color=base.GREY, loc="left")
    base.end_labels(axes, ends)


def _short(name: str) -> str:
    plain = name.replace("NVIDIA ", "").replace("GeForce ", "")
    plain = plain.replace("(Warp Ladder emulator)", "(emulator)")
    plain = plain.replace("(Warp Ladder emulator, times not calibrated)", "(emulator*)")
    return plain if len(plain) <= 22 else plain[:21] + "…"


def _footer(results: Sequence[Results]) -> str:
    if any("not calibrated" in one.device for one in results):
        return "Times of the emulator are modelled, not measured; those marked * are not calibrated either."
    if any(one.modelled for one in results):
        return "Times of the emulator are modelled, not measured."
    return "All times are measured."

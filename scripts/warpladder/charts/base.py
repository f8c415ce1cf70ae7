# SPDX-License-Identifier: MIT
"""What all charts share: colours, titles, axes, labels that do not touch, saving the same bytes every time.

Colours are those of Okabe and Ito, which people with any colour vision tell apart; nothing is told by colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullLocator

from ..core import numbers
from ..results import ladder
from ..results.saved import Document, Results

ORANGE, SKY, GREEN, BLUE, VERMILION, PURPLE = "#E69F00", "#56B4E9", "#009E73", "#0072B2", "#D55E00", "#CC79A7"
LESSON_COLOURS = {"01": ORANGE, "02": SKY, "03": GREEN, "04": BLUE, "05": PURPLE}
# Darker, for letters: the light ones are hard to read on white.
LETTERS = {ORANGE: "#946600", SKY: "#1878B0", GREEN: "#00704F", PURPLE: "#A0487A", VERMILION: "#B34E00"}
INK, GREY, PALE = "#222222", "#666666", "#DDDDDD"
CPU_COLOUR, LIBRARY_COLOUR, ROOF_COLOUR = "#999999", "#333333", VERMILION
WIDTH = 9.0  # inches; 100 dots each: the width of a README
STYLE = {
    "svg.hashsalt": "warpladder",
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "text.color": INK,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "axes.axisbelow": True,
    "grid.color": PALE,
    "grid.linewidth": 0.7,
}

End = tuple[float, float, str, str]  # of a line: x, y, text, colour
Look = dict[str, Any]  # what matplotlib takes as the looks of a line or a text


def save(figure: Figure, path: Path) -> None:
    """Without the date and the version of matplotlib: the file changes only if the picture does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path.with_suffix(".svg"), metadata={"Date": None, "Creator": None})
    figure.savefig(path.with_suffix(".png"), dpi=200, metadata={"Software": None})
    pyplot.close(figure)


def titled(
    height: float, title: str, subtitle: str, footer: str, left: float, right: float, top: float = 0.85
) -> tuple[Figure, Axes]:
    """A figure with its title above, where it comes from below, and axes between. Margins in inches."""
    figure, axes = pyplot.subplots(figsize=(WIDTH, height))
    figure.subplots_adjust(left=left / WIDTH, right=1 - right / WIDTH, top=1 - top / height, bottom=0.85 / height)
    label(figure, height, title, subtitle, footer)
    return figure, axes


def label(figure: Figure, height: float, title: str, subtitle: str, footer: str) -> None:
    texts = (
        figure.text(0.2 / WIDTH, 1 - 0.34 / height, title, fontsize=14, fontweight="bold"),
        figure.text(0.2 / WIDTH, 1 - 0.60 / height, subtitle, color=GREY),
        figure.text(0.2 / WIDTH, 0.16 / height, footer, fontsize=8, color=GREY),
    )
    for text in texts:  # a device's name can be long
        room = (WIDTH - 0.4) * figure.dpi
        width = text.get_window_extent().width
        text.set_fontsize(float(text.get_fontsize()) * min(1.0, room / width))


_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def power(n: int) -> str:
    """2²⁶ for 2^26."""
    base, _, exponent = numbers.size(n).partition("^")
    return base + exponent.translate(_SUPERSCRIPT)


def source(results: Results, drawn: Sequence[Document], type_: str = "", sizes: bool = True) -> str:
    """Device, n, type, measured or modelled, and of the documents that are drawn the date and revision."""
    found = ladder.documents(results, type_) if type_ else []
    n = ", ".join(power(n) for n in sorted({d["n"] for d in found})) if sizes else ""
    words = [results.device, f"n = {n} {type_}" if n else type_, origin(results, drawn)]
    return "  ·  ".join(word for word in words if word)


def named(title: str, results: Results) -> str:
    """No chart of modelled times can be taken for a measured one."""
    return f"{title} (modelled)" if results.modelled else title


def origin(results: Results, drawn: Sequence[Document]) -> str:
    """A file of results grows over many runs: what counts is when those on this chart were made."""
    kind = "modelled, not measured" if results.modelled else "measured"
    in_time = sorted(drawn, key=lambda document: str(document["date"]))
    revisions = list(dict.fromkeys(document["revision"] for document in in_time))
    word = "revision" if len(revisions) == 1 else "revisions"
    return f"{kind}  ·  {in_time[-1]['date'][:10]}  ·  {word} {', '.join(revisions)}"


def power_axis(axes: Axes, sizes: Sequence[int]) -> None:
    """n from left to right, a mark at every second power of two."""
    first, last = min(sizes).bit_length() - 1, max(sizes).bit_length() - 1
    axes.set_xscale("log", base=2)
    axes.set_xlim(2 ** (first - 0.4), 2 ** (last + 0.25))
    step = 2 if last - first > 6 else 1
    marks = range(first + (first % 2 if step == 2 else 0), last + 1, step)
    axes.set_xticks([2**e for e in marks], [f"$2^{{{e}}}$" for e in marks])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel("n, elements of 4 bytes")


def beside_measured(axes: Axes, ends: tuple[float, float], up: str) -> None:
    """Measured times across, others up, on the same scale: a point on the diagonal is right."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(ends)
    axes.set_ylim(ends)
    axes.grid(True)
    axes.set_xlabel("measured, µs")
    axes.set_ylabel(up)
    axes.legend(loc="upper left", frameon=False)


def spread_apart(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Positions close to those wanted, in the same order, at least a gap apart; those that collide share the shift."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    groups: list[list[float]] = []  # sum of (wanted - offset), how many
    for index in order:
        groups.append([wanted[index], 1])
        while len(groups) > 1 and _start(groups[-2]) + groups[-2][1] * gap > _start(groups[-1]):
            (total, count), (more, others) = groups[-2], groups[-1]
            groups[-2:] = [[total + more - others * count * gap, count + others]]
    placed, position = [0.0] * len(wanted), 0
    room = (len(wanted) - 1) * gap
    floor = low
    for group in groups:
        start = min(max(_start(group), floor), high - room)
        for step in range(int(group[1])):
            placed[order[position]] = start + step * gap
            position += 1
            room -= gap
        floor = start + group[1] * gap
    return placed


def _start(group: list[float]) -> float:
    return group[0] / group[1]


def end_labels(axes: Axes, ends: Sequence[End]) -> None:
    """Labels right of the axes, one for each line's end, moved apart where they would touch."""
    to_pixels = axes.transData.transform
    height = axes.figure.get_window_extent().height
    box = axes.get_window_extent()
    wanted = [float(to_pixels((x, y))[1]) for x, y, _, _ in ends]
    placed = spread_apart(wanted, 0.185 * axes.figure.dpi, box.y0, max(box.y1, height * 0.5))
    to_axes = axes.transAxes.inverted()
    for (x, y, text, colour), pixel in zip(ends, placed, strict=True):
        at = (1.03, float(to_axes.transform((0, pixel))[1]))
        axes.annotate(
            text,
            xy=(x, y),
            xytext=at,
            textcoords="axes fraction",
            va="center",
            color=LETTERS.get(colour, colour),
            fontsize=9,
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": colour,
                "linewidth": 0.6,
                "alpha": 0.6,
                "shrinkA": 1,
                "relpos": (0, 0.5),
                "shrinkB": 3,
            },
        )


def decimal_axis(axis: matplotlib.axis.Axis, form: str = "{:g}") -> None:
    axis.set_major_formatter(FuncFormatter(lambda value, _: form.format(value)))
    axis.set_minor_formatter(FuncFormatter(lambda value, _: ""))

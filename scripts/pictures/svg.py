# SPDX-License-Identifier: MIT
"""The primitives of the drawings and their one style: boxes, cells, arrows, text, legends.

A fill has a meaning, the same in all chapters (see FILLS). The colours are those of Okabe and Ito, which colour-blind
readers can tell apart; labels say the same again. Each picture brings its own background, light or dark as the reader's
system asks, so it is readable on any page.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

WIDTH = 800  # of every picture

# name: (fill, fill on dark, text, text on dark)
FILLS = {
    "plain": ("#ffffff", "#20262d", "#1a1a1a", "#e8e8e8"),  # memory, or a frame: nothing happens here
    "idle": ("#e4e4e4", "#3a4149", "#5c5c5c", "#a9b1ba"),  # a thread that does nothing, a cell that is not used
    "work": ("#56b4e9", "#56b4e9", "#111111", "#111111"),  # a thread that works, a value that is read
    "wait": ("#d55e00", "#d55e00", "#111111", "#111111"),  # a queue, a collision: what costs time
    "result": ("#009e73", "#009e73", "#111111", "#111111"),  # a sum that is done
    "second": ("#e69f00", "#e69f00", "#111111", "#111111"),  # another thread, another group, beside "work"
    "third": ("#cc79a7", "#cc79a7", "#111111", "#111111"),
    "fourth": ("#f0e442", "#f0e442", "#111111", "#111111"),
}
# name: (stroke, stroke on dark)
STROKES = {
    "ink": ("#1a1a1a", "#e8e8e8"),
    "note": ("#5c5c5c", "#a9b1ba"),  # words of less weight
    "faint": ("#8a8a8a", "#7d8791"),  # lines of less weight
    "work": ("#0072b2", "#56b4e9"),
    "wait": ("#d55e00", "#ff8a3d"),
    "result": ("#009e73", "#2cc79a"),
    "second": ("#b87f00", "#e69f00"),
}
BACKGROUND = ("#fbfbfa", "#14181d")
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
MONO = "ui-monospace, SFMono-Regular, Menlo, 'DejaVu Sans Mono', monospace"


def _rules(dark: int) -> list[str]:
    rules = [f".page {{ fill: {BACKGROUND[dark]}; }}"]
    for name, colours in FILLS.items():
        rules.append(f".f-{name} {{ fill: {colours[dark]}; stroke: {STROKES['faint'][dark]}; }}")
        rules.append(f".on-{name} {{ fill: {colours[2 + dark]}; }}")
    for name, strokes in STROKES.items():
        rules.append(f".s-{name} {{ stroke: {strokes[dark]}; }}")
        rules.append(f".t-{name} {{ fill: {strokes[dark]}; }}")
    return rules


def _style() -> str:
    lines = [f"text {{ font-family: {FONT}; }}", f".mono {{ font-family: {MONO}; }}", *_rules(0)]
    lines += ["@media (prefers-color-scheme: dark) {", *("  " + rule for rule in _rules(1)), "}"]
    return "\n".join("    " + line for line in lines)


def _number(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


class Picture:
    """One drawing. x grows to the right, y downwards; a text's y is its base line."""

    def __init__(self, height: int, title: str, description: str) -> None:
        """The description is what a reader who cannot see the picture gets."""
        self._height = height
        self._title = title
        self._description = description
        self._parts: list[str] = []

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 13,
        anchor: str = "start",
        colour: str = "ink",
        bold: bool = False,
        mono: bool = False,
    ) -> None:
        """`anchor`: start, middle or end. `colour`: a name of STROKES."""
        self._text(x, y, words, f"t-{colour}", size, anchor, bold, mono)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str = "plain",
        label: str = "",
        *,
        size: float = 12,
        dashed: bool = False,
        mono: bool = False,
        round_by: float = 3,
    ) -> None:
        """A box with a label in its middle. `fill`: a name of FILLS."""
        dash = ' stroke-dasharray="4 3"' if dashed else ""
        self._parts.append(
            f'<rect class="f-{fill}" x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" '
            f'height="{_number(height)}" rx="{_number(round_by)}"{dash}/>'
        )
        if label:
            self._text(x + width / 2, y + height / 2 + size * 0.36, label, f"on-{fill}", size, "middle", mono=mono)

    def cells(
        self,
        x: float,
        y: float,
        size: float,
        fills: Sequence[str],
        labels: Sequence[str] = (),
        *,
        gap: float = 2,
        height: float = 0,
        text_size: float = 11,
    ) -> list[float]:
        """A row of cells, e.g. threads or words of memory. Returns the x of the middle of each."""
        middles = []
        for i, fill in enumerate(fills):
            left = x + i * (size + gap)
            self.box(left, y, size, height or size, fill, labels[i] if i < len(labels) else "", size=text_size)
            middles.append(left + size / 2)
        return middles

    def line(
        self,
        x1: float,
        y1: float,
        x2: float,
        y2: float,
        colour: str = "faint",
        *,
        thick: float = 1.5,
        dashed: bool = False,
    ) -> None:
        dash = ' stroke-dasharray="4 3"' if dashed else ""
        self._parts.append(
            f'<line class="s-{colour}" x1="{_number(x1)}" y1="{_number(y1)}" x2="{_number(x2)}" y2="{_number(y2)}" '
            f'stroke-width="{_number(thick)}"{dash}/>'
        )

    def arrow(
        self,
        x1: float,
        y1: float,
        x2: float,
        y2: float,
        colour: str = "ink",
        *,
        thick: float = 1.5,
        dashed: bool = False,
        head: float = 6,
    ) -> None:
        """A line whose tip is at (x2, y2)."""
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        bx, by = x2 - ux * head, y2 - uy * head
        self.line(x1, y1, bx, by, colour, thick=thick, dashed=dashed)
        points = ((x2, y2), (bx - uy * head * 0.5, by + ux * head * 0.5), (bx + uy * head * 0.5, by - ux * head * 0.5))
        corners = " ".join(f"{_number(px)},{_number(py)}" for px, py in points)
        self._parts.append(f'<polygon class="t-{colour}" points="{corners}"/>')

    def legend(self, x: float, y: float, entries: Sequence[tuple[str, str]], *, step: float = 0) -> None:
        """Small boxes with their meaning, side by side. `step`: the width of each; 0: as its words need."""
        for fill, words in entries:
            self.box(x, y - 10, 13, 13, fill)
            self.text(x + 19, y + 1, words, size=12)
            x += step or 19 + 7 * len(words) + 16

    def svg(self) -> str:
        body = "\n".join("  " + part for part in self._parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self._height}" width="{WIDTH}" '
            f'height="{self._height}" role="img" aria-label={quoteattr(self._title)}>\n'
            f"  <title>{escape(self._title)}</title>\n"
            f"  <desc>{escape(self._description)}</desc>\n"
            f"  <style>\n{_style()}\n  </style>\n"
            f'  <rect class="page" width="{WIDTH}" height="{self._height}" rx="8"/>\n'
            f"{body}\n</svg>\n"
        )

    def _text(
        self,
        x: float,
        y: float,
        words: str,
        class_name: str,
        size: float,
        anchor: str,
        bold: bool = False,
        mono: bool = False,
    ) -> None:
        weight = ' font-weight="600"' if bold else ""
        self._parts.append(
            f'<text class="{class_name}{" mono" if mono else ""}" x="{_number(x)}" y="{_number(y)}" '
            f'font-size="{_number(size)}" text-anchor="{anchor}"{weight}>{escape(words)}</text>'
        )

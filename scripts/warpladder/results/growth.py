# SPDX-License-Identifier: MIT
"""Tables of experiments whose first column is a size: how the rungs' times grow with it."""

from __future__ import annotations

from dataclasses import dataclass, field

from . import saved
from .saved import Document, Results

_BYTES = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


@dataclass(frozen=True)
class Panel:
    """One table, and what its first column is."""

    table: str
    axis: str


@dataclass(frozen=True)
class Chart:
    """What is drawn beside each other, from one program of a lesson."""

    name: str
    lesson: str
    program: str
    title: str
    panels: tuple[Panel, ...]


CHARTS = (
    Chart(
        "growth",
        "13_point_cloud",
        "growth",
        "Clusters of points: how the time grows",
        (Panel("points", "points of a scan, log scale"), Panel("density", "eps in metres, log scale")),
    ),
    Chart(
        "sizes",
        "14_multi_gpu",
        "sizes",
        "All-reduce: how the time grows",
        (Panel("sizes", "bytes on each GPU, log scale"),),
    ),
)


@dataclass
class Line:
    id: str
    points: list[tuple[float, float]] = field(default_factory=list)


def documents(results: Results, chart: Chart) -> list[Document]:
    """Of the chart's program: one, or none where it was not run."""
    found = results.part(saved.EXPERIMENT)
    return [document for document in found if (document["lesson"], document["name"]) == (chart.lesson, chart.program)]


def tables(results: Results, chart: Chart) -> dict[str, Document]:
    """The chart's tables that were run, by id."""
    wanted = {panel.table for panel in chart.panels}
    every = [table for document in documents(results, chart) for table in document["tables"]]
    return {table["id"]: table for table in every if table["id"] in wanted}


def size(cell: str) -> float:
    """1000 -> 1000, 0.125 -> 0.125, 16 KiB -> 16384."""
    number, _, unit = cell.partition(" ")
    return float(number) * _BYTES.get(unit, 1)


def lines(table: Document) -> list[Line]:
    """A line for every rung that was timed at all."""
    found = [Line(id_) for id_ in table["columns"][1:]]
    for first, *times in table["rows"]:
        for line, us in zip(found, times, strict=True):
            if us:
                line.points.append((size(first), us))
    return [line for line in found if line.points]


def charts(results: Results) -> list[Chart]:
    """Those with something to draw: two sizes at least."""
    return [
        chart
        for chart in CHARTS
        if any(len(line.points) > 1 for table in tables(results, chart).values() for line in lines(table))
    ]

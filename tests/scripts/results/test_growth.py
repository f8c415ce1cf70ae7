# SPDX-License-Identifier: MIT
"""Times against a size, from made-up tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sample_results
from charting import needs_matplotlib

from warpladder.charts import charted
from warpladder.results import growth, saved
from warpladder.results.saved import Results

POINTS: list[list[Any]] = [["1000", 10.0, 5.0], ["100000", None, 9.0]]
DENSITY: list[list[Any]] = [["0.125", None, 7.0], ["2.00", None, 3.0]]


def results(points: list[list[Any]] = POINTS) -> Results:
    def table(id_: str, rows: list[list[Any]]) -> dict[str, Any]:
        return {"id": id_, "title": id_, "unit": "us", "columns": [id_, "all_pairs", "small_cells"], "rows": rows}

    tables = [table("points", points), table("density", DENSITY), table("kinds", DENSITY)]
    document = {
        **sample_results.experiment("13_point_cloud"),
        "part": saved.EXPERIMENT,
        "name": "growth",
        "tables": tables,
    }
    return Results(Path("x"), saved.collect([document], "./course run 13"))


@pytest.mark.parametrize(("cell", "value"), [("1000", 1000), ("0.125", 0.125), ("16 KiB", 16384), ("1 MiB", 1 << 20)])
def test_a_size_is_a_number_or_bytes(cell: str, value: float) -> None:
    assert growth.size(cell) == value


def test_a_line_has_the_sizes_that_were_run() -> None:
    (chart,) = growth.charts(results())
    tables = growth.tables(results(), chart)
    assert list(tables) == ["points", "density"]
    assert [(line.id, line.points) for line in growth.lines(tables["points"])] == [
        ("all_pairs", [(1000, 10.0)]),
        ("small_cells", [(1000, 5.0), (100000, 9.0)]),
    ]
    assert [line.id for line in growth.lines(tables["density"])] == ["small_cells"]


def test_nothing_is_drawn_of_one_size_or_of_other_programs() -> None:
    assert charted.anything(results())
    other = {**sample_results.experiment("13_point_cloud"), "part": saved.EXPERIMENT, "name": "growth"}
    assert growth.charts(Results(Path("x"), saved.collect([other], "./course run 13"))) == []


@needs_matplotlib
def test_the_chart_names_every_line(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from warpladder.charts import growth as drawing

    assert drawing.draw_all(results(), tmp_path) == ["growth"]
    assert {path.name for path in tmp_path.iterdir()} == {"growth.svg", "growth.png"}
    figure = drawing.draw(results(), growth.CHARTS[0])
    words = [text.get_text() for axes in figure.axes for text in axes.texts]
    key = figure.axes[0].get_legend()
    words += [text.get_text() for text in key.get_texts()] if key else []
    assert sorted(words) == ["all_pairs", "small_cells"]


@needs_matplotlib
def test_the_key_lies_on_no_line() -> None:
    """The lines of a chart rise to the right, and the slowest of them, which the key is for, most."""
    pytest.importorskip("matplotlib")
    from warpladder.charts import growth as drawing

    steep: list[list[Any]] = [["1000", 10.0, 5.0], ["10000", 900.0, 7.0], ["100000", 9000.0, 9.0]]
    figure = drawing.draw(results(steep), growth.CHARTS[0])
    figure.canvas.draw()
    panel = figure.axes[0]
    key = panel.get_legend()
    assert key is not None
    box = key.get_window_extent()
    for line in panel.get_lines():
        path = line.get_path().transformed(line.get_transform())
        assert not path.intersects_bbox(box, filled=False), line

# SPDX-License-Identifier: MIT
"""Lesson 06 in `course run`, on the terminal, in tables and on charts, from made-up results."""

from __future__ import annotations

from pathlib import Path

import pytest
import sample_results
from charting import needs_matplotlib

from warpladder import cli
from warpladder.charts import charted
from warpladder.results import lock_free, saved, tables
from warpladder.results.saved import Results


@pytest.fixture
def results() -> Results:
    return Results(Path("x"), saved.collect(sample_results.lock_free(), "./course run 06"))


def test_curves_are_read_from_the_tables_without_the_points_that_were_not_run(results: Results) -> None:
    lines = {line.id: line for line in lock_free.curves(results, "stack", "half")}
    assert list(lines)[0] == lock_free.BASELINE
    assert [n for n, _ in lines["stack_warp"].points] == [1, 32, 256, 2048, 16384, 270336]
    assert [n for n, _ in lines["locked_tas"].points][-1] == 16384
    assert lines["locked_tas"].locked and not lines["stack_warp"].locked
    assert lock_free.families(results) == ["stack", "queue", "map"]


def test_results_without_the_lesson_have_no_curves() -> None:
    older = Results(Path("x"), saved.collect(sample_results.documents(), ""))
    assert lock_free.families(older) == []
    assert lock_free.curves(older, "stack", "half") == []
    assert charted.anything(older)


def test_an_experiment_alone_has_nothing_to_draw() -> None:
    alone = {**sample_results.experiment(), "part": "experiment"}
    assert not charted.anything(Results(Path("x"), saved.collect([alone], "")))


def test_the_terminal_shows_operations_per_second(results: Results) -> None:
    lines = tables.short_table(results)
    assert any(line.split()[:2] == ["rung", "million/s"] for line in lines)
    assert any(line.split() == ["stack_versioned", "200", "-", "0.100"] for line in lines)


def test_a_chapter_can_show_a_table_of_the_lesson(results: Results) -> None:
    lines = tables.table(results, "06_lock_free contention.queue_half")
    assert lines[0] == "**One queue, half (million/s)**"
    assert lines[2].startswith("| threads | counter | queue_linked |")
    assert lines[-1] == "*Measured on NVIDIA H200, 2026-01-02, revision abc1234, `./course run 06`.*"
    assert tables.table(results, "06_lock_free structures.rates")[2].startswith("| rung | operations |")


@needs_matplotlib
def test_few_points_are_enough_for_a_chart(tmp_path: Path) -> None:
    found = sample_results.lock_free()
    for document in found:
        document.update(backend="emulator", times="modelled")
        for table in document["tables"]:
            table["rows"] = table["rows"][:2]
    sample_results.write(tmp_path, found)
    assert cli.main(["plot", str(tmp_path)]) == 0
    drawn = {f"{name}.{kind}" for name in ("stack", "queue", "map", "mixes") for kind in ("svg", "png")}
    assert {path.name for path in tmp_path.glob("*.[sp][vn]g")} == drawn


def test_results_of_the_lesson_alone_are_not_compared_with_a_ladder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(sample_results.write(tmp_path / name, sample_results.lock_free())) for name in "ab"]
    assert cli.main(["plot", "--compare", *files]) == 2
    assert "no rung of lessons 01 to 05 that ran" in capsys.readouterr().err

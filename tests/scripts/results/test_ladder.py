# SPDX-License-Identifier: MIT
"""What charts and tables are made from."""

from __future__ import annotations

from pathlib import Path

import pytest
import sample_results

from warpladder.results import ladder, saved
from warpladder.results.saved import Results


@pytest.fixture
def results() -> Results:
    return Results(Path("x"), saved.collect(sample_results.documents(), ""))


def test_each_rung_is_compared_with_the_one_before_it_also_across_lessons(results: Results) -> None:
    steps = {step.id: step for step in ladder.ladder(results, "f32")}
    assert steps["global_atomic"].factor is None
    assert steps["interleaved"].factor == pytest.approx(steps["shared_atomic"].us / steps["interleaved"].us)
    # What was skipped is no step: lesson 05 begins where the last rung that ran stopped.
    assert steps["tile_reduce"].factor == pytest.approx(steps["shuffle_vector"].us / steps["tile_reduce"].us)
    assert steps["async_copy"].share == pytest.approx(steps["async_copy"].gbps / sample_results.ROOF)


def test_the_ladder_has_the_cpu_first_every_rung_once_and_the_library_last(results: Results) -> None:
    kinds = [step.kind for step in ladder.ladder(results, "f32")]
    rungs = sum(len(rungs) for rungs in sample_results.LADDER.values())
    assert kinds == ["cpu"] * 2 + ["rung"] * rungs + ["library"]


def test_an_integer_rung_is_shown_with_integers(results: Results) -> None:
    ids = [step.id for step in ladder.ladder(results, "f32")]
    assert "redux (i32)" in ids
    only = Results(Path("x"), saved.collect(sample_results.documents(types=("f32",)), ""))
    redux = next(step for step in ladder.ladder(only, "f32") if step.id == "redux")
    assert redux.skipped and not redux.timed


def test_a_wrong_sum_has_no_time(results: Results) -> None:
    row = results.part("ladder", "f32")[1]["rows"][2]
    row.update(ok=False, median_us=0)
    step = next(step for step in ladder.ladder(results, "f32") if step.id == "interleaved")
    assert step.failed and not step.timed


def test_main_rungs_are_the_first_one_and_the_last_of_each_lesson(results: Results) -> None:
    expected = ["global_atomic", "shared_atomic", "sequential", "vector_load", "shuffle_vector", "async_copy"]
    assert [id_ for _, id_ in ladder.main_rungs(results, "f32")] == expected
    assert ladder.top_rung(results, "f32") == ("05_cooperative_groups", "async_copy")


def test_the_ladders_own_n_is_a_point_of_the_series(results: Results) -> None:
    results.data["documents"] = [d for d in results.documents if d["part"] != "sweep" or d["n"] != 1 << 26]
    pair = ladder.duel(results, "f32")
    assert pair is not None
    rung, library = pair
    assert [point.n for point in rung.points] == [1 << e for e in range(10, 31)]
    assert [point.n for point in library.points] == [point.n for point in rung.points]


def test_later_lessons_are_no_part_of_the_ladder(results: Results) -> None:
    results.documents.append({**results.documents[0], "lesson": "08_scan"})
    assert "08_scan" not in {step.lesson for step in ladder.steps(results, "f32")}

# SPDX-License-Identifier: MIT
"""A lesson of families on the terminal, in tables and on charts, from made-up results."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
import sample_results
from charting import needs_matplotlib

from warpladder.charts import charted
from warpladder.core.console import CourseError
from warpladder.results import families, saved, tables
from warpladder.results.saved import Results
from warpladder.setup import machine

LESSON = "07_vote_and_match"


@pytest.fixture
def results() -> Results:
    return Results(Path("x"), saved.collect([sample_results.families()], "./course run 07"))


def test_a_family_is_found_by_its_lesson_and_name(results: Results) -> None:
    part = families.found(results, LESSON, "histogram")
    assert part is not None and part["n"] == 1 << 20 and part["backend"]
    assert families.described(part) == "n = 2^20, sample u32, bins 64"
    assert families.described({**part, "chosen": {}}) == "n = 2^20"
    assert families.found(results, LESSON, "tree") is None
    assert families.found(results, "08_scan", "histogram") is None


def test_the_table_has_the_rows_and_the_factors(results: Results) -> None:
    lines = tables.table(results, f"{LESSON} histogram")
    rows = [line for line in lines if line.startswith("|")]
    assert [row.split("|")[1].strip() for row in rows[2:]] == [
        "the idea of cpu_1_thread",
        "`hist_global`",
        "`hist_lanes`",
        "`hist_best`",
        "the idea of cub",
    ]
    assert "skipped: it is made for 256 bins" in rows[4]
    assert "10" in rows[5].split("|")[7]  # times the rung before that ran
    assert "n = 2^20, sample u32, bins 64" in lines[-1]


def test_a_family_that_is_not_there_is_an_unknown_marker(results: Results) -> None:
    with pytest.raises(tables.Unknown, match="tree"):
        tables.table(results, f"{LESSON} tree")


def test_a_lesson_without_results_says_so_until_it_has_some(results: Results) -> None:
    assert tables.table(results, "01_naive_atomic f32") == ["*Not measured yet: `./course run --publish` does it.*"]


def test_the_terminal_shows_every_family(results: Results) -> None:
    text = "\n".join(tables.short_table(results))
    assert "compaction, n = 2^20, keep 50" in text
    assert "hist_lanes   skipped: it is made for 256 bins" in text


def test_the_file_is_read_back_and_what_is_missing_is_named(results: Results, tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    saved.save(path, results.data)
    assert families.documents(saved.load(path))
    assert charted.anything(saved.load(path))
    for key in ("n", "chosen", "rows"):
        broken = copy.deepcopy(results.data)
        del broken["documents"][0]["families"][1][key]
        path.write_text(json.dumps(broken), encoding="utf-8")
        with pytest.raises(CourseError, match="not a complete results file"):
            saved.load(path)


def test_a_later_run_of_the_lesson_takes_the_place_of_the_older_one(results: Results) -> None:
    other = {**sample_results.families(), "lesson": "08_scan"}
    merged = saved.merge(results, [other, sample_results.families()])
    assert [document["lesson"] for document in merged] == [LESSON, "08_scan"]


@needs_matplotlib
def test_every_family_has_a_chart(results: Results, tmp_path: Path) -> None:
    import subprocess

    path = tmp_path / "results.json"
    saved.save(path, results.data)
    python = machine.charts_python()
    assert python is not None
    scripts = Path(__file__).resolve().parents[3] / "scripts"
    subprocess.run([python, "-m", "warpladder.charts", str(tmp_path), str(path)], cwd=scripts, check=True)
    assert (tmp_path / "histogram.svg").exists() and (tmp_path / "select.png").exists()


@needs_matplotlib
def test_a_family_far_below_the_roof_is_charted_by_its_speed_up() -> None:
    from warpladder.charts import families as charts
    from warpladder.results.ladder import CPU, RUNG, Step

    cpu = Step("13", CPU, "cpu_1_thread", "", us=100.0, gbps=0.1, share=0.0001, cpu_factor=1.0)
    slow = Step("13", RUNG, "slow", "", us=1000.0, gbps=0.01, share=0.00001, cpu_factor=0.1)
    far = Step("13", RUNG, "far", "", us=1.0, gbps=10.0, share=0.04, cpu_factor=100.0)
    near = Step("13", RUNG, "near", "", us=1.0, gbps=10.0, share=0.3, cpu_factor=100.0)
    skipped = Step("13", RUNG, "none", "", skipped="no tensor cores")
    assert charts.scale_for([cpu, slow, far, skipped]) is charts.SPEED_UP
    assert charts.scale_for([cpu, slow, far, near]) is charts.BANDWIDTH
    middle = Step("13", RUNG, "middle", "", us=1.0, gbps=10.0, share=0.2, cpu_factor=100.0)
    assert charts.scale_for([cpu, slow, far, middle]) is charts.SPEED_UP, "most bars would be invisible"
    assert charts.scale_for([cpu, slow, middle, middle]) is charts.BANDWIDTH
    no_baseline = Step("13", RUNG, "far", "", us=1.0, gbps=10.0, share=0.04)
    assert charts.scale_for([no_baseline]) is charts.BANDWIDTH
    assert charts.scale_for([skipped]) is charts.BANDWIDTH


@needs_matplotlib
def test_a_chart_names_the_revision_of_what_it_shows(results: Results) -> None:
    from warpladder.charts import base

    old = {**results.documents[0], "date": "2026-01-02T00:00:00Z", "revision": "aaaaaaa"}
    new = {**old, "date": "2026-03-04T00:00:00Z", "revision": "bbbbbbb"}
    assert base.origin(results, [old]).endswith("2026-01-02  ·  revision aaaaaaa")
    assert base.origin(results, [new, old, old]).endswith("2026-03-04  ·  revisions aaaaaaa, bbbbbbb")

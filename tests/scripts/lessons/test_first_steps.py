# SPDX-License-Identifier: MIT
"""scripts/record_first_steps.py: what it finds in an annotated source, and what it says of the GPU."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import record_first_steps as record
from warpladder.core.paths import RESULTS
from warpladder.exercises import catalog
from warpladder.results import families, saved
from warpladder.results.saved import Results

ANNOTATED = """space::other(int): 1 launch
  executed  lanes  line | a.cu
         3   32.0     1 | other

space::chunks(float): 2 launches
  modelled: 3 us
  executed  lanes  line |
         7   32.0       | (no line of the source)
  executed  lanes  line | b.cuh
         5   32.0     9 | chunks

executed: warp instructions.
"""


def test_one_kernel_is_cut_out_without_what_has_no_line() -> None:
    assert record.kernel_of(ANNOTATED, "chunks").splitlines() == [
        "space::chunks(float): 2 launches",
        "  modelled: 3 us",
        "  executed  lanes  line | b.cuh",
        "         5   32.0     9 | chunks",
    ]
    with pytest.raises(SystemExit, match="no kernel unk"):
        record.kernel_of(ANNOTATED, "unk")  # the beginning of no name, and not the middle of "chunks"


def test_the_memories_are_farther_and_farther_away() -> None:
    rows = [line.split(" | ") for line in record.distances(Path()).splitlines() if "KiB" in line or "iB |" in line]
    latencies = [int(row[3]) for row in rows]
    assert len(rows) == 4 and latencies == sorted(latencies)


def test_more_warps_and_wider_loads_read_faster() -> None:
    """What the chapter says of the table: down the first column, and along the first row."""
    rows = [line.split(" | ") for line in record.hiding(Path()).splitlines()[2:6]]
    column = [int(row[1]) for row in rows]
    assert all(b > 1.6 * a for a, b in zip(column, column[1:], strict=False))
    row = [int(cell.strip(" |")) for cell in rows[0][1:]]
    assert row == sorted(row) and row[-1] > column[-1]  # 8 warps with much in flight beat 64 with little


def test_what_the_chapter_concludes_from_the_counters_holds() -> None:
    rows = [line.split(" | ") for line in record.profiled(Path()).splitlines()]
    found = {row[0].strip("|` "): float(row[1]) for row in rows if len(row) == 3 and row[0].startswith("| `")}
    loads = found["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"]
    assert loads == record.SIZE / 32
    assert found["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] == 4 * loads
    assert found["smsp__thread_inst_executed.sum"] == 32 * found["smsp__inst_executed.sum"]
    assert 1 <= found["dram__bytes_read.sum"] / (4 * record.SIZE) < 1.01
    assert 20 < found["sm__warps_active.avg.pct_of_peak_sustained_active"] < 26
    assert 4 * record.SIZE / found["gpu__time_duration.sum"] < 1000


@pytest.mark.parametrize("words", [["--fast"], ["--check", "a", "b"], ["--check", "/none"]])
def test_wrong_words_get_one_line_and_exit_code_2(words: list[str]) -> None:
    run = subprocess.run([sys.executable, record.__file__, *words], capture_output=True, text=True)
    assert run.returncode == 2 and len(run.stderr.splitlines()) == 1


def test_the_chapter_announces_every_exercise_with_its_minutes() -> None:
    page = record.CHAPTER.read_text(encoding="utf-8")
    exercises = [exercise for exercise in catalog.everything() if exercise.lesson == record.LESSON]
    assert len(exercises) == 10
    listed = re.findall(r"^\| \[(\w+)\]\(exercises/\w+/README\.md\) \| .* \| (\d+) \|$", page, re.MULTILINE)
    assert listed == [(exercise.name, str(exercise.minutes)) for exercise in exercises]
    announced = " ".join(re.findall(r"^> (.*)$", page, re.MULTILINE))
    for exercise in exercises:
        after = announced.partition(f"[{exercise.name}]")[2]
        minutes = re.search(r"\((\d+) minutes\)", after)
        assert minutes and minutes.group(1) == str(exercise.minutes), exercise.name


def published() -> list[Results]:
    """Of those that hold this lesson: the modelled ones, and the measured ones when there are some."""
    every = [saved.load(RESULTS / folder) for folder in ("emulator-h200", "h200")]
    return [results for results in every if families.found(results, record.LESSON, "saxpy")]


def rows_of(results: Results, table: str) -> dict[str, list[float]]:
    documents = [d for d in results.part(saved.EXPERIMENT) if d["lesson"] == record.LESSON]
    found = next(t for d in documents for t in d["tables"] if t["id"] == table)
    return {row[0]: row[1:] for row in found["rows"]}


@pytest.mark.parametrize("results", published(), ids=lambda results: results.data["times"])
def test_what_the_chapter_says_of_the_rungs_holds(results: Results) -> None:
    part = families.found(results, record.LESSON, "saxpy")
    assert part is not None
    us = {step.id: step.us for step in families.steps(results, part) if step.timed}
    if "one_thread" in us:  # where there are not too many elements for it
        assert us["one_thread"] / us["one_block"] > 10, "a factor of tens"
        assert us["one_thread"] > us["cpu_1_thread"], "much slower than the CPU"
    assert us["one_block"] / us["thread_per_element"] > 100, "a hundred or more"
    large = {id_: row[0] for id_, row in rows_of(results, "rungs").items()}
    assert large["chunks"] > 2 * large["thread_per_element"], "much slower"
    assert large["vector"] < large["grid_stride"] < large["chunks"]


@pytest.mark.parametrize("results", published(), ids=lambda results: results.data["times"])
def test_what_the_chapter_says_of_the_experiments_holds(results: Results) -> None:
    times = [row[1] for row in rows_of(results, "strides").values()]
    assert times[:5] == sorted(times[:5]) and times[4] > 1.1 * times[3], "16 apart costs more than 8"
    assert times[5] < 1.2 * times[4], "and farther apart it grows only a little"
    shapes = {name: (warps, gbps) for name, (_, warps, _, gbps) in rows_of(results, "occupancy").items()}
    assert shapes["768 threads"][0] == 48 and shapes["256 threads, 96 KiB shared"][0] == 16
    assert shapes["256 threads"][1] > 1.5 * shapes["256 threads, 96 KiB shared"][1], "occupancy counts here"
    kept = [row[-1] for row in rows_of(results, "registers").values()]
    assert kept == sorted(kept, reverse=True) and kept[0] == 64, "more registers, fewer warps"

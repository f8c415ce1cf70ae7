# SPDX-License-Identifier: MIT
"""scripts/record_first_steps.py: what it finds in an annotated source, and what it says of the GPU."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import record_first_steps as record
from warpladder.exercises import catalog

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

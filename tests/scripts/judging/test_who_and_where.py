# SPDX-License-Identifier: MIT
"""A loop without end that stores is named with its line; an access out of bounds names the array of the exercise."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from exercise_samples import ENDLESS, WARP_SUM, needs_emulator

from warpladder.build import backend
from warpladder.core.console import Console
from warpladder.exercises import catalog
from warpladder.exercises.verdict import Kind
from warpladder.judging import arrays, evaluate

EXERCISE = replace(catalog.find("warp_sum"), schedules=0, budgets=())
ARRAYS = "exercise-array: x 0x7000 132\nexercise-array: sum 0x8000 4\n"


@pytest.mark.parametrize(
    ("said", "stderr", "expected"),
    [
        ("0x7084 is right behind the end of {132}", ARRAYS, "0x7084 is right behind the end of x (132 bytes)"),
        ("0x8004 is 0 bytes past the end of {4}", ARRAYS, "0x8004 is 0 bytes past the end of sum (4 bytes)"),
        ("0x9000 is 4 bytes into {8}", ARRAYS, None),  # the student's own
        ("nothing is said", ARRAYS, None),
        ("0x7084 is right behind the end of {132}", "", None),
        ("0x7084 is behind {132}", ARRAYS + "exercise-array: y 0x7000 132\n", "0x7084 is behind y (132 bytes)"),
        ("0x7084 is behind {132}", "exercise-array: <b>\x1b 0x7000 132\n" + "exercise-array: " * 50_000, None),
    ],
)
def test_names(said: str, stderr: str, expected: str | None) -> None:
    for size in (4, 8, 132):
        article = "an" if size == 8 else "a"
        memory = f"{article} {size}-byte allocation made by cudaMalloc (the 2nd of the program)"
        said = said.replace(f"{{{size}}}", memory)
    start = time.process_time()
    assert arrays.named(said, stderr) == (expected or said)
    assert time.process_time() - start < 0.5


@needs_emulator
def test_an_endless_loop_that_stores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate, "_INSTRUCTIONS_PER_SECOND", 10_000)
    file = tmp_path / "warp_sum.cuh"
    file.write_text(ENDLESS)
    where = backend.choose(Console(), "emulator")
    verdict = evaluate.evaluate(evaluate.Request(EXERCISE, file, where, run_seconds=60))
    assert verdict.kind is Kind.TIME_LIMIT
    assert verdict.headline.startswith("the kernel does not come to an end, at warp_sum.cuh:"), verdict
    said = dict(verdict.details)
    assert "thread" in said["who"] or "warp" in said["who"]
    assert said["line"].split(" | ")[0] in ("5", "6") and "INSTRUCTION_LIMIT" not in " ".join(verdict.lines())


@needs_emulator
def test_an_access_out_of_bounds() -> None:
    where = backend.choose(Console(), "emulator")
    verdict = evaluate.evaluate(evaluate.Request(EXERCISE, WARP_SUM / "wrong" / "past_the_end.cuh", where))
    said = dict(verdict.details)
    assert verdict.kind is Kind.OUT_OF_BOUNDS and " x (" in said["what"] and "allocation" not in said["what"], verdict

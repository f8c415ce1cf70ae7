# SPDX-License-Identifier: MIT
"""A program cannot switch off the orders of threads that it is tried in: it gets the verdict of the race, or none."""

from __future__ import annotations

import time
from pathlib import Path

import attack_samples
import pytest
from exercise_samples import needs_emulator

from warpladder.build import backend
from warpladder.build.backend import Backend
from warpladder.core.console import Console
from warpladder.exercises import catalog
from warpladder.judging.evaluate import Request, _Bench, evaluate
from warpladder.judging.judge import Judging

EXERCISE = catalog.find(attack_samples.RACY_EXERCISE)


def here() -> Backend:
    found = backend.choose(Console(), "emulator")
    assert "record" in found.features, "this emulator is not built from this source"
    return found


@needs_emulator
@pytest.mark.parametrize("switch", attack_samples.SWITCHES)
def test_other_orders_cannot_be_switched_off(tmp_path: Path, switch: str) -> None:
    head, expected = attack_samples.SWITCHES[switch]
    file = tmp_path / f"{EXERCISE.name}.cuh"
    file.write_text(attack_samples.racy(head, (EXERCISE.folder / "starter.cuh").read_text()))
    verdict = evaluate(Request(EXERCISE, file, here()))
    assert (verdict.kind.value, verdict.passed) == (expected, False), verdict


def bench(tmp_path: Path, record: bytes | None) -> _Bench:
    request = Request(EXERCISE, tmp_path / "x.cuh", Backend("nvcc", False, tmp_path))
    (tmp_path / "inputs").mkdir()
    made = _Bench(request, Judging(tmp_path, tmp_path), tmp_path, tmp_path, tmp_path, gpu=False)
    (tmp_path / "emulator0").mkdir()
    if record is not None:
        (tmp_path / "emulator0" / "record.txt").write_bytes(record)
    return made


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (None, "did not get its settings"),
        (b"", "no kernel was launched"),
        (b"random:3 weak\nusual strong\n", "other settings"),
        (b"random:4 weak\n", "other settings"),
        (b"random:3 weak\n" + b"\xff" * 1000, "other settings"),
        (b"random:3 weak\n" * 1_000_000, "did not get its settings"),  # far larger than a record can be
        (b"random:3 weak\nrandom:3 weak\n", ""),
    ],
    ids=("none", "empty", "another kind", "another seed", "not text", "too large", "right"),
)
def test_what_a_record_must_say(tmp_path: Path, record: bytes | None, why: str) -> None:
    start = time.process_time()
    settings = {"WARPLADDER_SCHEDULE": "random:3", "WARPLADDER_MEMORY": "weak"}
    said = bench(tmp_path, record)._not_vouched(settings)
    assert why in said and bool(said) == bool(why)
    assert time.process_time() - start < 1

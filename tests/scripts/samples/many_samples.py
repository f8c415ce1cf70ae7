# SPDX-License-Identifier: MIT
"""Thousands of submissions whose verdict costs next to nothing: each file is a sum, right or wrong.

All else is as in a grade: folders, rules, gradebook, results, and for workers the whole way there and back. A worker
can be made to lie (an old version that says everything passed) or to hang.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import time
from pathlib import Path
from typing import Any

from warpladder.exercises.verdict import Kind, Verdict
from warpladder.grading import worker
from warpladder.grading.outcome import Outcome

EXERCISE = "warp_sum"
JUDGE = "many_samples:judge"


def text_of(number: int) -> str:
    """Every third one is wrong."""
    values = [number, number * 7 % 1000, number * 31 % 1000]
    return " ".join(map(str, values)) + f" = {sum(values) + (number % 3 == 0)}\n"


def expected(number: int) -> float:
    return 0.0 if number % 3 == 0 else 10.0


def hand_in(folder: Path, count: int) -> None:
    for number in range(count):
        (folder / f"s{number:05}").mkdir(parents=True)
        (folder / f"s{number:05}" / f"{EXERCISE}.cuh").write_text(text_of(number))


def verdict(text: bytes) -> Verdict:
    """A few milliseconds of work, then the truth."""
    for _ in range(20):
        hashlib.sha256(text * 2000).digest()
    values, _, claim = text.decode().partition("=")
    right = sum(map(int, values.split())) == int(claim)
    return Verdict(Kind.PASSED, "right") if right else Verdict(Kind.WRONG_VALUE, "wrong")


def judge(task: dict[str, Any]) -> dict[str, Any]:
    """In the place of worker.judge."""
    name, odd = (
        str(importlib.import_module("distributed").get_worker().name),
        json.loads(os.environ.get("MANY_ODD", "{}")),
    )
    if name == odd.get("hangs"):
        time.sleep(10_000)
    if name == odd.get("lies"):
        lie = Outcome(Verdict(Kind.PASSED, "right, always"), 0.0)
        return {"proof": worker.proof("yesterday"), "outcome": json.dumps(lie.to_json()), "used": (0.0, 0.0)}
    start = time.process_time()
    outcome = Outcome(verdict(task["text"]), 0.0)
    used = time.process_time() - start
    return {"proof": worker._proof(task["nonce"]), "outcome": json.dumps(outcome.to_json()), "used": (used, used)}

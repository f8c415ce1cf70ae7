# SPDX-License-Identifier: MIT
"""A student's grade as the autograding actions of GitHub hand it on: JSON, and the same in base64 as a step's output.

autograding-grading-reporter weighs all tests of one runner alike in its table: give it one result per exercise where
points differ.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence

from .record import ExerciseGrade


def write(exercises: Sequence[ExerciseGrade]) -> str:
    tests = [
        {
            "name": entry.exercise,
            "status": status_of(entry),
            "score": entry.score,
            "message": "" if entry.passed else entry.text,
            "test_code": f"./course check {entry.exercise}",
            "filename": "",
            "line_no": 0,
            "duration": round(entry.seconds * 1000),
        }
        for entry in exercises
    ]
    data = {
        "version": 1,
        "status": overall([status_of(entry) for entry in exercises]),
        "max_score": round(sum(entry.most for entry in exercises), 2),
        "tests": tests,
    }
    return json.dumps(data, indent=1) + "\n"


def encoded(exercises: Sequence[ExerciseGrade]) -> str:
    """One line for a step's output `result`."""
    return base64.b64encode(write(exercises).encode()).decode()


def overall(states: list[str]) -> str:
    """`error` only if nothing ran at all."""
    if states and all(state == "error" for state in states):
        return "error"
    return "pass" if all(state == "pass" for state in states) else "fail"


def status_of(entry: ExerciseGrade) -> str:
    return "pass" if entry.passed else "fail" if entry.ran else "error"

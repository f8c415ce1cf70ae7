# SPDX-License-Identifier: MIT
"""A student's grade as Exercism's results.json, version 3."""

from __future__ import annotations

import json

from .github import overall, status_of
from .record import StudentGrade

_LONGEST_OUTPUT = 500  # characters


def write(grade: StudentGrade) -> str:
    tests = [
        {
            "name": entry.exercise,
            "status": status_of(entry),
            "test_code": f"./course check {entry.exercise}",
            "message": None if entry.passed else entry.headline,
            "task_id": number,
            "output": _cut(entry.text) or None,
        }
        for number, entry in enumerate(grade.exercises, start=1)
    ]
    status = overall([status_of(entry) for entry in grade.exercises])
    message = None
    if status == "error":  # nothing ran: the reason stands above, and there are no tests
        message = grade.bad or "\n".join(f"{entry.exercise}: {entry.headline}" for entry in grade.exercises)
        tests = []
    return json.dumps({"version": 3, "status": status, "message": message, "tests": tests}, indent=1) + "\n"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_OUTPUT else text[: _LONGEST_OUTPUT - 4] + "\n..."

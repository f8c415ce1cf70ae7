# SPDX-License-Identifier: MIT
"""A student's grade as Exercism's results.json, version 3."""

from __future__ import annotations

import json

from .github import overall
from .record import StudentGrade

_LONGEST_OUTPUT = 500  # characters


def write(grade: StudentGrade) -> str:
    tests = []
    for number, entry in enumerate(grade.exercises, start=1):
        status = "pass" if entry.passed else "fail" if entry.ran else "error"
        test = {"name": entry.exercise, "status": status, "test_code": f"./course check {entry.exercise}"}
        test |= {"message": None if entry.passed else entry.headline, "task_id": number}
        tests.append(test | {"output": _cut(entry.text) or None})
    status = overall([test["status"] for test in tests])
    message = None
    if status == "error":  # nothing ran: the reason stands above, and there are no tests
        message = grade.bad or "\n".join(f"{entry.exercise}: {entry.headline}" for entry in grade.exercises)
        tests = []
    return json.dumps({"version": 3, "status": status, "message": message, "tests": tests}, indent=1) + "\n"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_OUTPUT else text[: _LONGEST_OUTPUT - 4] + "\n..."

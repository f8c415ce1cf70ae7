# SPDX-License-Identifier: MIT
"""A student's grade as Gradescope's results.json."""

from __future__ import annotations

import json

from .record import StudentGrade


def write(grade: StudentGrade) -> str:
    lines = [f"{grade.score:g} of {grade.most:g} points"]
    if grade.bad:
        lines.append(f"nothing could be graded: {grade.bad}")
    if grade.late:
        lines.append(f"{grade.days_late:.1f} days late: {100 * grade.kept:g} % of the points count")
    tests = [
        {
            "name": f"{entry.exercise}: {entry.title}",
            "number": str(number),
            "score": entry.score,
            "max_score": entry.most,
            "status": "passed" if entry.passed else "failed",
            "output": entry.text,
            "output_format": "text",
            "tags": [entry.lesson, entry.kind.value],
            "visibility": "visible",
        }
        for number, entry in enumerate(grade.exercises, start=1)
    ]
    data = {
        "score": grade.score,
        "execution_time": grade.seconds,
        "output": "\n".join(lines),
        "output_format": "text",
        "stdout_visibility": "hidden",
        "tests": tests,
    }
    return json.dumps(data, indent=1) + "\n"


def failed(reason: str) -> str:
    """When the grader itself failed: Gradescope must never be left without a result."""
    data = {"score": 0, "output": f"the grader failed, this is not your fault: {reason}", "output_format": "text"}
    return json.dumps(data | {"stdout_visibility": "hidden", "tests": []}, indent=1) + "\n"

# SPDX-License-Identifier: MIT
"""A class as CSV: one line per student and exercise."""

from __future__ import annotations

import csv
import io

from .grade_record import ClassGrade

COLUMNS = ("student", "exercise", "score", "max", "verdict", "hints", "seconds", "late", "note")


def write(grade: ClassGrade) -> str:
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(COLUMNS)
    for student in grade.students:
        for entry in student.exercises:
            late = f"{student.days_late:.2f}" if student.late else ""
            hints = "" if entry.hints is None else entry.hints
            row = [student.student, entry.exercise, f"{entry.score:g}", f"{entry.most:g}", entry.kind.value, hints]
            table.writerow(_harmless(value) for value in [*row, f"{entry.seconds:.2f}", late, entry.headline])
    return out.getvalue()


def _harmless(value: object) -> str:
    """A spreadsheet takes a text that begins like this for a formula, and the text comes from a student."""
    text = str(value)
    return "'" + text if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text

# SPDX-License-Identifier: MIT
"""A class as CSV: one line per student and exercise."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable

from .record import ClassGrade, StudentGrade

COLUMNS = ("student", "exercise", "score", "max", "verdict", "hints", "seconds", "late", "note")
_BEGINS_A_FORMULA, _BEGINS_A_CELL = "=+-@", ",;|\t\r\n"


def write(grade: ClassGrade) -> str:
    return header() + "".join(rows(student) for student in grade.students)


def header() -> str:
    return _line(COLUMNS)


def rows(student: StudentGrade) -> str:
    """The lines of one student."""
    text = ""
    for entry in student.exercises:
        late = f"{student.days_late:.2f}" if student.late else ""
        hints = "" if entry.hints is None else entry.hints
        row = [student.student, entry.exercise, f"{entry.score:g}", f"{entry.most:g}", entry.kind.value, hints]
        text += _line(harmless(value) for value in [*row, f"{entry.seconds:.2f}", late, entry.headline])
    return text


def _line(values: Iterable[str]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(values)
    return out.getvalue()


def harmless(value: object) -> str:
    """A spreadsheet takes a text that begins like this for a formula, and the text comes from a student.

    Which character ends a cell differs by country, and some programs take a wide letter for the usual one.
    """
    text, begins = "", True
    for c in str(value):
        usual = unicodedata.normalize("NFKC", c)
        if begins and usual[:1] in _BEGINS_A_FORMULA:
            text += "'"
        text += c
        begins = c in _BEGINS_A_CELL or (begins and (c.isspace() or c in '"\u200b\ufeff'))
    return text

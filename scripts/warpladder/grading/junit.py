# SPDX-License-Identifier: MIT
"""A student's grade as JUnit XML: the common core that GitHub, GitLab and Jenkins read."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from ..exercises.verdict import Kind
from .record import ExerciseGrade, StudentGrade

_SKIPPED = (Kind.MISSING, Kind.NOT_STARTED)
_ERRORS = (Kind.COMPILE_ERROR,)


def write(grade: StudentGrade) -> str:
    counts = {
        "tests": str(len(grade.exercises)),
        "failures": str(sum(_element(entry) == "failure" for entry in grade.exercises)),
        "errors": str(sum(_element(entry) == "error" for entry in grade.exercises)),
        "skipped": str(sum(_element(entry) == "skipped" for entry in grade.exercises)),
        "time": f"{grade.seconds:.3f}",
    }
    suites = ET.Element("testsuites", counts)
    suite = ET.SubElement(suites, "testsuite", {"name": _xml(grade.student), **counts})
    for entry in grade.exercises:
        names = {"classname": entry.lesson, "name": entry.exercise, "time": f"{entry.seconds:.3f}"}
        case = ET.SubElement(suite, "testcase", names)
        if name := _element(entry):
            child = ET.SubElement(case, name, {"message": _xml(entry.headline)})
            if name != "skipped":
                child.set("type", entry.kind.value)
        ET.SubElement(case, "system-out").text = _xml(f"{entry.score:g} of {entry.most:g} points\n{entry.text}")
    ET.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suites, encoding="unicode") + "\n"


def _element(entry: ExerciseGrade) -> str:
    if entry.passed:
        return ""
    return "skipped" if entry.kind in _SKIPPED else "error" if entry.kind in _ERRORS else "failure"


def _xml(text: str) -> str:
    """Without the characters that XML cannot hold, however they are written."""
    return "".join(
        c if c in "\t\n" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff" else "?" for c in text
    )

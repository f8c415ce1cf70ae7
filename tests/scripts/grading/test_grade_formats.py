# SPDX-License-Identifier: MIT
"""The four formats and the CSV, from records with everything a student can put into them."""

from __future__ import annotations

import base64
import csv
import io
import json
import xml.etree.ElementTree as ET

import pytest
import result_schemas

from warpladder.exercises.verdict import Kind
from warpladder.grading import csv_file, exercism, github, gradescope, junit
from warpladder.grading.record import ClassGrade, ExerciseGrade, StudentGrade, one_line, plain_text


def entry(name: str, kind: Kind, score: float = 0.0, text: str = "text") -> ExerciseGrade:
    return ExerciseGrade(name, "A title", "04_warp_shuffle", score, 10.0, kind, text[:50], text, 1.25, hints=2)


ODD = "]]> </failure> & \"'<script>\x00\x1b[31m \ufffe \U0001f600 " + "x" * 3000
MIXED = StudentGrade(
    "Ann & Bob <x>",
    (
        entry("right", Kind.PASSED, 10.0),
        entry("wrong", Kind.WRONG_VALUE, 2.5, ODD),
        entry("broken", Kind.COMPILE_ERROR, text="it does not compile"),
        entry("absent", Kind.MISSING),
        entry("same", Kind.NOT_STARTED),
    ),
    "2026-03-01T12:00:00+00:00",
    1.5,
    0.8,
)
RIGHT = StudentGrade("right", (entry("a", Kind.PASSED, 10.0), entry("b", Kind.PASSED, 10.0)))
NOTHING = StudentGrade("nothing", (entry("a", Kind.COMPILE_ERROR), entry("b", Kind.MISSING)), bad="it is a link")


@pytest.mark.parametrize("grade", [MIXED, RIGHT, NOTHING])
def test_all_are_valid(grade: StudentGrade) -> None:
    result_schemas.check_gradescope(json.loads(gradescope.write(grade)))
    result_schemas.check(json.loads(exercism.write(grade)), "exercism")
    result_schemas.check_junit(junit.write(grade))
    result_schemas.check(json.loads(github.write(grade.exercises)), "github")
    result_schemas.check(ClassGrade((grade,), 7, "emulator", ()).to_json(), "grade")
    result_schemas.check_gradescope(json.loads(gradescope.failed("no compiler")))


def test_gradescope() -> None:
    data = json.loads(gradescope.write(MIXED))
    assert data["score"] == 12.5 and [test["number"] for test in data["tests"]] == ["1", "2", "3", "4", "5"]
    assert data["output"].splitlines() == ["12.5 of 50 points", "1.5 days late: 80 % of the points count"]
    assert [test["status"] for test in data["tests"]] == ["passed"] + ["failed"] * 4
    assert "nothing could be graded: it is a link" in json.loads(gradescope.write(NOTHING))["output"]


def test_github() -> None:
    data = json.loads(github.write(MIXED.exercises))
    assert (data["status"], data["max_score"]) == ("fail", 50)
    assert [test["status"] for test in data["tests"]] == ["pass", "fail", "error", "error", "error"]
    assert data["tests"][0]["duration"] == 1250
    encoded = github.encoded(MIXED.exercises)
    assert "\n" not in encoded and json.loads(base64.b64decode(encoded)) == data
    assert json.loads(github.write(NOTHING.exercises))["status"] == "error"


def test_exercism() -> None:
    data = json.loads(exercism.write(MIXED))
    assert (data["version"], data["status"], data["message"]) == (3, "fail", None)
    assert [test["task_id"] for test in data["tests"]] == [1, 2, 3, 4, 5]
    assert len(data["tests"][1]["output"]) <= 500
    nothing = json.loads(exercism.write(NOTHING))
    assert (nothing["status"], nothing["message"], nothing["tests"]) == ("error", "it is a link", [])
    assert json.loads(exercism.write(RIGHT))["status"] == "pass"


def test_junit() -> None:
    root = ET.fromstring(junit.write(MIXED).encode())
    assert {key: root.attrib[key] for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5",
        "failures": "1",
        "errors": "1",
        "skipped": "2",
    }
    failure = root.find("testsuite/testcase/failure")
    assert failure is not None and failure.attrib["type"] == "wrong_value"


def test_csv() -> None:
    evil = StudentGrade('=cmd("x"),\n', (entry("a", Kind.WRONG_VALUE, text="@SUM(1)"),))
    text = csv_file.write(ClassGrade((MIXED, evil), 1, "x", ()))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 6
    assert list(rows[0]) == ["student", "exercise", "score", "max", "verdict", "hints", "seconds", "late", "note"]
    assert rows[0] | {"note": ""} == {
        "student": "Ann & Bob <x>",
        "exercise": "right",
        "score": "10",
        "max": "10",
        "verdict": "passed",
        "hints": "2",
        "seconds": "1.25",
        "late": "1.50",
        "note": "",
    }
    assert rows[5]["student"].startswith("'=") and rows[5]["note"] == "'@SUM(1)", "no formulas"


def test_texts_are_only_text() -> None:
    assert one_line("a\nb\x1b[31m\x00") == "a b [31m "
    assert plain_text("a\nb\rc\x1b") == "a\nb c "
    assert len(one_line("x" * 1000)) == 300 and len(plain_text("x" * 100000)) == 8000

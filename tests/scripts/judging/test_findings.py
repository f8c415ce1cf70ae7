# SPDX-License-Identifier: MIT
"""What the checks found, as a student reads it; and what is made of a file that a stranger wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from warpladder.judging import findings

RACE = {
    "check": "race",
    "id": "race-shared",
    "severity": "error",
    "title": "race in shared memory,",
    "what": "element 3 of a 64-byte allocation made by cudaMalloc (the 2nd of the program)",
    "why": "no __syncwarp() lies between",
    "cure": "__syncwarp() between mine.cuh:2 and mine.cuh:3",
    "accesses": [
        {"who": "thread (1,0,0)", "does": "writes 1", "where": "mine.cuh:2"},
        {"who": "thread (0,0,0)", "does": "reads 1", "where": "mine.cuh:3"},
    ],
}
SYNC = {**RACE, "check": "sync", "title": "divergent barrier,", "accesses": []}


def read(*found: object) -> findings.Finding | None:
    return findings.first(json.dumps({"findings": found}).encode())


def test_in_the_words_of_a_student(tmp_path: Path) -> None:
    student = tmp_path / "mine.cuh"
    student.write_text("// mine\n  s[t] = 1;\n  x = s[0];\n")
    found = read({**RACE, "severity": "remark"}, SYNC, RACE)
    assert found is not None, "an error comes before a remark, a race before all"
    assert findings.headline(found, "exercise-array: x 0x7000 64\n") == "a race in shared memory: element 3 of x"
    assert findings.headline(found, "") == "a race in shared memory: element 3 of an array of 64 bytes"
    told = dict(findings.details(found, student))
    assert told["first"] == "thread (1,0,0) writes 1, line 2\n2 | s[t] = 1;"
    assert told["then"] == "thread (0,0,0) reads 1, line 3\n3 | x = s[0];"
    assert told["try"] == "__syncwarp() between line 2 and line 3"


def test_nothing_found() -> None:
    assert read() is None
    assert read({**RACE, "severity": "remark"}) is None


@pytest.mark.parametrize(
    "data",
    [None, b"", b"[", b"[]", b"{}", b'{"findings": 3}', b'{"findings": [1, null]}', b"\xff" * 40, b"[" * 100_000],
)
def test_what_is_no_file_of_findings(data: bytes | None) -> None:
    assert findings.first(data) is None


def test_findings_of_another_shape() -> None:
    found = read({"severity": "error", "accesses": [1, {"who": 3}], "what": "x" * 10_000, "title": None})
    assert found is not None
    assert len(found.what) < 1000
    assert findings.details(found, Path("mine.cuh"))

# SPDX-License-Identifier: MIT
"""The result formats as schemas, written from their public descriptions, and a small validator for them.

A schema is a type, a set of allowed values, a list with the schema of its elements, or a dict of keys; a key that ends
with "?" may be missing. No other keys are allowed.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

NUMBER = (int, float)
_VISIBILITY = {"hidden", "after_due_date", "after_published", "visible"}
_FORMAT = {"text", "html", "simple_format", "md", "ansi"}

GRADESCOPE = {
    "score?": NUMBER,
    "execution_time?": NUMBER,
    "output?": str,
    "output_format?": _FORMAT,
    "test_output_format?": _FORMAT,
    "test_name_format?": _FORMAT,
    "visibility?": _VISIBILITY,
    "stdout_visibility?": _VISIBILITY,
    "extra_data?": dict,
    "tests?": [
        {
            "score?": NUMBER,
            "max_score?": NUMBER,
            "status?": {"passed", "failed"},
            "name?": str,
            "name_format?": _FORMAT,
            "number?": str,
            "output?": str,
            "output_format?": _FORMAT,
            "tags?": [str],
            "visibility?": _VISIBILITY,
            "extra_data?": dict,
        }
    ],
    "leaderboard?": [{"name": str, "value": (int, float, str), "order?": {"asc", "desc"}}],
}
_STATUS = {"pass", "fail", "error"}
GITHUB = {
    "version": {1},
    "status": _STATUS,
    "max_score": NUMBER,
    "tests": [
        {
            "name": str,
            "status": _STATUS,
            "score": NUMBER,
            "message": str,
            "test_code": str,
            "filename": str,
            "line_no": int,
            "duration": NUMBER,
        }
    ],
}
EXERCISM = {
    "version": {3},
    "status": _STATUS,
    "message": (str, type(None)),
    "tests": [
        {
            "name": str,
            "status": _STATUS,
            "message?": (str, type(None)),
            "output?": (str, type(None)),
            "test_code?": str,
            "task_id?": int,
        }
    ],
}


def check(data: Any, schema: Any, where: str = "$") -> None:  # noqa: ANN401
    """Raises AssertionError with the place that does not fit."""
    if isinstance(schema, dict):
        assert isinstance(data, dict), f"{where} is no object"
        keys = {key.removesuffix("?"): (part, not key.endswith("?")) for key, part in schema.items()}
        assert set(data) <= set(keys), f"{where}: unknown {set(data) - set(keys)}"
        for key, (part, needed) in keys.items():
            assert key in data or not needed, f"{where}.{key} is missing"
            if key in data:
                check(data[key], part, f"{where}.{key}")
    elif isinstance(schema, list):
        assert isinstance(data, list), f"{where} is no list"
        for number, element in enumerate(data):
            check(element, schema[0], f"{where}[{number}]")
    elif isinstance(schema, set):
        assert data in schema and not isinstance(data, bool), f"{where}: {data!r} is none of {schema}"
    else:
        assert isinstance(data, schema) and not isinstance(data, bool), f"{where}: {data!r} is no {schema}"


def check_exercism(data: Any) -> None:  # noqa: ANN401
    check(data, EXERCISM)
    assert (data["status"] == "error") == (data["message"] is not None)
    assert data["tests"] or data["status"] == "error"
    assert all(len(test.get("output") or "") <= 500 for test in data["tests"])


def check_gradescope(data: Any) -> None:  # noqa: ANN401
    check(data, GRADESCOPE)
    assert "score" in data or all("score" in test for test in data["tests"])
    assert all(0 <= test["score"] <= test["max_score"] for test in data["tests"])


_ATTRIBUTES = {
    "testsuites": {"tests", "failures", "errors", "skipped", "time"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time"},
    "testcase": {"classname", "name", "time"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message"},
    "system-out": set(),
}
_INSIDE = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "error", "skipped", "system-out"},
}


def check_junit(text: str) -> None:
    root = ET.fromstring(text.encode())
    assert root.tag == "testsuites"
    for element in root.iter():
        assert set(element.attrib) == _ATTRIBUTES[element.tag], element.tag
        assert {child.tag for child in element} <= _INSIDE.get(element.tag, set()), element.tag
    for suite in root:
        for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.attrib[name]) == len(suite.findall(f"testcase/{tag}")), name
        assert int(suite.attrib["tests"]) == len(suite)

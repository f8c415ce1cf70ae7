# SPDX-License-Identifier: MIT
"""Whether what was written is what its schema in scripts/schemas says; and the rules that a schema cannot express.

For tests only: `./course` itself runs without any package, and what a stranger's program left behind is read by hand,
with bounds on time and memory that a validator does not keep (judging/counters.py, judging/judge.py).
"""

from __future__ import annotations

import functools
import json
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any

import pytest

from warpladder.core.paths import SCRIPTS

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

SCHEMAS = SCRIPTS / "schemas"


@functools.cache
def validator(name: str) -> Draft202012Validator:
    pytest.importorskip("jsonschema")  # without a network another Python than .venv's may run the tests
    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8")))


def check(data: Any, name: str) -> None:  # noqa: ANN401
    """Raises AssertionError with the places that do not fit."""
    # As JSON has it: a tuple is a list there.
    errors = [f"{e.json_path}: {e.message}" for e in validator(name).iter_errors(json.loads(json.dumps(data)))]
    if errors:
        raise AssertionError("; ".join(errors))


def check_gradescope(data: Any) -> None:  # noqa: ANN401
    check(data, "gradescope")
    assert all(test["score"] <= test["max_score"] for test in data["tests"])


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

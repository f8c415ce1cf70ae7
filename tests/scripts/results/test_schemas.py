# SPDX-License-Identifier: MIT
"""scripts/schemas: every document that is committed or written fits its schema, and what does not is told."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import result_schemas
import sample_results

from warpladder.core.paths import LESSONS, RESULTS, ROOT
from warpladder.exercises import catalog
from warpladder.exercises.progress import Progress
from warpladder.exercises.verdict import Kind
from warpladder.results import saved

COMMITTED = {
    **{file: "results" for file in sorted(RESULTS.glob("*/results.json")) if file.parent.name != "mine"},
    **{file: "timing_set" for file in sorted(RESULTS.glob("h200/timing_set*.json"))},
    **{file: "profiles" for file in sorted(RESULTS.glob("*/profiles.json"))},
    **{file: "timing_report" for file in sorted(RESULTS.glob("emulator-h200/timing_set.json"))},
    **{file: "exercise" for file in sorted(LESSONS.glob("*/exercises/*/exercise.json"))},
    ROOT / "grading.json": "grading",
}


@pytest.mark.parametrize("file", result_schemas.SCHEMAS.iterdir(), ids=lambda file: file.name)
def test_schemas_are_schemas(file: Path) -> None:
    schema = json.loads(file.read_text(encoding="utf-8"))
    result_schemas.validator(file.name.partition(".")[0]).check_schema(schema)


@pytest.mark.parametrize("file", COMMITTED, ids=lambda file: str(file.relative_to(ROOT)))
def test_what_is_committed_fits(file: Path) -> None:
    result_schemas.check(json.loads(file.read_text(encoding="utf-8")), COMMITTED[file])


def test_the_rules_in_the_manual_fit() -> None:
    text = (ROOT / "docs" / "instructors.md").read_text(encoding="utf-8")
    rules = [block for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL) if "warpladder-grading/1" in block]
    assert rules
    for block in rules:
        result_schemas.check(json.loads(block), "grading")


def test_verdicts_and_counters_of_exercises_are_known() -> None:
    """Their names stand in one place each, so a schema does not repeat them."""
    counters = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "emulator").rglob("counters.def"))
    names = set(re.findall(r'^(?:COUNTER|LAUNCH)\(\w+, "([^"]+)"', counters, re.MULTILINE))
    for exercise in catalog.everything():
        assert {budget.counter for budget in exercise.budgets} <= names, exercise.name
        assert {*exercise.wrong.values(), exercise.starter_verdict} <= set(Kind)


def test_progress_fits(tmp_path: Path) -> None:
    progress = Progress(tmp_path / "progress.json")
    progress.checked(catalog.find("warp_sum"), Kind.PASSED)
    result_schemas.check(json.loads(progress.path.read_text(encoding="utf-8")), "progress")


def results() -> dict[str, Any]:
    documents = [sample_results.documents()[0], sample_results.experiment() | {"part": saved.EXPERIMENT}]
    return copy.deepcopy(saved.collect(documents, "./course run"))


def test_a_run_fits() -> None:
    result_schemas.check(results(), "results")


def rung(data: dict[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = next(row for row in data["documents"][0]["rows"] if row["kind"] == "rung")
    return row


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda data: data.pop("roof"), "'roof' is a required property"),
        (lambda data: data.update(schema=2), "$.schema: 1 was expected"),
        (lambda data: data.update(documents=[]), "$.documents: [] should be non-empty"),
        (lambda data: data.update(more=1), "'more' was unexpected"),
        (lambda data: data["documents"][0].update(more=1), "'more' was unexpected"),
        (lambda data: data["documents"][0].update(part="ladders"), "'ladders' is not one of"),
        (lambda data: rung(data).update(median_us="3"), "'3' is not of type 'number'"),
        (lambda data: rung(data).update(gbps=-1), "-1 is less than the minimum of 0"),
        (lambda data: rung(data).pop("ok"), "'ok' is a required property"),
        (lambda data: data["documents"][-1]["tables"][0]["rows"].append([1, 2]), "1 is not of type 'string'"),
    ],
)
def test_what_does_not_fit_is_told(spoil: Callable[[dict[str, Any]], object], told: str) -> None:
    data = results()
    spoil(data)
    with pytest.raises(AssertionError, match=re.escape(told)):
        result_schemas.check(data, "results")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"version": 3, "status": "ok", "message": None, "tests": []}, "'ok' is not one of"),
        ({"version": 3, "status": "fail", "tests": [{"name": "a", "status": "fail"}]}, "'message' is a required"),
        ({"version": 3, "status": "error", "message": None, "tests": []}, "None is not of type 'string'"),
        ({"version": 3, "status": "pass", "message": None, "tests": [{"name": 5, "status": "pass"}]}, "5 is not"),
        ({"version": 3, "status": "pass", "message": None, "tests": [], "more": 1}, "'more' was unexpected"),
    ],
)
def test_a_wrong_result_for_exercism_is_told(data: dict[str, Any], told: str) -> None:
    with pytest.raises(AssertionError, match=re.escape(told)):
        result_schemas.check(data, "exercism")

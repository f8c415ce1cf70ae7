# SPDX-License-Identifier: MIT
"""scripts/sanitize_lessons.py: every program of the lessons is run, and the page shows what was recorded."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))

import sanitize_lessons as sanitize  # noqa: E402
from warpladder.setup import machine  # noqa: E402


def test_every_program_is_run_under_every_tool_unless_it_is_wrong_on_purpose() -> None:
    sources = [*ROOT.glob("lessons/*/*.cu")]
    runs = sanitize.runs("")
    assert len({run.program for run in runs}) == len(sources) - len(sanitize.ON_PURPOSE)
    assert all(len({run.tool for run in runs if run.program == name}) == 4 for name in sanitize.programs())


def test_exceptions_and_arguments_are_of_programs_that_there_are() -> None:
    names = set(sanitize.programs()) | sanitize.ON_PURPOSE
    assert set(sanitize.ARGUMENTS) <= names
    assert {unseen.program for unseen in sanitize.UNSEEN} <= names


def test_a_run_that_found_something_or_did_not_end_is_not_clean() -> None:
    assert sanitize.clean({"errors": 0, "exit": 0})
    assert not sanitize.clean({"errors": 3, "exit": 9})
    assert not sanitize.clean({"errors": None, "exit": None})
    assert not sanitize.clean({"errors": 0, "exit": 1})


def test_the_page_shows_what_was_recorded() -> None:
    document = json.loads(sanitize.FILE.read_text(encoding="utf-8"))
    assert sanitize.table(document) in sanitize.PAGE.read_text(encoding="utf-8")


def test_what_is_run_with_other_arguments_now_is_not_shown_any_more() -> None:
    old = {"program": sanitize.programs()[0], "arguments": "--of-old", "tool": "memcheck", "errors": 0, "exit": 0}
    made = {"version": "v", "device": "d", "date": "2026-01-01", "revision": "abc"}
    assert "--of-old" not in sanitize.table({"rows": [{**old, **made}]})


def test_no_tool_has_found_anything() -> None:
    document = json.loads(sanitize.FILE.read_text(encoding="utf-8"))
    assert [row for row in document["rows"] if row["errors"]] == []
    assert len([row for row in document["rows"] if sanitize.clean(row)]) > 150


def test_without_a_gpu_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(machine, "gpus", lambda: [])
    monkeypatch.setattr(sys, "argv", ["sanitize_lessons.py", "record"])
    assert sanitize.main() == 3
    assert capsys.readouterr().err == "sanitize_lessons: it needs a GPU\n"

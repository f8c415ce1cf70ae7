# SPDX-License-Identifier: MIT
"""The recorded run of look-back: what is read from the program's lines, and that the committed run makes sense."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

_FILE = Path(__file__).resolve().parents[3] / "scripts" / "record_flight.py"
_SPEC = importlib.util.spec_from_file_location("record_flight", _FILE)
assert _SPEC and _SPEC.loader
record_flight = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(record_flight)

LINES = """
event  tile  what it does
    0     1  tells its sum
    1     1  waits for tile 0
    2     0  tells its prefix
    3     1  finds the prefix of tile 0
"""


def test_lines_become_events() -> None:
    assert record_flight.events(LINES) == [
        [1, "tells", 1, "sum"],
        [1, "waits", 0, ""],
        [0, "tells", 0, "prefix"],
        [1, "finds", 0, "prefix"],
    ]
    with pytest.raises(SystemExit, match="no events"):
        record_flight.events("08_scan.flight on a GPU\n")
    with pytest.raises(SystemExit, match="event 1 is missing"):
        record_flight.events(LINES.replace("    1     1  waits for tile 0\n", ""))


def test_nobody_finds_what_was_not_told() -> None:
    told: set[tuple[int, str]] = set()
    for tile, what, other, word in json.loads(record_flight.DATA.read_text(encoding="utf-8"))["events"]:
        if what == "tells":
            told.add((tile, word))
        if what == "finds":
            assert (other, word) in told
    assert {tile for tile, word in told if word == "prefix"} == set(range(12))

# SPDX-License-Identifier: MIT
"""Reads the JUnit files that ctest and pytest write, and adds up what they say."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

# The last line of a Catch2 executable that passed.
_CATCH = re.compile(r"All tests passed \((\d+) assertions? in (\d+) test cases?\)")


@dataclass
class Totals:
    passed: int = 0
    skipped: int = 0
    failed: list[str] = field(default_factory=list)
    skip_reasons: dict[str, str] = field(default_factory=dict)
    catch_cases: int = 0
    catch_assertions: int = 0
    seconds: dict[str, float] = field(default_factory=dict)  # how long each test took

    def add(self, other: Totals) -> None:
        self.passed += other.passed
        self.skipped += other.skipped
        self.failed += other.failed
        self.skip_reasons.update(other.skip_reasons)
        self.catch_cases += other.catch_cases
        self.catch_assertions += other.catch_assertions
        self.seconds.update(other.seconds)

    def line(self) -> str:
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        return f"{self.passed} passed, {len(self.failed)} failed{skipped}"


def read_junit(path: Path, prefix: str = "") -> Totals:
    """A file that is missing or broken counts as one failure: a run that died must never look like a pass."""
    totals = Totals()
    try:
        cases = ElementTree.parse(path).getroot().iter("testcase")
    except (OSError, ElementTree.ParseError):
        totals.failed.append(f"{prefix}{path.name} (no result was written)")
        return totals
    for case in cases:
        # pytest says the file, as a module; the tests of CTest are named fully.
        file = case.get("classname", "").rpartition(".")[2] + "." if prefix else ""
        _count(totals, prefix + file + case.get("name", "?"), case)
    return totals


def _count(totals: Totals, name: str, case: ElementTree.Element) -> None:
    skipped = case.find("skipped")
    totals.seconds[name] = float(case.get("time") or 0.0)
    if case.find("failure") is not None or case.find("error") is not None:
        totals.failed.append(name)
    elif skipped is not None or case.get("status") in ("notrun", "disabled"):
        totals.skipped += 1
        output = (case.findtext("system-out") or "").strip()
        message = skipped.get("message", "") if skipped is not None else ""
        totals.skip_reasons[name] = output.splitlines()[0] if output else message
    else:
        totals.passed += 1
        match = _CATCH.search(case.findtext("system-out") or "")
        if match:
            totals.catch_assertions += int(match.group(1))
            totals.catch_cases += int(match.group(2))

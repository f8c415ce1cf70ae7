# SPDX-License-Identifier: MIT
"""What the emulator's checks found in a run (docs/checking.md), in a student's words. All of it may be a stranger's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ..core.plain import one_line
from ..sandbox import untrusted
from . import arrays, diagnose

CHECKS = "race,sync"
_MOST_FINDINGS, _LONGEST = 10_000, 600


@dataclass(frozen=True)
class Finding:
    check: str
    title: str
    what: str
    why: str
    cure: str
    accesses: tuple[tuple[str, str, str], ...]  # who, what it does, file:line


def first(data: bytes | None) -> Finding | None:
    """The first that is an error, of a race if there is one; None where there is none, or no file that can be read."""
    try:
        whole = untrusted.parsed(data)
    except ValueError:
        return None
    entries = whole.get("findings") if isinstance(whole, dict) else None
    if not isinstance(entries, list) or len(entries) > _MOST_FINDINGS:
        return None
    errors = [entry for entry in entries if isinstance(entry, dict) and entry.get("severity") == "error"]
    errors.sort(key=lambda entry: entry.get("check") != "race")
    return _finding(errors[0]) if errors else None


def _finding(entry: dict[str, object]) -> Finding:
    def text(name: str, of: dict[str, object] = entry) -> str:
        value = of.get(name)
        return one_line(value, _LONGEST) if isinstance(value, str) else ""

    accesses = entry.get("accesses")
    parts = [part for part in accesses if isinstance(part, dict)][:2] if isinstance(accesses, list) else []
    return Finding(
        text("check"),
        text("title").rstrip(","),
        text("what"),
        text("why"),
        text("cure"),
        tuple((text("who", part), text("does", part), text("where", part)) for part in parts),
    )


def headline(finding: Finding, stderr: str) -> str:
    title = finding.title if finding.check != "race" else f"a {finding.title}"
    return f"{title}: {arrays.named(finding.what, stderr)}"


def details(finding: Finding, student: Path) -> list[tuple[str, str]]:
    """Both accesses with the student's lines, why nothing orders them, and the smallest change that would."""

    def lines(text: str) -> str:
        return re.sub(re.escape(student.name) + r":(\d+)", r"line \1", text)

    told = []
    labels = ("first", "then") if len(finding.accesses) > 1 else ("who",)
    for label, (who, does, where) in zip(labels, finding.accesses, strict=False):
        source = diagnose.source_line(student, where)
        at = f", {lines(where)}" if where else ""
        told.append((label, f"{who} {does}{at}" + (f"\n{source}" if source else "")))
    return [*told, ("why", lines(finding.why)), ("try", lines(finding.cure))]

# SPDX-License-Identifier: MIT
"""The lines of a trace (emulator/trace) as data: who did what, step by step, for the page."""

from __future__ import annotations

import re
from typing import Any

_KERNEL = re.compile(r"^trace of (.+?)<<<(.*)>>>(?:, schedule (.*))?$")
_STEP = re.compile(r"^ *(\d+)  (b\S+ t\S+)\s+(.*)$")
_MOST_STEPS = 5000


def traces(text: str) -> list[dict[str, Any]]:
    """Each launch of a trace with its steps; of a long one the first."""
    found: list[dict[str, Any]] = []
    for line in text.splitlines():
        if match := _KERNEL.match(line):
            found.append({"kernel": match.group(1), "schedule": match.group(3) or "", "steps": [], "total": 0})
        elif found and (match := _STEP.match(line)):
            found[-1]["total"] += 1
            if len(found[-1]["steps"]) < _MOST_STEPS:
                found[-1]["steps"].append([match.group(2), *_parts(match.group(3))])
    return found


def _parts(text: str) -> list[str]:
    """Operation, address, value, place and text of the source: columns are apart by two blanks at least."""
    parts = [part.strip() for part in re.split(r"  +", text, maxsplit=4)]
    return [*parts, *[""] * (5 - len(parts))][:5]

# SPDX-License-Identifier: MIT
"""The emulator's counters of a run, as a stranger's program left them: so all is checked.

By hand, and not by their schema: it must end soon whatever stands there, and a validator keeps no bound on time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from ..core.plain import one_line
from ..exercises.catalog import Budget
from ..sandbox import untrusted

_MOST_LAUNCHES, _MOST_LINES, _MOST_COUNTERS = 10_000, 100_000, 1000
_LARGEST = 1 << 62


@dataclass(frozen=True)
class Launch:
    launch: dict[str, int]  # figures of the launch itself: shared memory and the like
    counters: dict[str, int]
    lines: list[tuple[str, dict[str, int]]] = field(default_factory=list)  # file:line, and what it spent


def launches(data: bytes | None) -> list[Launch]:
    """ValueError, in one sentence, if it is not what the emulator writes."""
    whole = untrusted.parsed(data)
    entries = whole.get("launches") if isinstance(whole, dict) else None
    if not isinstance(entries, list) or not 0 < len(entries) <= _MOST_LAUNCHES:
        raise ValueError("the emulator's counters are not there, or damaged")
    found = [_launch(entry) for entry in entries]
    if sum(len(launch.lines) for launch in found) > _MOST_LINES:
        raise ValueError("the emulator's counters are larger than any")
    return found


def _launch(entry: object) -> Launch:
    if not isinstance(entry, dict) or not isinstance(entry.get("lines"), list):
        raise ValueError("the emulator's counters are damaged")
    lines = [_line(line) for line in entry["lines"]]
    return Launch(_figures(entry.get("launch")), _figures(entry.get("counters")), lines)


def _line(entry: object) -> tuple[str, dict[str, int]]:
    if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
        raise ValueError("the emulator's counters are damaged")
    name = one_line(PurePosixPath(entry["file"][-1000:]).name, 100)
    return f"{name}:{_figure(entry.get('line'))}", _figures(entry.get("counters"))


def _figures(entry: object) -> dict[str, int]:
    if not isinstance(entry, dict) or len(entry) > _MOST_COUNTERS:
        raise ValueError("the emulator's counters are damaged")
    return {name: _figure(value) for name, value in entry.items()}


def _figure(value: Any) -> int:  # noqa: ANN401
    if type(value) not in (int, float) or not 0 <= value <= _LARGEST:
        raise ValueError("the emulator's counters hold what is no count")
    return int(value)


def spent(launches: list[Launch], budget: Budget) -> tuple[int, str, int]:
    """What the launches spent of a counter, the line that spent most, and how much that one did."""
    name = budget.counter
    if any(name in launch.launch for launch in launches):
        return max(launch.launch.get(name, 0) for launch in launches), "", 0
    if any(name not in launch.counters for launch in launches):
        raise ValueError(f"the emulator has no counter {name}")
    lines: dict[str, int] = {}
    for launch in launches:
        for where, counters in launch.lines:
            lines[where] = lines.get(where, 0) + counters.get(name, 0)
    total = sum(launch.counters[name] for launch in launches)
    where = max(lines, key=lambda key: lines[key], default="")
    return total, where, lines.get(where, 0)

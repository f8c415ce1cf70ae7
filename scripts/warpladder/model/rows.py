# SPDX-License-Identifier: MIT
"""What the micro-kernels of tests/model took on an H200: results/h200/micro.json and memory.json."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from ..core import devices
from ..core.console import CourseError
from ..core.paths import RESULTS

DEVICE = "h200"
MICRO = RESULTS / DEVICE / "micro.json"
MEMORY = RESULTS / DEVICE / "memory.json"
Row = dict[str, float]  # of a row: its parameters, `us` and `spread`


@dataclass(frozen=True)
class Gpu:
    """The GPU that was measured, as the emulator defines it."""

    profile: dict[str, int] = field(default_factory=lambda: devices.profile(DEVICE))
    timing: dict[str, float] = field(default_factory=lambda: devices.timing(DEVICE))

    @property
    def multiprocessors(self) -> int:
        return self.profile["multiprocessors"]

    @property
    def clock(self) -> float:
        """Cycles in a nanosecond."""
        return self.profile["sm_clock_khz"] / 1e6

    @property
    def bus_gbps(self) -> float:
        """What the memory's bus can carry: two words in a clock."""
        return self.profile["memory_bus_bits"] / 8 * 2 * self.profile["memory_clock_khz"] / 1e6

    def resident(self, threads: int) -> int:
        """Blocks of so many threads that are there at once."""
        return self.multiprocessors * (self.profile["max_threads_per_sm"] // threads)


class Rows:
    def __init__(self, gpu: Gpu | None = None) -> None:
        self.gpu = gpu or Gpu()
        self._rows: list[tuple[str, Row]] = []
        for file in (MICRO, MEMORY):
            for row in json.loads(file.read_text(encoding="utf-8"))["rows"]:
                self._rows.append((row.pop("id"), row))

    def of(self, id: str) -> list[Row]:
        """The rows of one kernel, one of each set of parameters: the first."""
        found: dict[tuple[tuple[str, float], ...], Row] = {}
        for name, row in self._rows:
            if name == id:
                found.setdefault(tuple(sorted((k, v) for k, v in row.items() if k not in ("us", "spread"))), row)
        return list(found.values())

    def us(self, id: str, **wanted: int) -> float:
        """The first row with these parameters; `dirty` and `kept` are absent unless wanted."""
        wanted = {"dirty": 0, "kept": 0, **wanted}
        for name, row in self._rows:
            marked = {"dirty": 0, "kept": 0, **row}
            if name == id and all(marked.get(key) == value for key, value in wanted.items()):
                return row["us"]
        raise CourseError(f"{MICRO.name} has no row {id} {wanted}")

    def slope(self, id: str, by: str, few: int, many: int, **wanted: int) -> float:
        """Nanoseconds for each more of `by`: what is done once falls away."""
        return 1e3 * (self.us(id, **{by: many}, **wanted) - self.us(id, **{by: few}, **wanted)) / (many - few)

    def cycles(self, id: str, by: str, few: int, many: int, **wanted: int) -> float:
        """The same in cycles."""
        return self.gpu.clock * self.slope(id, by, few, many, **wanted)

    def chain(self, id: str) -> float:
        """Cycles of one step of a chain: 256 steps in a round."""
        return self.cycles(id, "rounds", 4, 12, chains=1) / 256

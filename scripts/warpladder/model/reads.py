# SPDX-License-Identifier: MIT
"""The three constants that no single row tells: a fit of the model to all rows of the kernel `read`.

A fit has to compute the model many times over, so the model of this one kernel stands here in a few lines. Its
constants are those of the emulator; a test compares the times with what the emulator itself says.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from ..core.console import CourseError
from ..core.paths import ROOT
from .rows import Gpu, Row, Rows

THREADS = 256  # of a block of `read`
_OTHER_CYCLES = 60  # of a block of `read`: all that is neither load nor loop
_SHARPNESS = re.compile(r"\bkSharpness = ([\d.]+);")


@dataclass(frozen=True)
class Reading:
    """What a fit changes."""

    gbps: float
    memory_sharpness: float
    first_read_latency: float

    def changed(self, name: str, value: float) -> Reading:
        return Reading(**{**self.__dict__, name: value})


def sharpness() -> float:
    """The exponent that puts the times of all resources together, from the source of the model."""
    found = {m[1] for file in (ROOT / "emulator").rglob("model.cpp") for m in _SHARPNESS.finditer(file.read_text())}
    if len(found) != 1:
        raise CourseError("emulator/**/model.cpp does not define kSharpness once")
    return float(found.pop())


class ReadModel:
    """Microseconds that the model gives a row `read`: the terms `path`, `dram` and `blocks`, and what comes before."""

    def __init__(self, gpu: Gpu, shares: tuple[float, float]) -> None:
        """`shares`: of the L2, what must be written back for a usual load and for a streaming one."""
        self._gpu, self._shares, self._sharpness = gpu, shares, sharpness()

    def us(self, row: Row, at: Reading) -> float:
        gpu, sharpness = self._gpu, at.memory_sharpness
        blocks, size = row["blocks"], row["bytes"]
        at_once = min(blocks, gpu.resident(THREADS))
        fills = blocks / at_once
        rounds = size / (blocks * row["width"] * row["in_flight"] * THREADS)
        written_back = self._shares[int(row["streaming"])] if row.get("dirty") else 0.0
        latency = gpu.timing["dram_latency"] / gpu.clock
        dram = (size + written_back * min(size, gpu.profile["l2_bytes"])) / at.gbps
        path = max(0.0, rounds * fills - 1) * latency
        memory = (path**sharpness + dram**sharpness) ** (1 / sharpness)
        starts = blocks * gpu.timing["block_ns"]
        before = gpu.timing["event_ns"] + gpu.timing["kernel_ns"]
        before += latency + (at.first_read_latency + _OTHER_CYCLES) / gpu.clock
        together: float = (memory**self._sharpness + starts**self._sharpness) ** (1 / self._sharpness)
        return (before + together) / 1e3


def fit(rows: Rows, shares: tuple[float, float]) -> Reading:
    """The constants with the least squares of the errors' logarithms; the bandwidth is one that the bus can do."""
    model, reads, bus = ReadModel(rows.gpu, shares), rows.of("read"), rows.gpu.bus_gbps

    def cost(at: Reading) -> float:
        return sum(math.log(model.us(row, at.changed("gbps", min(at.gbps, bus))) / row["us"]) ** 2 for row in reads)

    at = Reading(0.9 * bus, 1.25, 700.0)
    step = {"gbps": bus / 24, "memory_sharpness": 0.2, "first_read_latency": 100.0}
    while max(size / getattr(at, name) for name, size in step.items()) > 1e-3:
        for name, size in step.items():
            tries = [at.changed(name, getattr(at, name) + s) for s in (size, -size)]
            best = min(tries, key=cost)
            if cost(best) < cost(at):
                at = best
            else:
                step[name] = size / 2
    return at.changed("gbps", min(at.gbps, bus))

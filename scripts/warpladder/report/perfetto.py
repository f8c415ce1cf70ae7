# SPDX-License-Identifier: MIT
"""The recorded warps as a trace for Perfetto (ui.perfetto.dev) and Chrome: a track for each lane.

Time is counted in steps of the warp, one a microsecond: the emulator knows the order of a warp's instructions, not when
a GPU would have issued each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_LANES = 32


def trace(data: dict[str, Any]) -> dict[str, Any]:
    events: list[dict[str, Any]] = []
    process = 0
    for kernel in data["kernels"]:
        for warp in kernel["warps"]:
            process += 1
            block = ", ".join(str(number) for number in warp["block"])
            name = f"{kernel['name'][:100]}: block ({block}), warp {warp['warp']}"
            events.append({"ph": "M", "pid": process, "name": "process_name", "args": {"name": name}})
            for lane in range(_LANES):
                label = {"name": f"lane {lane}"}
                events.append({"ph": "M", "pid": process, "tid": lane, "name": "thread_name", "args": label})
                events += _lane(kernel, warp, process, lane)
    about = "One microsecond stands for one instruction of the warp; pauses are steps that other lanes took."
    return {"displayTimeUnit": "ms", "otherData": {"about": about}, "traceEvents": events}


def _lane(kernel: dict[str, Any], warp: dict[str, Any], process: int, lane: int) -> Iterator[dict[str, Any]]:
    """Steps of one source line that follow each other are one piece."""
    begin, last = 0, None
    steps = warp["steps"]
    for at in range(len(steps) + 1):
        works = at < len(steps) and steps[at][2] >> lane & 1
        place = tuple(kernel["instructions"][steps[at][0]][:2]) if works else None
        if place == last:
            continue
        if last is not None:
            file = kernel["picture_files"][last[0]] if last[0] < len(kernel["picture_files"]) else ""
            name = f"{file.rsplit('/', 1)[-1]}:{last[1]}" if last[1] else "(no line)"
            yield {"ph": "X", "pid": process, "tid": lane, "ts": begin, "dur": at - begin, "name": name, "cat": "lane"}
        begin, last = at, place

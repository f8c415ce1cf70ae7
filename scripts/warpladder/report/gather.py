# SPDX-License-Identifier: MIT
"""What the emulator wrote of a run (counters and pictures), and the sources that it names, as the data of a page."""

from __future__ import annotations

import functools
import json
import os
import re
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ..core import devices
from ..core.console import CourseError
from ..core.paths import ROOT

_MOST_BYTES_OF_A_SOURCE = 4_000_000
_MOST_BYTES_OF_A_RUN = 400_000_000
_COUNTER = re.compile(r'^(?:COUNTER|LAUNCH)\(\w+, "([^"]+)", "([^"]+)", "([^"]+)"\)', re.MULTILINE)
_SHOWN = (
    "multiprocessors", "max_threads_per_sm", "max_blocks_per_sm", "max_warps_per_sm", "shared_per_sm",
    "shared_reserved_per_block",
)  # fmt: skip


def data(counters: Path, pictures: Path, may_show: Sequence[Path], instead: Path | None = None) -> dict[str, Any]:
    """Everything that a page shows of a run. `may_show`: folders whose files may be quoted. `instead`: stands for the
    source of its name, when what was compiled is a copy that is gone."""
    counted, drawn = _document(counters), _document(pictures)
    kernels = [_kernel(launch, counted["launches"]) for launch in drawn["launches"]]
    paths = sorted({path for kernel in kernels for path in (*kernel["files"], *kernel["picture_files"])})
    return {
        "device": device(counted["device"]),
        "kernels": kernels,
        "sources": {path: _quoted(path, may_show, instead) for path in paths},
        "counters": meanings(),
    }


def _quoted(path: str, may_show: Sequence[Path], instead: Path | None) -> dict[str, Any]:
    if instead and Path(path).name == instead.name:
        return source(str(instead), [instead.parent])
    return source(path, may_show)


def _document(file: Path) -> dict[str, Any]:
    try:
        if file.stat().st_size > _MOST_BYTES_OF_A_RUN:
            raise CourseError(f"the run left {file.stat().st_size // 1_000_000} MB to draw, which no page can show")
        document = json.loads(file.read_text(encoding="utf-8", errors="replace"))
    except (OSError, ValueError):
        document = None
    if not isinstance(document, dict) or not isinstance(document.get("launches"), list):
        raise CourseError("the program did not use the emulator, or ended before it could: nothing to report")
    return document


def _kernel(drawn: dict[str, Any], counted: list[dict[str, Any]]) -> dict[str, Any]:
    """A launch that was drawn, with what was counted of it; launches of the same shape are counted together."""
    launch = counted[drawn["launch"]] if drawn["launch"] < len(counted) else {}
    shape = (drawn["kernel"], drawn["grid"], drawn["block"])
    alike = sum((each["kernel"], each["grid"], each["block"]) == shape for each in counted)
    files: dict[str, int] = {}
    lines = [
        [files.setdefault(_normal(line["file"]), len(files)), line["line"], line["counters"]]
        for line in launch.get("lines", [])
    ]
    return {
        "name": drawn["kernel"],
        "grid": drawn["grid"],
        "block": drawn["block"],
        "failed": drawn["failed"],
        "launches": max(1, alike),
        "model": None if drawn["failed"] else launch.get("model"),
        "figures": launch.get("launch", {}),
        "counters": launch.get("counters", {}),
        "files": list(files),
        "lines": lines,
        "picture_files": [_normal(file) for file in drawn["files"]],
        "instructions": drawn["instructions"],
        "requests": drawn["requests"],
        "warps": drawn["warps"],
    }


def _normal(path: str) -> str:
    """Instructions that the compiler made on its own have no file: an empty path stays one, and is no folder."""
    return os.path.normpath(path) if path else ""


def device(id: str) -> dict[str, Any]:
    """What the page says of the GPU that was pretended."""
    known, profile, timing = devices.known()[id], devices.profile(id), devices.timing(id)
    base = devices.timing(devices.DEFAULT)
    return {
        "id": id,
        "name": known.name,
        "calibrated": bool(timing.get("calibrated")),
        "clock_ghz": profile["sm_clock_khz"] / 1e6,
        "dram_gbps": timing.get("dram_gbps", base["dram_gbps"]),
        **{name: profile.get(name, 0) for name in _SHOWN},
    }


@functools.cache
def meanings() -> dict[str, tuple[str, str]]:
    """Unit and meaning of each counter, as the emulator's own table says."""
    table = (ROOT / "emulator" / "counters" / "counters.def").read_text(encoding="utf-8")
    return {name: (unit, meaning) for name, unit, meaning in _COUNTER.findall(table)}


def source(path: str, may_show: Iterable[Path]) -> dict[str, Any]:
    """The lines of a file, or why they are not shown. A program can name any file as its source: only those that lie
    where its sources may be are read, and only plain ones."""
    try:
        real = Path(os.path.realpath(path))
        if not any(real.is_relative_to(os.path.realpath(folder)) for folder in may_show):
            return {"why": "(not among the sources of this program: not shown)"}
        with open(os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            facts = os.fstat(file.fileno())
            if not stat.S_ISREG(facts.st_mode):
                return {"why": "(no plain file: not shown)"}
            if facts.st_size > _MOST_BYTES_OF_A_SOURCE:
                return {"why": "(too large to be shown)"}
            content = file.read(_MOST_BYTES_OF_A_SOURCE)
    except (OSError, ValueError):
        return {"why": "(the source file cannot be read)"}
    if b"\0" in content:
        return {"why": "(no text: not shown)"}
    return {"text": [line.expandtabs(4)[:2000] for line in content.decode("utf-8", "replace").split("\n")]}

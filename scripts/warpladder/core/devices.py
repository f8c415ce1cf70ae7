# SPDX-License-Identifier: MIT
"""The GPUs that the emulator can pretend to be, read from emulator/devices/*.def: nothing of them stands here again."""

from __future__ import annotations

import functools
import math
import re
from dataclasses import dataclass
from pathlib import Path

from .paths import ROOT

DEFAULT = "h200"
FOLDER = ROOT / "emulator" / "devices"
_FIELD = re.compile(r'^FIELD\((\w+), "?([^")]*)"?\)', re.MULTILINE)
_NUMBER = re.compile(r"^FIELD\((\w+), ([\d'][\d' *]*)\)", re.MULTILINE)
_TIME = re.compile(r"^TIME\((\w+), ([^)]+)\)", re.MULTILINE)


@dataclass(frozen=True)
class Device:
    id: str
    name: str
    sm: int  # 90 for compute capability 9.0


@functools.cache
def known() -> dict[str, Device]:
    """All of them by their names, the newest first."""
    found = []
    for file in sorted(FOLDER.glob("*.def")):
        fields = dict(_FIELD.findall(file.read_text(encoding="utf-8")))
        if "compute_major" in fields:
            sm = int(fields["compute_major"]) * 10 + int(fields["compute_minor"])
            found.append(Device(fields["id"], fields["name"], sm))
    return {device.id: device for device in sorted(found, key=lambda device: -device.sm)}


def profile(id: str, folder: Path = FOLDER) -> dict[str, int]:
    """What the profile of a GPU says in numbers: multiprocessors, clocks, sizes."""
    text = (folder / f"{id}.def").read_text(encoding="utf-8")
    return {
        name: math.prod(int(part.replace("'", "")) for part in value.split("*"))
        for name, value in _NUMBER.findall(text)
    }


def timing(id: str, folder: Path = FOLDER) -> dict[str, float]:
    """The constants of the modelled clock that a GPU's own file has; `calibrated` is 1 or 0."""
    text = (folder / f"{id}_timing.def").read_text(encoding="utf-8")
    marks = {"true": 1.0, "false": 0.0}
    return {name: marks[value] if value in marks else float(value) for name, value in _TIME.findall(text)}

# SPDX-License-Identifier: MIT
"""The GPUs that the emulator can pretend to be, read from emulator/devices/*.def."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from ..core.paths import ROOT

DEFAULT = "h200"
_FOLDER = ROOT / "emulator" / "devices"
_FIELD = re.compile(r'^FIELD\((\w+), "?([^")]*)"?\)', re.MULTILINE)


@dataclass(frozen=True)
class Device:
    id: str
    name: str
    sm: int  # 90 for compute capability 9.0


@functools.cache
def known() -> dict[str, Device]:
    """All of them by their names, the newest first."""
    found = []
    for file in sorted(_FOLDER.glob("*.def")):
        fields = dict(_FIELD.findall(file.read_text(encoding="utf-8")))
        if "compute_major" in fields:
            sm = int(fields["compute_major"]) * 10 + int(fields["compute_minor"])
            found.append(Device(fields["id"], fields["name"], sm))
    return {device.id: device for device in sorted(found, key=lambda device: -device.sm)}

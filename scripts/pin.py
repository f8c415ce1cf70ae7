#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes scripts/pinned.json, the files that `./course` may fetch: names, hashes and sizes from the package index.

    python3 scripts/pin.py            # the versions below, for x86-64 and arm64

To move to another version: change it here, run this, then `./course test --long`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from warpladder.core.paths import PINS
from warpladder.setup import pins, toolkit

TOOLS = {
    "cmake": ("cmake", "3.31.10"),
    "ninja": ("ninja", "1.13.2"),
    "pip": ("pip", "26.3"),
    "nlohmann-json": ("nlohmann-json", "3.12.0"),
    "highspy": ("highspy", "1.13.1"),  # its source carries CLI11 and Catch2, as single headers
    "zstandard": ("zstandard", "0.25.0"),  # its source carries zstd
}
SOURCES = ("highspy", "zstandard")


def entry(per_machine: dict[str, pins.Pin]) -> dict[str, object]:
    first = per_machine["x86_64"]
    same = len({pin.name for pin in per_machine.values()}) == 1
    chosen = {"any": first} if same else per_machine
    files = {name: {"name": pin.name, "sha256": pin.sha256, "bytes": pin.bytes} for name, pin in chosen.items()}
    return {"project": first.project, "version": first.version, "files": files}


def main() -> None:
    cuda = {machine: toolkit.look_up(toolkit.PINNED, machine) for machine in pins.MACHINES}
    data: dict[str, list[object]] = {
        "cuda": [entry(dict(zip(cuda, row, strict=True))) for row in zip(*cuda.values(), strict=True)]
    }
    for name, (project, version) in TOOLS.items():
        source = name in SOURCES
        data[name] = [entry({m: pins.look_up(project, version, m, source=source) for m in pins.MACHINES})]
    PINS.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

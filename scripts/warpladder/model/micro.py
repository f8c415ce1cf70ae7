# SPDX-License-Identifier: MIT
"""The micro-kernels that the constants come from, modelled beside measured: `./course model --micro`.

tests/model/micro.cu writes the same rows in the same order on the emulator and on a GPU (results/h200/micro.json).
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from ..core.console import CourseError
from ..core.paths import BUILD
from .rows import MICRO

Row = dict[str, Any]  # its `id`, parameters, `us` and `spread`
_NO_NAMES = ("id", "us", "spread")


def modelled(preset: str) -> list[Row]:
    """The rows of the program on the emulator; it is built first."""
    folder = BUILD / preset
    build = subprocess.run(["cmake", "--build", str(folder), "--target", "model_micro"], capture_output=True, text=True)
    if build.returncode != 0:
        raise CourseError(f"tests/model/micro.cu was not built: {(build.stdout + build.stderr).strip()[-500:]}")
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "micro.json"
        env = {**os.environ, "WARPLADDER_DEVICE": "h200"}
        command = [str(folder / "programs" / "model" / "micro"), str(out)]
        run = subprocess.run(command, capture_output=True, text=True, env=env)
        if run.returncode != 0:
            raise CourseError(f"micro failed: {run.stderr.strip()[-500:]}")
        document = json.loads(out.read_text(encoding="utf-8"))
    if document["times"] != "modelled":
        raise CourseError("micro was not run on the emulator")
    rows: list[Row] = document["rows"]
    return rows


def compare(here: list[Row], there: list[Row]) -> list[tuple[float, Row]]:
    """Modelled over measured of each row that is a time, the worst first."""
    if [row["id"] for row in here] != [row["id"] for row in there]:
        raise CourseError(f"{MICRO.name} has other rows than the program: record it again")
    pairs = [(a["us"] / b["us"], b) for a, b in zip(here, there, strict=True) if a.get("us") and b.get("us")]
    return sorted(pairs, key=lambda pair: -abs(math.log(pair[0])))


def text(pairs: list[tuple[float, Row]], worst: int = 8) -> str:
    """As Markdown."""
    error = math.exp(sum(abs(math.log(ratio)) for ratio, _ in pairs) / len(pairs)) - 1
    twice = sum(abs(math.log(ratio)) > math.log(2) for ratio, _ in pairs)
    lines = [
        f"The {len(pairs)} times of micro-kernels are off by {100 * error:.0f} % (geometric mean), {twice} of them by "
        "more than two times. The worst kinds (`./course model --micro`):",
        "",
        "| micro-kernel | its worst row | modelled / measured |",
        "| --- | --- | ---: |",
    ]
    seen: set[str] = set()
    for ratio, row in pairs:
        if row["id"] in seen or len(seen) == worst:
            continue
        seen.add(row["id"])
        what = ", ".join(f"{name} {value}" for name, value in row.items() if name not in _NO_NAMES)
        lines.append(f"| `{row['id']}` | {what} | {ratio:.2f} |")
    return "\n".join(lines) + "\n"


def measured() -> list[Row]:
    rows: list[Row] = json.loads(MICRO.read_text(encoding="utf-8"))["rows"]
    return rows

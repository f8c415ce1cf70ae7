# SPDX-License-Identifier: MIT
"""Has __main__.py draw, in an interpreter that has matplotlib: `course` itself may run in one that has not."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ..core.console import Console, CourseError
from ..core.paths import SCRIPTS
from ..results.saved import Results, make_folder

_LOG = "charts.log"


def draw(console: Console, python: str, results: Sequence[Results], folder: Path, compare: bool = False) -> list[Path]:
    """Draws into `folder`; returns the charts, the most telling one first, or nothing if that failed."""
    make_folder(folder)
    before = {path: path.stat().st_mtime_ns for path in folder.glob("*.svg")}
    files = [str(result.path.resolve()) for result in results]
    command = [python, "-m", "warpladder.charts", str(folder.resolve()), *(["--compare"] if compare else []), *files]
    # MPLCONFIGDIR and the like stay the user's; a window system is never needed.
    env = {**os.environ, "PYTHONPATH": str(SCRIPTS), "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "Agg"}
    if console.run("drawing the charts", command, _LOG, env) != 0:
        console.explain_failure(_LOG, limit=15)
        return []
    order = ("ladder", "time", "share", "stack", "queue", "map", "mixes", "compare")
    fresh = [path for path in folder.glob("*.svg") if path.stat().st_mtime_ns != before.get(path)]
    return sorted(fresh, key=lambda path: order.index(path.stem) if path.stem in order else len(order))


def draw_or_fail(
    console: Console, python: str, results: Sequence[Results], folder: Path, compare: bool = False
) -> list[Path]:
    charts = draw(console, python, results, folder, compare)
    if not charts:
        raise CourseError("the charts could not be drawn")
    return charts

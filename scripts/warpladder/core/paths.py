# SPDX-License-Identifier: MIT
"""Where things are in the repository."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / "build"
LOGS = BUILD / "logs"
VENV = ROOT / ".venv"
TOOLKIT = ROOT / ".toolkit"  # compilers, tools and libraries from the package index; git ignores it
LESSONS = ROOT / "lessons"
RESULTS = ROOT / "results"  # measured by us and committed
MINE = Path(os.environ.get("WARPLADDER_MINE") or RESULTS / "mine").resolve()  # measured here; git ignores it
SCRIPTS = ROOT / "scripts"
WORK = Path(os.environ.get("WARPLADDER_WORK") or ROOT / "work").resolve()  # the student's files; git ignores them
REQUIREMENTS = SCRIPTS / "requirements.txt"
PINS = SCRIPTS / "pinned.json"  # what may be fetched from the package index, with hashes and sizes


def shown(path: Path) -> str:
    """A path as a person wants to read it: from the folder they are in, if it lies below."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)

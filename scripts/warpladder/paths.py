# SPDX-License-Identifier: MIT
"""Where things are in the repository."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
LOGS = BUILD / "logs"
VENV = ROOT / ".venv"
LESSONS = ROOT / "lessons"
RESULTS = ROOT / "results"  # measured by us and committed
MINE = RESULTS / "mine"  # measured here; git ignores it
SCRIPTS = ROOT / "scripts"
REQUIREMENTS = SCRIPTS / "requirements.txt"


def shown(path: Path) -> str:
    """A path as a person wants to read it: from the folder they are in, if it lies below."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)

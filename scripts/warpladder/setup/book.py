# SPDX-License-Identifier: MIT
"""Sphinx and what belongs to it: installed when the book is first built, and never into .venv, where tests may run."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

from ..core.console import Console, CourseError
from ..core.paths import SCRIPTS, TOOLKIT, VENV
from . import machine, provision, store

REQUIREMENTS = SCRIPTS / "requirements-book.txt"
_PYTHON = VENV / "bin" / "python"


def packages(console: Console) -> Path:
    """The folder to put on Python's path. Another list of packages, or another Python, has another folder."""
    place = _place(python())
    for stale in () if place.is_dir() else TOOLKIT.glob("book-*"):
        console.say(f"{stale.name} in .toolkit is of an older list of packages, and may be deleted")
    return store.install(console, place.name, lambda folder: _install(console, folder))


def python() -> str:
    """The interpreter that uses them: .venv's, if there is one that works."""
    return str(_PYTHON) if machine.output_of([str(_PYTHON), "-m", "pip", "--version"]) else sys.executable


def environment(console: Console) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(packages(console)), str(SCRIPTS)))}


def _place(interpreter: str) -> Path:
    version = machine.output_of([interpreter, "--version"])
    return (
        TOOLKIT
        / f"book-{hashlib.sha256((version + REQUIREMENTS.read_text(encoding='utf-8')).encode()).hexdigest()[:12]}"
    )


def _install(console: Console, folder: Path) -> None:
    interpreter = python()
    if not machine.output_of([interpreter, "-m", "pip", "--version"]):
        provision.make_venv(console)
        interpreter = str(_PYTHON)
    command = [interpreter, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-compile", "--no-deps"]
    command += ["--target", str(folder), "-r", str(REQUIREMENTS)]
    if console.run("installing Sphinx", command, "pip-book.log") != 0:
        what = f"pip install -r {REQUIREMENTS.relative_to(SCRIPTS.parent)}"
        raise CourseError(
            f"Sphinx is missing, and could not be installed (build/logs/pip-book.log); `{what}` shows why", exit_code=3
        )

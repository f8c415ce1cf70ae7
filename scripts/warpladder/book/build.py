# SPDX-License-Identifier: MIT
"""Has Sphinx build the book, in a process of its own; any warning fails it."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ..core.console import Console, CourseError
from ..core.paths import BUILD, LOGS, ROOT

OUT = BUILD / "book"
_LOG = "book.log"
_MARK = ".buildinfo"  # Sphinx leaves it where it has built
_WARNING = re.compile(r"\b(WARNING|ERROR|CRITICAL): |Error\b|error:")


def may_write(folder: Path) -> str:
    """What speaks against it; empty if nothing does. A folder that holds something else than a book is left alone."""
    if folder.exists() and not folder.is_dir():
        return f"{folder} is a file, not a folder"
    if folder.is_dir() and any(folder.iterdir()) and not (folder / _MARK).is_file():
        return f"{folder} holds something else than a book: name a folder that is empty or new"
    return ""


def build(console: Console, python: str, env: Mapping[str, str], folder: Path) -> Path:
    """Returns the page to open. What Sphinx has read for the usual place is kept, so that a second build is quick."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="warpladder-") as once:
        read = str(BUILD / "book-read") if folder == OUT else once
        command = [python, "-m", "sphinx", "-b", "html", "-c", str(Path(__file__).parent), "-d", read]
        command += ["-W", "--keep-going", str(ROOT), str(folder)]
        code = console.run("building the book", command, _LOG, env)
    if code != 0:
        lines = [line for line in (LOGS / _LOG).read_text(encoding="utf-8").splitlines() if _WARNING.search(line)]
        console.show("\n".join(f"  | {line}" for line in lines[:40]))
        raise CourseError("the book has faults (the whole log: build/logs/book.log)")
    return folder / "index.html"

# SPDX-License-Identifier: MIT
"""The student's own files: work/<lesson>/<name>.cuh, made from the starter when they are first needed."""

from __future__ import annotations

import time
from pathlib import Path

from ..core import paths
from ..core.console import CourseError
from .catalog import Exercise


def file_of(exercise: Exercise) -> Path:
    return paths.WORK / exercise.lesson / f"{exercise.name}.cuh"


def ensure(exercise: Exercise) -> tuple[Path, bool]:
    """The student's file, and whether it was made just now."""
    path = file_of(exercise)
    if path.exists():
        return path, False
    _write(path, exercise.starter)
    return path, True


def reset(exercise: Exercise) -> Path | None:
    """Puts the starter back; returns where the old text is kept, None if there was nothing to keep."""
    path = file_of(exercise)
    if not path.exists() or is_untouched(exercise):
        _write(path, exercise.starter)
        return None
    stamp = time.strftime("%Y%m%d-%H%M%S")
    backup = path.with_name(f"{exercise.name}.{stamp}.backup")
    number = 1
    while backup.exists():
        number += 1
        backup = path.with_name(f"{exercise.name}.{stamp}-{number}.backup")
    path.rename(backup)
    _write(path, exercise.starter)
    return backup


def is_untouched(exercise: Exercise, path: Path | None = None) -> bool:
    """Whether a file is still the starter; spaces do not count."""
    path = path or file_of(exercise)
    if not path.exists():
        return True
    return path.read_text(encoding="utf-8", errors="replace").split() == exercise.starter.split()


def todo_line(path: Path) -> int | None:
    """The first line that says TODO."""
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
        if "TODO" in line:
            return number
    return None


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CourseError(f"cannot write {paths.shown(path)}: {error.strerror}") from None

# SPDX-License-Identifier: MIT
"""Which pictures there are: a module lessonNN.py draws those of lessons/NN_topic in its table PICTURES."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
LESSONS = HERE.parents[1] / "lessons"


def folder_of(lesson: str) -> Path:
    """ "lesson03" -> lessons/03_divergence_free/pictures"""
    folders = sorted(LESSONS.glob(f"{lesson.removeprefix('lesson')}_*"))
    if len(folders) != 1:
        raise SystemExit(f"pictures: {lesson}.py needs one folder lessons/{lesson.removeprefix('lesson')}_*")
    return folders[0] / "pictures"


def pictures() -> dict[Path, Callable[[], str]]:
    """Every file and the function that draws it."""
    found: dict[Path, Callable[[], str]] = {}
    for module in sorted(HERE.glob("lesson[0-9][0-9].py")):
        table: dict[str, Callable[[], str]] = importlib.import_module(f"{__package__}.{module.stem}").PICTURES
        for name, draw in table.items():
            found[folder_of(module.stem) / f"{name}.svg"] = draw
    return found

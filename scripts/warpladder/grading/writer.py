# SPDX-License-Identifier: MIT
"""Writes results as soon as they are known: whatever stops a run, what was graded until then is there.

Every file is written beside its place and renamed, so that nobody ever reads half of one.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..core.console import CourseError
from . import csv_file, exercism, github, gradescope, junit, names
from .record import ClassGrade, StudentGrade

_LOCK = ".grading.lock"


class Writer:
    """The folder of results of one run. Rows of class.csv are in the order they came until all are known."""

    def __init__(self, out: Path, empty: ClassGrade, students: Sequence[str]) -> None:
        self.out = out
        self._folders = dict(zip(students, names.folders(students), strict=True))
        try:
            out.mkdir(parents=True, exist_ok=True)
            replaced(out / "class.csv", csv_file.header())
            self._class(empty)
        except OSError as error:
            raise _cannot(error, out) from None

    def add(self, grade: StudentGrade) -> None:
        try:
            write_student(grade, self.out / self._folders[grade.student])
            with (self.out / "class.csv").open("a", encoding="utf-8", errors="replace") as file:
                file.write(csv_file.rows(grade))
        except OSError as error:
            raise _cannot(error, self.out) from None

    def finish(self, result: ClassGrade) -> None:
        try:
            replaced(self.out / "class.csv", csv_file.write(result))
            self._class(result)
        except OSError as error:
            raise _cannot(error, self.out) from None

    def _class(self, result: ClassGrade) -> None:
        # The seed stands in it: nobody else may read it.
        replaced(self.out / "class.json", json.dumps(result.to_json(), indent=1) + "\n", mode=0o600)


@contextlib.contextmanager
def one_at_a_time(out: Path) -> Iterator[None]:
    """Two runs that write to one folder would mix their results."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        handle = os.open(out / _LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise _cannot(error, out) from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CourseError(f"another run writes to {out}; wait for it, or take another --out", exit_code=2) from None
        yield
    finally:
        os.close(handle)


def write_student(grade: StudentGrade, folder: Path) -> None:
    """The four formats, where the tools that read them look for these names."""
    files = {
        "gradescope/results.json": gradescope.write(grade),
        "exercism/results.json": exercism.write(grade),
        "junit.xml": junit.write(grade),
        "github/result.json": github.write(grade.exercises),
        "github/result.txt": github.encoded(grade.exercises) + "\n",
    }
    files |= {f"github/{entry.exercise}.txt": github.encoded([entry]) + "\n" for entry in grade.exercises}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        replaced(path, text)


def replaced(path: Path, text: str, mode: int = 0o644) -> None:
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with open(handle, "w", encoding="utf-8", errors="replace") as file:
        file.write(text)
    os.replace(fresh, path)


def _cannot(error: OSError, out: Path) -> CourseError:
    return CourseError(f"cannot write {error.filename or out}: {error.strerror}", exit_code=2)

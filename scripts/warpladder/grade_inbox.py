# SPDX-License-Identifier: MIT
"""What students handed in: folders and zips, read so that nothing in them can do harm.

Nothing is ever unpacked. Of a zip or folder only the files of the exercises are read, into memory; links, pipes, paths
that leave their folder, and files that are far too large make it a bad submission, which is said in one line.
"""

from __future__ import annotations

import json
import os
import re
import stat
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path, PurePosixPath

from .console import CourseError
from .exercises import Exercise
from .grade_record import one_line

LARGEST_FILE = 1 << 20
_LARGEST_ZIP = 64 << 20  # bytes of all members together, unpacked
_MOST_FILES = 2000
_DEEPEST = 6  # folders
_LESSON = re.compile(r"\d\d_\w+")


class BadSubmission(Exception):
    """One sentence on why nothing of it is graded."""


@dataclass
class Submission:
    student: str
    source: Path
    submitted: datetime | None
    files: dict[str, bytes] = field(default_factory=dict)  # exercise: its text
    problems: dict[str, str] = field(default_factory=dict)  # exercise: why its file is not taken
    hints: dict[str, int] = field(default_factory=dict)
    bad: str = ""  # why nothing of it is graded


def collect(paths: Iterable[Path], exercises: list[Exercise]) -> list[Submission]:
    """All submissions, by name. Each path is a folder of them, or one of them."""
    sources: list[tuple[str, Path]] = []
    for path in paths:
        if path.is_dir() and not _is_submission(path):
            inside = sorted(entry for entry in path.iterdir() if not entry.name.startswith("."))
            sources += [(_student(entry), entry) for entry in inside if entry.is_dir() or _is_zip(entry)]
        elif path.is_dir() or path.is_file():
            sources.append((_student(path.resolve() if path.is_dir() else path), path))
        else:
            raise CourseError(f"there is no folder or zip {path}", exit_code=2)
    if not sources:
        raise CourseError("no submissions: neither a folder nor a zip is in there", exit_code=2)
    _refuse_twice(sources)
    return [read(student, source, exercises) for student, source in sorted(sources)]


def _is_submission(folder: Path) -> bool:
    """Whether a folder is one student's, not a class: it holds files of exercises, or folders of lessons."""
    return any(entry.suffix == ".cuh" or _LESSON.fullmatch(entry.name) for entry in folder.iterdir())


def _is_zip(path: Path) -> bool:
    return path.suffix.lower() == ".zip"


def _student(path: Path) -> str:
    return path.stem if _is_zip(path) and not path.is_dir() else path.name


def _refuse_twice(sources: list[tuple[str, Path]]) -> None:
    seen: dict[str, Path] = {}
    for student, path in sources:
        key = student.casefold()  # some file systems cannot hold both results
        if key in seen:
            both = one_line(f"{seen[key]} and {path}")
            raise CourseError(f"two submissions of {one_line(student)}: {both}; keep one", exit_code=2)
        seen[key] = path


def read(student: str, source: Path, exercises: list[Exercise]) -> Submission:
    """One submission; never fails: what is wrong with it stands in it."""
    result = Submission(student, source, _time(source))
    try:
        if not student.isprintable() or len(student) > 200:
            raise BadSubmission("its name has characters that no name has")
        if source.is_symlink():
            raise BadSubmission("it is a link")
        members = _of_folder(source) if source.is_dir() else _of_zip(source)
        _choose(members, exercises, result)
        result.hints = _hints(source)
    except BadSubmission as error:
        result.bad = str(error)
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        result.bad = f"it cannot be read: {str(error)[:200]}"
    except Exception as error:  # zlib.error and whatever else a damaged file makes a reader raise
        result.bad = f"it cannot be read: {type(error).__name__}"
    return result


def _time(source: Path) -> datetime | None:
    """When it was handed in, as far as the file system knows: the zip's own time, or the newest file's."""
    try:
        times = [source.lstat().st_mtime] if not source.is_dir() else []
        for place, _, files in os.walk(source) if source.is_dir() else ():
            times += [os.lstat(os.path.join(place, name)).st_mtime for name in files]
        return datetime.fromtimestamp(max(times), timezone.utc) if times else None
    except (OSError, ValueError, OverflowError):
        return None


@dataclass(frozen=True)
class _Member:
    path: PurePosixPath
    size: int
    plain: bool
    read: object  # () -> bytes


def _of_folder(folder: Path) -> list[_Member]:
    members: list[_Member] = []
    for place, folders, files in os.walk(folder):
        inside = PurePosixPath(os.path.relpath(place, folder))
        folders[:] = sorted(f for f in folders if not f.startswith(".")) if len(inside.parts) < _DEEPEST else []
        for name in sorted(files):
            path = os.path.join(place, name)
            info = os.lstat(path)
            members.append(_Member(inside / name, info.st_size, stat.S_ISREG(info.st_mode), lambda p=path: _load(p)))
        if len(members) > _MOST_FILES:
            raise BadSubmission(f"it holds more than {_MOST_FILES} files")
    return members


def _load(path: str) -> bytes:
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(handle, "rb") as file:
        return file.read(LARGEST_FILE + 1)


def _of_zip(path: Path) -> list[_Member]:
    with path.open("rb") as file, zipfile.ZipFile(file) as pack:
        entries = [entry for entry in pack.infolist() if not entry.is_dir()]
        if len(entries) > _MOST_FILES:
            raise BadSubmission(f"it holds more than {_MOST_FILES} files")
        if sum(entry.file_size for entry in entries) > _LARGEST_ZIP:
            raise BadSubmission(f"unpacked it is larger than {_LARGEST_ZIP >> 20} MiB")
        for entry in entries:
            name = PurePosixPath(entry.filename.replace("\\", "/"))
            if name.is_absolute() or ".." in name.parts or re.match(r"[A-Za-z]:", entry.filename):
                raise BadSubmission(f"a path in it leaves its folder: {entry.filename[:80]!r}")
            if stat.S_ISLNK(entry.external_attr >> 16):
                raise BadSubmission(f"there is a link in it: {entry.filename[:80]!r}")
            if entry.flag_bits & 1:
                raise BadSubmission("it has a password")
    return [
        _Member(PurePosixPath(e.filename.replace("\\", "/")), e.file_size, True, lambda e=e: _unzip(path, e))
        for e in entries
    ]


def _unzip(path: Path, entry: zipfile.ZipInfo) -> bytes:
    """What the zip says of a member's size may be a lie: it is read only up to the limit."""
    with zipfile.ZipFile(path) as pack, pack.open(entry) as file:
        return file.read(LARGEST_FILE + 1)


def _choose(members: list[_Member], exercises: list[Exercise], result: Submission) -> None:
    """For each exercise its file: LESSON/NAME.cuh, or the only NAME.cuh there is."""
    for exercise in exercises:
        name = f"{exercise.name}.cuh"
        found = [m for m in members if m.path.name == name and "__MACOSX" not in m.path.parts]
        right = [m for m in found if m.path.parent.name == exercise.lesson]
        found = right or found
        if not found:
            continue
        if len(found) > 1:
            result.problems[exercise.name] = f"there are {len(found)} files {name}"
        elif not found[0].plain:
            result.problems[exercise.name] = f"{name} is a link or no plain file"
        elif found[0].size > LARGEST_FILE or len(text := found[0].read()) > LARGEST_FILE:  # type: ignore[operator]
            result.problems[exercise.name] = f"{name} is larger than {LARGEST_FILE >> 10} KiB"
        else:
            result.files[exercise.name] = text


def _hints(source: Path) -> dict[str, int]:
    """How many hints a student says to have used: their own words, so a help for talks and no more.

    They are the comment of a zip that `submit` made, and stand in the progress of a folder that is a copy of work/.
    """
    try:
        if source.is_dir():
            data = json.loads(_load(str(source / "progress.json")))["exercises"]
            return {str(name): int(entry["hints"]) for name, entry in data.items()}
        with zipfile.ZipFile(source) as pack:
            return {str(name): int(count) for name, count in json.loads(pack.comment)["hints"].items()}
    except Exception:  # anything at all may stand there
        return {}

# SPDX-License-Identifier: MIT
"""What students handed in: folders and zips, read so that nothing in them can do harm.

Nothing is ever unpacked. Of a zip or folder only the files of the exercises are read, into memory; links, pipes, paths
that leave their folder, and files that are far too large make it a bad submission, which is said in one line.
"""

from __future__ import annotations

import io
import os
import re
import stat
import sys
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path, PurePosixPath

from ..core.console import CourseError
from ..exercises.catalog import HINT_LEVELS, Exercise
from ..sandbox import untrusted
from . import names as grade_names
from .record import one_line

LARGEST_FILE = 1 << 20
_LARGEST_ZIP = 64 << 20  # bytes of all members together, unpacked
_LARGEST_PACKED = 8 << 20  # bytes of the zip itself; that of the whole course has some ten thousand
_MOST_FILES, _MOST_FOLDERS = 2000, 200
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
        if path.is_dir() and _is_class(path, exercises):
            inside = sorted(entry for entry in path.iterdir() if not entry.name.startswith("."))
            sources += [(_student(entry), entry) for entry in inside if entry.is_dir() or _is_zip(entry)]
        elif path.is_dir() or path.is_file():
            sources.append((_student(path.resolve() if path.is_dir() else path), path))
        else:
            raise CourseError(f"there is no folder or zip {one_line(str(path))}", exit_code=2)
    if not sources:
        raise CourseError("no submissions: neither a folder nor a zip is in there", exit_code=2)
    _refuse_twice(sources)
    sources.sort()
    found = [read(student, source, exercises) for student, source in sources]
    for submission, name in zip(found, grade_names.shown_names([student for student, _ in sources]), strict=True):
        submission.student = name
    return found


def _is_class(folder: Path, exercises: list[Exercise]) -> bool:
    """Whether a folder holds submissions, or is one student's: that one has files of exercises, or folders of lessons.

    What one student calls their folder must not decide it for all: one that is named like a lesson beside other
    students' is a student's too.
    """
    entries = [entry for entry in folder.iterdir() if not entry.name.startswith(".")]
    names = {f"{exercise.name}.cuh" for exercise in exercises}
    if any(_is_zip(entry) for entry in entries):
        return True
    others = [entry for entry in entries if entry.is_dir() and not _LESSON.fullmatch(entry.name)]
    if any(_has_file_of(entry, names) for entry in others):
        return True
    return not any(entry.suffix == ".cuh" or _LESSON.fullmatch(entry.name) for entry in entries)


def _has_file_of(folder: Path, names: set[str]) -> bool:
    """Whether a folder has a file of an exercise in it, or in a folder in it."""
    if folder.is_symlink():
        return False
    for count, (place, folders, files) in enumerate(os.walk(folder)):
        if names.intersection(files):
            return True
        if count >= _MOST_FOLDERS or len(Path(place).relative_to(folder).parts) >= 2:
            folders.clear()
    return False


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
        if source.is_dir():
            _choose(_of_folder(source), exercises, result)
            words = untrusted.parsed(untrusted.read(source, "progress.json", LARGEST_FILE))
            result.hints = _hints(words, "exercises", exercises)
        else:
            with _opened(source) as pack:
                _choose(_of_zip(pack), exercises, result)
                result.hints = _hints(untrusted.parsed(pack.comment), "hints", exercises)
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
        for place, folders, files in os.walk(source) if source.is_dir() else ():
            times += [os.lstat(os.path.join(place, name)).st_mtime for name in files]
            if len(times) > _MOST_FILES:
                folders.clear()
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


def _opened(path: Path) -> zipfile.ZipFile:
    """Read whole before anything in it is looked at: a pipe is not waited for, and a list of members has an end."""
    file = untrusted.opened(path.parent.resolve(), path.name, sys.maxsize)
    if file is None:
        raise BadSubmission("it is no plain file")
    with file:
        data = file.read(_LARGEST_PACKED + 1)
    if len(data) > _LARGEST_PACKED:
        raise BadSubmission(f"it is larger than {_LARGEST_PACKED >> 20} MiB")
    return zipfile.ZipFile(io.BytesIO(data))


def _of_zip(pack: zipfile.ZipFile) -> list[_Member]:
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
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise BadSubmission("it is packed in a way that few programs know; pack it as usual (deflate)")
    return [
        _Member(PurePosixPath(e.filename.replace("\\", "/")), e.file_size, _plain(e), lambda e=e: _unzip(pack, e))
        for e in entries
    ]


def _plain(entry: zipfile.ZipInfo) -> bool:
    return stat.S_IFMT(entry.external_attr >> 16) in (0, stat.S_IFREG)  # 0: from a system that does not say


def _unzip(pack: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """What the zip says of a member's size may be a lie: it is read only up to the limit."""
    with pack.open(entry) as file:
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


def _hints(words: object, key: str, exercises: list[Exercise]) -> dict[str, int]:
    """How many hints a student says to have used: their own words, so a help for talks and no more.

    They are the comment of a zip that `submit` made, and stand in the progress of a folder that is a copy of work/.
    Anything at all may stand there: only what can be is taken.
    """
    said = words.get(key) if isinstance(words, dict) else None
    if not isinstance(said, dict):
        return {}
    found = {}
    for exercise in exercises:
        count = said.get(exercise.name)
        count = count.get("hints") if isinstance(count, dict) else count
        if type(count) is int and 0 <= count <= HINT_LEVELS:
            found[exercise.name] = count
    return found

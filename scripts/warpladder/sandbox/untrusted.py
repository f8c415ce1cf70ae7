# SPDX-License-Identifier: MIT
"""Opens what a stranger's program left behind: never through a link, never a pipe or a device, never more than agreed.

A name is taken from the folder down, one part at a time, and no part may be a link: a folder that a program has
replaced by a link to another run's is not there.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_LONGEST_NUMBER = 20  # digits


def opened(folder: Path, name: str, most: int) -> BinaryIO | None:
    """A plain file of at most so many bytes, `name` below `folder`; None if it is anything else."""
    *parts, last = name.split("/")
    if not all(part not in ("", ".", "..") for part in (*parts, last)):
        return None
    place = handle = -1
    try:
        place = os.open(folder, _FOLDER)
        for part in parts:
            below = os.open(part, _FOLDER, dir_fd=place)
            os.close(place)
            place = below
        handle = os.open(last, _FILE, dir_fd=place)
        info = os.fstat(handle)
        if stat.S_ISREG(info.st_mode) and info.st_size <= most:
            file = os.fdopen(handle, "rb")
            handle = -1
            return file
        return None
    except OSError:
        return None
    finally:
        for number in (place, handle):
            if number >= 0:
                os.close(number)


def read(folder: Path, name: str, most: int) -> bytes | None:
    file = opened(folder, name, most)
    if file is None:
        return None
    with file:
        return file.read(most)


def copy(folder: Path, names: Iterable[str], to: Path, most: int) -> set[str]:
    """Copies these files, all together at most so many bytes, into a new folder. Returns which of them were there."""
    to.mkdir(parents=True)
    found = set()
    for name in names:
        file = opened(folder, name, most)
        if file is None:
            continue
        with file, (to / name.rpartition("/")[2]).open("xb") as out:
            while data := file.read(min(1 << 20, most)):  # no more than that, even while somebody makes it longer
                out.write(data)
                most -= len(data)
        found.add(name)
    return found


def parsed(data: bytes | None) -> Any:  # noqa: ANN401
    """JSON; None if it is none, nests without end, or has numbers that nobody needs."""
    try:
        return json.loads(data or b"", parse_int=_number, parse_constant=_no_constant)
    except (ValueError, RecursionError, MemoryError):
        return None


def _number(digits: str) -> int:
    if len(digits) > _LONGEST_NUMBER:
        raise ValueError("a number with too many digits")
    return int(digits)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")

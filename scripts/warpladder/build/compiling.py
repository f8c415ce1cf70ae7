# SPDX-License-Identifier: MIT
"""What every call of a compiler shares: a cache that keeps whole results only and stays small, and what was read.

A result is a folder. It is made beside its place and moved there when it is whole, so that whoever is killed meanwhile
leaves no half of one; two that make the same at the same time do not disturb each other.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from ..core.console import CourseError

DEPENDENCIES = "dependencies.txt"  # what -MF is given: the files that a compiler read
_NEW = "new-"
_LEFT_OVER_S = 24 * 3600.0  # of a run that was killed


@contextlib.contextmanager
def new_folder(cache: Path) -> Iterator[Path]:
    """A folder to compile in. What is in it afterwards goes away, unless it was moved to its place."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=_NEW, dir=cache))
    except OSError as error:
        raise CourseError(f"cannot write {cache}: {error.strerror}", exit_code=3) from None
    try:
        yield fresh
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def prune(cache: Path, kept: int) -> None:
    """Keeps the cache small: what was not used for longest goes, and what a killed run left."""
    places: list[tuple[float, Path]] = []
    for place in cache.iterdir():
        with contextlib.suppress(OSError):  # another call may have moved it meanwhile
            places.append((place.stat().st_mtime, place))
    places.sort()
    results = [place for _, place in places if not place.name.startswith(_NEW)]
    begun = [(used, place) for used, place in places if place.name.startswith(_NEW)]
    for place in [*results[:-kept], *(place for used, place in begun if time.time() - used > _LEFT_OVER_S)]:
        shutil.rmtree(place, ignore_errors=True)


def listed(text: str) -> list[str]:
    """The files in a compiler's list of what it read, which is written for make."""
    names = re.split(r":\s", text.replace("\\\n", " ") + " ", maxsplit=1)[-1]
    words = re.split(r"(?<!\\)\s+", names.strip())
    return [re.sub(r"\\([ #])", r"\1", word).replace("$$", "$") for word in words if word]

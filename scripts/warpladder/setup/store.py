# SPDX-License-Identifier: MIT
"""The folder .toolkit: what is in it is whole. A part is made beside its place, then renamed; one course at a time."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from ..core.console import Console, CourseError
from ..core.paths import TOOLKIT, shown
from . import pins

_NEW = "new-"


def install(console: Console, name: str, make: Callable[[Path], None]) -> Path:
    """The part `name` of the store; `make` fills an empty folder with it where it is not there yet."""
    place = TOOLKIT / name
    if place.is_dir():
        return place
    with _locked(console):
        if place.is_dir():  # another course has made it while this one waited
            return place
        for stale in TOOLKIT.glob(_NEW + "*"):  # of a run that was killed
            shutil.rmtree(stale, ignore_errors=True)
        fresh = TOOLKIT / (_NEW + str(os.getpid()))
        try:
            fresh.mkdir()
            make(fresh)
            place.parent.mkdir(parents=True, exist_ok=True)
            fresh.rename(place)
        except OSError as error:
            raise CourseError(f"cannot write {shown(TOOLKIT)}: {error.strerror or error}", exit_code=3) from None
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    return place


def clear_cache(console: Console) -> None:
    """What was fetched is unpacked by now."""
    if pins.CACHE.exists():
        with _locked(console):
            shutil.rmtree(pins.CACHE, ignore_errors=True)


@contextlib.contextmanager
def _locked(console: Console) -> Iterator[None]:
    try:
        TOOLKIT.mkdir(exist_ok=True)
        file = (TOOLKIT / "lock").open("w")
    except OSError as error:
        raise CourseError(f"cannot write {shown(TOOLKIT)}: {error.strerror}", exit_code=3) from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            console.say("waiting for another ./course that is setting up")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def unpack_wheel(wheel: Path, folder: Path, inside: str) -> None:
    """What lies below `inside` in a wheel, with its rights; its licences go to licenses/<wheel>."""
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.infolist():
            if entry.is_dir():
                continue
            if entry.filename.startswith(inside):
                target = folder / entry.filename.removeprefix(inside)
            elif ".dist-info/" in entry.filename and "licen" in entry.filename.lower():
                target = folder / "licenses" / wheel.name.split("-")[0] / Path(entry.filename).name
            else:
                continue
            if not target.resolve().is_relative_to(folder.resolve()):
                raise CourseError(f"{wheel.name} holds {entry.filename}, which leads out of its folder")
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(entry) as source, target.open("wb") as file:
                shutil.copyfileobj(source, file, 1 << 20)
            executable = entry.external_attr >> 16 & stat.S_IXUSR or target.parent.name == "bin"
            target.chmod(0o755 if executable else 0o644)


def unpack_file(archive: Path, name: str, target: Path) -> None:
    """One file of a source archive; `name` is its path below the archive's top folder."""
    with tarfile.open(archive) as tar:
        member = next((m for m in tar if m.isfile() and m.name.partition("/")[2] == name), None)
        source = tar.extractfile(member) if member else None
        if source is None:
            raise CourseError(f"{archive.name} holds no {name}")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read())

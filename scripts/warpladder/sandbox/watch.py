# SPDX-License-Identifier: MIT
"""Watches a program of the sandbox: what it may take of time, output, memory and disk, and whether it takes more."""

from __future__ import annotations

import os
import selectors
import stat
import subprocess
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import user as sandbox_user
from .groups import Group

_LOOK_EVERY = 0.25  # seconds between two looks at memory and disk
_MOST_FILES, _DEEPEST = 20_000, 40
MOST_MEMORY = 16 << 30  # in use, of a program on a GPU
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Limits:
    seconds: float = 20.0  # wall clock
    memory_bytes: int | None = 4 << 30  # address space; None on a GPU, whose driver reserves far more than it uses
    output_bytes: int = 1 << 20  # stdout and stderr together
    file_bytes: int = 64 << 20  # the largest file
    folder_bytes: int = 512 << 20  # all files together
    processes: int = 64
    open_files: int = 64
    cpu_seconds: float | None = None  # of all its processes together; held only where there is a control group


def watch(
    process: subprocess.Popen[bytes],
    deadline: float,
    limits: Limits,
    folder: Path,
    user: int | None,
    group: Group | None = None,
) -> tuple[tuple[str, str], str | None]:
    """Reads until the program ends, the time is over, or it has written or taken too much."""
    assert process.stdout is not None and process.stderr is not None
    texts = {process.stdout: bytearray(), process.stderr: bytearray()}
    most, limit, look = limits.output_bytes, None, time.monotonic() + _LOOK_EVERY
    with selectors.DefaultSelector() as selector:
        for stream in texts:
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, selectors.EVENT_READ)
        # A program may end and leave its output open in a child: it is the jail that counts.
        while limit is None and process.poll() is None:
            now = time.monotonic()
            if now >= deadline:
                limit = "time"
                break
            if selector.get_map():
                _read_some(selector, texts, min(deadline - now, 0.1))
            else:
                time.sleep(min(deadline - now, 0.02))
            if sum(map(len, texts.values())) > most:
                limit = "output"
            if limit is None and time.monotonic() >= look:
                limit = _too_much(process.pid, limits, folder, user)
                if limits.cpu_seconds is not None and group and (group.cpu_seconds() or 0) > limits.cpu_seconds:
                    limit = "time"
                look = time.monotonic() + _LOOK_EVERY
        while limit is None and selector.get_map() and _read_some(selector, texts, 0):
            limit = "output" if sum(map(len, texts.values())) > most else None
    decoded = [bytes(text[:most]).decode("utf-8", "replace") for text in texts.values()]
    return (decoded[0], decoded[1]), limit


def _read_some(selector: selectors.BaseSelector, texts: dict[Any, bytearray], wait: float) -> bool:
    ready = selector.select(wait)
    for key, _ in ready:
        data = os.read(key.fd, 1 << 16)
        if not data:
            selector.unregister(key.fileobj)
        texts[key.fileobj] += data
    return bool(ready)


def _too_much(jail: int, limits: Limits, folder: Path, user: int | None) -> str | None:
    """Limits that no setrlimit knows: of all its processes and files together, also files without a name."""
    processes = below(jail)
    memory, disk = held(processes)
    if sum(processes.values()) + memory > (limits.memory_bytes or MOST_MEMORY):
        return "memory"
    places = [folder, *sandbox_user.strays(user, folder)]
    return "output" if disk > limits.folder_bytes or too_full(places, limits.folder_bytes - disk) else None


def too_full(roots: Sequence[Path], most: int) -> bool:
    """Whether the files take more bytes than that, or are too many or too deep for anybody to look through."""
    places = [(str(root), 0) for root in roots]
    size, count = sum(_size(root) for root in roots), len(places)
    if size > most or count > _MOST_FILES:
        return True
    while places:
        place, depth = places.pop()
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    count += 1
                    if entry.is_dir(follow_symlinks=False):
                        places.append((entry.path, depth + 1))
                    size += entry.stat(follow_symlinks=False).st_blocks * 512
                    if size > most or count > _MOST_FILES or depth > _DEEPEST:
                        return True
        except OSError:  # closed to us, or gone
            continue
    return False


def _size(path: Path) -> int:
    try:
        return path.lstat().st_blocks * 512
    except OSError:  # it has just gone
        return 0


def below(ancestor: int) -> dict[int, int]:
    """A process and all that descend from it, each with the bytes of memory it has in use."""
    parents, sizes = {}, {}
    for entry in os.listdir("/proc"):
        if entry.isdecimal():
            try:
                with open(f"/proc/{entry}/stat", "rb") as file:
                    fields = file.read().rsplit(b")", 1)[1].split()
            except OSError:
                continue
            parents[int(entry)], sizes[int(entry)] = int(fields[1]), int(fields[21]) * _PAGE
    found = {}
    for pid in parents:
        above: int | None = pid
        while above and above != ancestor:
            above = parents.get(above)
        if above == ancestor:
            found[pid] = sizes[pid]
    return found


def held(processes: Iterable[int]) -> tuple[int, int]:
    """Bytes of files that are kept open and have no name (any more): in memory, and on a disk.

    Such a file needs room until the last process that has it open ends, and no look through a folder finds it.
    """
    found: dict[tuple[int, int], tuple[bool, int]] = {}
    for pid in processes:
        for task in _listed(f"/proc/{pid}/task"):  # a thread may have open files of its own
            place = f"/proc/{pid}/task/{task}/fd"
            for number in _listed(place):
                try:
                    info, name = os.stat(f"{place}/{number}"), os.readlink(f"{place}/{number}")
                except OSError:
                    continue
                if stat.S_ISREG(info.st_mode) and info.st_nlink == 0:
                    found[info.st_dev, info.st_ino] = name.startswith("/memfd:"), info.st_blocks * 512
    sizes = found.values()
    return sum(size for memory, size in sizes if memory), sum(size for memory, size in sizes if not memory)


def _listed(place: str) -> list[str]:
    try:
        return os.listdir(place)
    except OSError:  # it has just ended, or is not ours to look at
        return []

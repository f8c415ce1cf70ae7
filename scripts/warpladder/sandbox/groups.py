# SPDX-License-Identifier: MIT
"""Control groups (cgroup v2) for strangers' programs: the kernel itself holds all processes of a run together to their
memory, files in memory among them, and their number; it counts their processor time, and ends them all at once.

A group can be made where this process may write to the hierarchy: as root outside of most containers, or in a part that
systemd has handed over (`systemd-run --user --scope -p Delegate=yes`). Elsewhere watch.py looks four times a second.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_HOME = "warpladder"
_OWN = 8  # processes of the jail itself
_numbers = itertools.count()


@dataclass(frozen=True)
class Home:
    """A group in which groups can be made; `holds`: what it can limit."""

    path: Path
    holds: frozenset[str]  # of "memory", "pids"

    @property
    def whole(self) -> bool:
        return {"memory", "pids"} <= self.holds


class Group:
    def __init__(self, path: Path) -> None:
        self.path = path

    def cpu_seconds(self) -> float | None:
        """What all its processes have used, those that have ended among them."""
        used = self._number("cpu.stat", "usage_usec")
        return None if used is None else used / 1e6

    def out_of_memory(self) -> bool:
        return bool(self._number("memory.events", "oom_kill"))

    def end(self) -> None:
        with contextlib.suppress(OSError):
            _write(self.path / "cgroup.kill", "1")

    def _number(self, file: str, name: str) -> int | None:
        try:
            words = (self.path / file).read_text().split()
            return int(words[words.index(name) + 1])
        except (OSError, ValueError, IndexError):
            return None


@contextlib.contextmanager
def made(home: Home | None, memory_bytes: int, processes: int) -> Iterator[Group | None]:
    """A group for one run; None where there is no place for one. What is left in it ends with it."""
    if home is None:
        yield None
        return
    # Numbers of processes come again, and one that was killed has left its group behind.
    group = Group(home.path / f"{os.getpid()}-{next(_numbers)}-{secrets.token_hex(4)}")
    group.path.mkdir()
    try:
        limit(group.path, home.holds, memory_bytes, processes)
        yield group
    finally:
        group.end()
        _remove(group.path)


def limit(path: Path, holds: frozenset[str], memory_bytes: int, processes: int) -> None:
    values: dict[str, str] = {}
    if "memory" in holds:
        values |= {"memory.max": str(memory_bytes), "memory.oom.group": "1"}
        values |= {"memory.swap.max": "0"} if (path / "memory.swap.max").exists() else {}  # a kernel without swap
    if "pids" in holds:
        values["pids.max"] = str(processes + _OWN)
    for name, value in values.items():
        _write(path / name, value)


def home(mounts: str = "/proc/self/mountinfo", own: str = "/proc/self/cgroup") -> Home | None:
    """Where groups can be made: below our own group, or, for root, at the top; None: nowhere."""
    top = _mounted(mounts)
    mine = _own_group(own)
    if top is None or mine is None:
        return None
    places = [top] if mine == "/" else [top / mine.lstrip("/"), *([top] if os.geteuid() == 0 else [])]
    found = [home for place in places if (home := _prepared(place)) is not None]
    return max(found, key=lambda home: len(home.holds), default=None)


def _prepared(place: Path) -> Home | None:
    """Makes our own group below this one, and has it hand on what it can limit."""
    try:
        if (place / "cgroup.type").exists():  # not the top, and only the top may have processes and hand on as well
            _step_aside(place)
        there = (place / "cgroup.controllers").read_text().split()
        wanted = [name for name in there if name in ("memory", "pids")]
        _hand_on(place, wanted)
        path = place / _HOME
        path.mkdir(exist_ok=True)
        _hand_on(path, wanted)
        trial = path / f"trial-{os.getpid()}-{next(_numbers)}"
        trial.mkdir()
        try:
            holds = frozenset(name for name in wanted if list(trial.glob(f"{name}.max")))
        finally:
            trial.rmdir()
        return Home(path, holds)
    except (OSError, ValueError):
        return None


def _step_aside(place: Path) -> None:
    """A group that hands on limits has no processes of its own. Only if we are the one in it, we go one step down."""
    inside = (place / "cgroup.procs").read_text().split()
    if inside == [str(os.getpid())]:
        (place / "grader").mkdir(exist_ok=True)
        _write(place / "grader" / "cgroup.procs", "0")


def _hand_on(place: Path, names: list[str]) -> None:
    for name in names:
        if name not in (place / "cgroup.subtree_control").read_text().split():
            with contextlib.suppress(OSError):  # it has processes of its own
                _write(place / "cgroup.subtree_control", f"+{name}")


def _mounted(mounts: str) -> Path | None:
    with contextlib.suppress(OSError):
        for line in Path(mounts).read_text().splitlines():
            before, _, after = line.partition(" - ")
            if after.split(" ")[0] == "cgroup2":
                return Path(before.split(" ")[4])
    return None


def _own_group(own: str) -> str | None:
    with contextlib.suppress(OSError):
        for line in Path(own).read_text().splitlines():
            if line.startswith("0::"):
                return line[3:]
    return None


def _write(path: Path, text: str) -> None:
    handle = os.open(path, os.O_WRONLY)
    try:
        os.write(handle, text.encode())
    finally:
        os.close(handle)


def _remove(path: Path) -> None:
    """It is empty when the last process of it is gone, which may take a moment."""
    until = time.monotonic() + 5
    while time.monotonic() < until:
        try:
            path.rmdir()
            return
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.01)

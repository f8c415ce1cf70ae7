# SPDX-License-Identifier: MIT
"""Runs a program that nobody has read: in its own session and folder, with limits, and leaves nothing running.

jail.py cuts it off, as far as this system allows it: no network, a process tree that ends with it, only the files it
needs, another user. Here it is watched: time, output, memory and disk. What this protects from, and what not, stands in
docs/instructors.md.
"""

from __future__ import annotations

import functools
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import sandbox_user

_KEPT = ("PATH", "LANG", "LC_ALL", "CUDA_VISIBLE_DEVICES")
_JAIL = Path(__file__).with_name("jail.py")
_LOOK_EVERY = 0.25  # seconds between two looks at memory and disk
ALL = frozenset(("network", "processes", "files", "user"))  # what a program can be kept from


@dataclass(frozen=True)
class Limits:
    seconds: float = 20.0  # wall clock
    memory_bytes: int | None = 4 << 30  # address space; None on a GPU, whose driver reserves far more than it uses
    output_bytes: int = 1 << 20  # stdout and stderr together
    file_bytes: int = 64 << 20  # the largest file
    folder_bytes: int = 512 << 20  # all files together
    processes: int = 64
    open_files: int = 64


@dataclass(frozen=True)
class Record:
    """What became of the program. `limit`: time, output or memory, if one of them ended it."""

    exit: int | None
    signal: int | None
    limit: str | None
    stdout: str
    stderr: str
    seconds: float
    has: frozenset[str] = field(default_factory=frozenset)  # of ALL, what it was kept from

    @property
    def ok(self) -> bool:
        return self.exit == 0 and self.limit is None


def run(
    command: Sequence[str],
    folder: Path,
    limits: Limits,
    env: Mapping[str, str] | None = None,
    readable: Iterable[Path] = (),
) -> Record:
    """Runs a command in a folder of its own; `env` is all it gets beyond PATH and the like.

    `readable`: what it needs besides the system's programs and libraries. It can write to its folder only.
    """
    folder = folder.resolve()
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment |= {"HOME": str(folder), "TMPDIR": str(folder), **(env or {})}
    program = shutil.which(command[0]) or command[0]
    paths = {str(path.resolve()) for path in readable} | {str(path.absolute()) for path in readable} | {program}
    start = time.monotonic()
    root = Path(tempfile.mkdtemp(prefix="warpladder-root-"))
    try:
        with sandbox_user.borrowed() as user:
            sandbox_user.give(folder, user)
            spec = {
                "program": program,
                "command": list(command),
                "folder": str(folder),
                "env": environment,
                "limits": _resources(limits, user),
                "readable": sorted(paths | (set(_gpu_paths()) if limits.memory_bytes is None else set())),
                "root": str(root),
                "user": user,
                "isolate": "WARPLADDER_NO_NAMESPACES" not in os.environ,
            }
            texts, limit, report = _supervised(spec, limits, start)
            sandbox_user.take_back(folder)
    finally:
        os.rmdir(root)
    number = report.get("signal")
    if limit is None and number in (signal.SIGXCPU, signal.SIGXFSZ):
        limit = "time" if number == signal.SIGXCPU else "output"
    if limit is None and report.get("exit") != 0 and _out_of_memory(texts[1]):
        limit = "memory"
    if limit is None and not report:  # whoever ended the jail itself: not a success
        number = signal.SIGKILL
    exit_code = None if limit in ("time", "output") else report.get("exit")
    has = frozenset(report.get("has", ())) & ALL
    return Record(exit_code, number, limit, texts[0], texts[1], time.monotonic() - start, has)


def _resources(limits: Limits, user: int | None) -> dict[str, int]:
    """For setrlimit. Processes are counted by user: what an ordinary user runs besides comes on top."""
    cores = max(2, len(os.sched_getaffinity(0)))
    found = {
        "CORE": 0,
        "FSIZE": limits.file_bytes,
        "NOFILE": limits.open_files,
        "NPROC": limits.processes + (_tasks_of_user() if user is None else 0),
        "CPU": int(limits.seconds * cores) + 2,
        "MSGQUEUE": 0,
    }
    return found | ({"AS": limits.memory_bytes} if limits.memory_bytes is not None else {})


def _gpu_paths() -> list[str]:
    return ["/sys", *map(str, Path("/dev").glob("nvidia*")), *map(str, Path("/dev/dri").glob("*"))]


def _supervised(spec: dict[str, Any], limits: Limits, start: float) -> tuple[tuple[str, str], str | None, dict]:
    """Starts the jail and watches it; its report is empty if it had to be ended."""
    reading, writing = os.pipe()
    try:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_JAIL), json.dumps(spec), str(writing)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=spec["env"],
            pass_fds=(writing,),
            start_new_session=True,
        )
        os.close(writing)
        try:
            texts, limit = _watch(process, start + limits.seconds, limits, Path(spec["folder"]))
        finally:
            _end(process)
        os.set_blocking(reading, False)
        try:
            report = json.loads(os.read(reading, 1 << 16) or b"{}")
        except BlockingIOError:
            report = {}
        return texts, limit, report
    finally:
        os.close(reading)


def _tasks_of_user() -> int:
    """How many threads this user has now."""
    count, me = 0, os.geteuid()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.stat().st_uid == me:
                count += len(os.listdir(process / "task"))
        except OSError:  # it has just ended
            continue
    return count


@functools.lru_cache(maxsize=1)
def isolation() -> frozenset[str]:
    """What of ALL a program is kept from on this system; tried once."""
    with tempfile.TemporaryDirectory(prefix="warpladder-") as folder:
        record = run(["true"], Path(folder), Limits(seconds=30))
    return record.has if record.ok else frozenset()


def _watch(
    process: subprocess.Popen[bytes], deadline: float, limits: Limits, folder: Path
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
                limit = _too_much(process.pid, limits, folder)
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


def _too_much(jail: int, limits: Limits, folder: Path) -> str | None:
    """Limits that no setrlimit knows: of all its processes together, and of all its files."""
    if limits.memory_bytes is not None and memory_below(jail) > limits.memory_bytes:
        return "memory"
    size = 0
    for place, _, files in os.walk(folder):
        for name in files:
            try:
                size += os.lstat(os.path.join(place, name)).st_blocks * 512
            except OSError:
                continue
        if size > limits.folder_bytes:
            return "output"
    return None


def memory_below(ancestor: int) -> int:
    """Bytes in use by a process and all that descend from it."""
    parents, sizes = {}, {}
    for entry in os.listdir("/proc"):
        if entry.isdecimal():
            try:
                with open(f"/proc/{entry}/stat", "rb") as file:
                    fields = file.read().rsplit(b")", 1)[1].split()
            except OSError:
                continue
            parents[int(entry)], sizes[int(entry)] = int(fields[1]), int(fields[21])
    total = 0
    for pid in parents:
        above: int | None = pid
        while above and above != ancestor:
            above = parents.get(above)
        total += sizes[pid] if above == ancestor else 0
    return total * os.sysconf("SC_PAGE_SIZE")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends the jail, which ends what it started."""
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        pass
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def _out_of_memory(stderr: str) -> bool:
    return any(word in stderr for word in ("bad_alloc", "cudaErrorMemoryAllocation", "out of memory"))

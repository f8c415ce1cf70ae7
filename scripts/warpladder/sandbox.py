# SPDX-License-Identifier: MIT
"""Runs a program that nobody has read: in its own session and folder, with limits, and leaves nothing running.

Limits are set by prlimit (util-linux). Where the system allows it, unshare cuts the network and gives the program a
process tree of its own, which ends with it. What this protects from, and what not, stands in docs/instructors.md.
"""

from __future__ import annotations

import functools
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_KEPT = ("PATH", "LANG", "LC_ALL", "CUDA_VISIBLE_DEVICES")


@dataclass(frozen=True)
class Limits:
    seconds: float = 20.0  # wall clock
    memory_bytes: int | None = 4 << 30  # address space; None on a GPU, whose driver reserves far more than it uses
    output_bytes: int = 1 << 20  # stdout and stderr together
    file_bytes: int = 64 << 20  # the largest file
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

    @property
    def ok(self) -> bool:
        return self.exit == 0 and self.limit is None


def run(command: Sequence[str], folder: Path, limits: Limits, env: Mapping[str, str] | None = None) -> Record:
    """Runs a command in a folder of its own; `env` is all it gets beyond PATH and the like."""
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment |= {"HOME": str(folder), "TMPDIR": str(folder), **(env or {})}
    start = time.monotonic()
    process = subprocess.Popen(
        [*_limited(limits), *isolation(), *command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        texts, limit = _watch(process, start + limits.seconds, limits.output_bytes)
    finally:
        _end(process)
    code = process.returncode
    number = -code if code < 0 else code - 128 if 128 < code < 160 else None
    if limit is None and number in (signal.SIGXCPU, signal.SIGXFSZ):
        limit = "time" if number == signal.SIGXCPU else "output"
    if limit is None and code != 0 and _out_of_memory(texts[1]):
        limit = "memory"
    exit_code = None if number is not None or limit in ("time", "output") else code
    return Record(exit_code, number, limit, texts[0], texts[1], time.monotonic() - start)


def _limited(limits: Limits) -> list[str]:
    prlimit = shutil.which("prlimit")
    if prlimit is None:
        return []
    words = [prlimit, "--core=0", f"--fsize={limits.file_bytes}", f"--nofile={limits.open_files}"]
    # Counted by user, not by program: what the user runs besides comes on top. root is not held by it.
    words += [f"--nproc={_tasks_of_user() + limits.processes}"] if os.geteuid() != 0 else []
    words += [f"--as={limits.memory_bytes}"] if limits.memory_bytes is not None else []
    words.append(f"--cpu={int(limits.seconds) * 2 + 2}")
    return [*words, "--"]


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
def isolation() -> tuple[str, ...]:
    """The command that cuts a program off, as far as this system allows it; tried once."""
    unshare = shutil.which("unshare")
    if unshare is None:
        return ()
    for options in (["-rn", "--pid", "--fork", "--kill-child"], ["-rn"]):
        try:
            tried = subprocess.run([unshare, *options, "true"], capture_output=True, timeout=10)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if tried.returncode == 0:
            return (unshare, *options)
    return ()


def _watch(process: subprocess.Popen[bytes], deadline: float, most: int) -> tuple[tuple[str, str], str | None]:
    """Reads until the program ends, the time is over, or it has written too much."""
    assert process.stdout is not None and process.stderr is not None
    texts = {process.stdout: bytearray(), process.stderr: bytearray()}
    limit = None
    with selectors.DefaultSelector() as selector:
        for stream in texts:
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, selectors.EVENT_READ)
        while selector.get_map() and limit is None:
            left = deadline - time.monotonic()
            if left <= 0:
                limit = "time"
                break
            # A program may end and leave its output open in a child: look at the program itself, too.
            ready = selector.select(min(left, 0.2))
            for key, _ in ready:
                data = os.read(key.fd, 1 << 16)
                if not data:
                    selector.unregister(key.fileobj)
                texts[key.fileobj] += data  # type: ignore[index]
            if sum(map(len, texts.values())) > most:
                limit = "output"
            if not ready and process.poll() is not None:
                break
        if limit is None and selector.get_map() == {}:
            try:
                process.wait(timeout=max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                limit = "time"
    decoded = [bytes(text[:most]).decode("utf-8", "replace") for text in texts.values()]
    return (decoded[0], decoded[1]), limit


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends whatever of the program's group is left."""
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

# SPDX-License-Identifier: MIT
"""Runs a program that nobody has read: in its own session and folder, with limits, and leaves nothing running.

jail.py cuts it off, as far as this system allows it: no network, a process tree that ends with it, only the files it
needs, another user, few system calls, a control group. Here it is watched: time, output, memory and disk. What this
protects from, and what not, stands in docs/instructors.md.
"""

from __future__ import annotations

import functools
import marshal
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..core.console import CourseError
from . import bare, bubble, calls, groups
from . import user as sandbox_user
from .allowance import Allowance
from .watch import MOST_MEMORY, Limits, too_full, watch

_KEPT = ("PATH", "LANG", "LC_ALL", "CUDA_VISIBLE_DEVICES")
# jail.py as a module: Python keeps it compiled. Its folder comes last, so that nothing in it hides another module.
_JAIL = f"import sys; sys.path.append({str(Path(__file__).parent)!r}); import jail; jail.main()"
__all__ = ["ALL", "Limits", "Record", "isolation", "run"]
ALL = frozenset(("network", "processes", "files", "user", "calls", "group"))  # what can hold a program


@dataclass(frozen=True)
class Plan:
    """With what programs are cut off here."""

    bwrap: str = ""  # bubblewrap, if it can run
    own_proc: bool = True  # it can mount a /proc of its own, which some containers forbid
    filter: bytes = field(default=b"", repr=False)
    home: groups.Home | None = None
    namespaces: bool = True
    jail: bool = True  # False: none at all, for programs of our own
    stands: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Record:
    """What became of the program. `limit`: time, output or memory, if one of them ended it; allowance, if all that its
    student may take together was used up."""

    exit: int | None
    signal: int | None
    limit: str | None
    stdout: str
    stderr: str
    seconds: float
    has: frozenset[str] = field(default_factory=frozenset)  # of ALL, what it was kept from
    cpu_seconds: float = 0.0

    @property
    def ok(self) -> bool:
        return self.exit == 0 and self.limit is None


def run(
    command: Sequence[str],
    folder: Path,
    limits: Limits,
    env: Mapping[str, str] | None = None,
    readable: Iterable[Path] = (),
    allowance: Allowance | None = None,
) -> Record:
    """Runs a command in a folder of its own; `env` is all it gets beyond PATH and the like.

    `readable`: what it needs besides the system's programs and libraries. It can write to its folder only.
    `allowance`: what this and other programs may take together. Who has one is a stranger, and never runs as root.
    """
    if allowance is None:
        return _run(command, folder, limits, env, readable)
    if allowance.spent:
        return Record(None, None, "allowance", "", "", 0.0)
    record = _run(command, folder, allowance.of(limits), env, readable, stranger=True)
    allowance.take(record.seconds, record.cpu_seconds)
    return replace(record, limit="allowance") if record.limit == "time" and allowance.spent else record


def _run(
    command: Sequence[str],
    folder: Path,
    limits: Limits,
    env: Mapping[str, str] | None,
    readable: Iterable[Path],
    plan: Plan | None = None,
    stranger: bool = False,
) -> Record:
    plan = plan or walls()
    if plan.home is None and limits.cpu_seconds is not None:  # nobody counts while it runs
        limits = replace(limits, seconds=min(limits.seconds, limits.cpu_seconds))
    folder = folder.resolve()
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment |= {"HOME": str(folder), "TMPDIR": str(folder), **(env or {})}
    program = shutil.which(command[0]) or command[0]
    paths = {str(path.resolve()) for path in readable} | {str(path.absolute()) for path in readable} | {program}
    start = time.monotonic()
    if not plan.jail and not stranger:
        return _run_bare([program, *command[1:]], folder, limits, environment, start)
    root = Path(tempfile.mkdtemp(prefix="warpladder-root-"))
    try:
        with (
            sandbox_user.borrowed(_other_user_can([folder, *map(Path, paths)])) as user,
            groups.made(plan.home, limits.memory_bytes or MOST_MEMORY, limits.processes) as group,
        ):
            if stranger and user is None and os.geteuid() == 0:  # whom no limit on processes holds
                raise CourseError(f"another user cannot get into {folder} or to the course: nothing runs as root", 3)
            sandbox_user.give(folder, user)
            visible = sorted(paths | (set(_gpu_paths()) if limits.memory_bytes is None else set()))
            spec = {
                "program": program,
                "command": list(command),
                "folder": str(folder),
                "env": environment,
                "limits": _resources(limits, user),
                "processes": limits.processes,
                "counts_by_namespace": _kernel() >= (5, 14),
                "readable": visible,
                "root": str(root),
                "user": user,
                "isolate": plan.namespaces,
                "filter": plan.filter,
                "group": str(group.path) if group else "",
                "bwrap": _bubble(plan, program, command, folder, visible, user, limits) if plan.bwrap else [],
            }
            texts, limit, report = _supervised(spec, limits, start, group)
            used = group.cpu_seconds() if group else None
            if group and limit is None and group.out_of_memory():
                limit = "memory"
            strays = sandbox_user.strays(user, folder)
            if too_full([folder, *strays], limits.folder_bytes):  # a quick one, or one that was just ended for it
                limit = limit or "output"
                sandbox_user.empty(folder)
            sandbox_user.remove(strays)
            sandbox_user.take_back(folder)
    finally:
        os.rmdir(root)
    whole = plan.home is not None and plan.home.whole
    return _recorded(report, limit, texts, time.monotonic() - start, used, whole)


def _run_bare(words: Sequence[str], folder: Path, limits: Limits, env: Mapping[str, str], start: float) -> Record:
    most = {name: value for name, value in _resources(limits, user=0).items() if name != "NPROC"}
    texts, limit, report = bare.run(words, folder, env, limits, start + limits.seconds, most)
    if too_full([folder], limits.folder_bytes):
        limit = limit or "output"
        sandbox_user.empty(folder)
    return _recorded(report, limit, texts, time.monotonic() - start, None, whole=False)


def _recorded(
    report: dict[str, Any], limit: str | None, texts: tuple[str, str], seconds: float, used: float | None, whole: bool
) -> Record:
    """`used`: the processor time that its group counted; `whole`: the group held it to all limits."""
    number = report.get("signal")
    if limit is None and number in (signal.SIGXCPU, signal.SIGXFSZ):
        limit = "time" if number == signal.SIGXCPU else "output"
    if limit is None and report.get("exit") != 0 and _out_of_memory(texts[1]):
        limit = "memory"
    if limit is None and not report:  # whoever ended the jail itself: not a success
        number = signal.SIGKILL
    exit_code = None if limit in ("time", "output") else report.get("exit")
    has = frozenset(report.get("has", ())) | ({"group"} if whole else set())
    # Without a group, of one that had to be ended nothing better is known than the time.
    cpu = used if used is not None else report.get("cpu", seconds)
    return Record(exit_code, number, limit, texts[0], texts[1], seconds, has & ALL, cpu)


def _bubble(
    plan: Plan,
    program: str,
    command: Sequence[str],
    folder: Path,
    visible: list[str],
    user: int | None,
    limits: Limits,
) -> list[str]:
    by_namespace = user is None and os.geteuid() != 0 and _kernel() >= (5, 14)
    return bubble.words(
        plan.bwrap,
        [program, *command[1:]],
        str(folder),
        visible,
        user,
        limits.processes if by_namespace else None,
        plan.own_proc,
        bool(plan.filter),
    )


def _other_user_can(paths: list[Path]) -> bool:
    """Whether another user would get to these files: by the rights of all folders above, or in a root of its own."""
    return sandbox_user.reachable(paths) or "files" in isolation()


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


def _kernel() -> tuple[int, int]:
    match = re.match(r"(\d+)\.(\d+)", os.uname().release)
    return (int(match.group(1)), int(match.group(2))) if match else (0, 0)


def _gpu_paths() -> list[str]:
    return ["/sys", *map(str, Path("/dev").glob("nvidia*")), *map(str, Path("/dev/dri").glob("*"))]


def _supervised(
    spec: dict[str, Any], limits: Limits, start: float, group: groups.Group | None
) -> tuple[tuple[str, str], str | None, dict[str, Any]]:
    """Starts the jail and watches it; its report is empty if it had to be ended."""
    reading, writing = os.pipe()
    try:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _JAIL, marshal.dumps(spec).hex(), str(writing)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=spec["env"],
            pass_fds=(writing,),
            start_new_session=True,
        )
        os.close(writing)
        try:
            texts, limit = watch(process, start + limits.seconds, limits, Path(spec["folder"]), spec["user"], group)
        finally:
            _end(process)
            if group:
                group.end()
        os.set_blocking(reading, False)
        try:
            report = _read_report(os.read(reading, 1 << 16).decode())
        except BlockingIOError:
            report = {}
        return texts, limit, report
    finally:
        os.close(reading)


def _read_report(text: str) -> dict[str, Any]:
    """What jail.supervise() wrote: how it ended, with which number, its processor time, what held it."""
    if not text:
        return {}
    how, number, cpu, has = text.split(" ")
    return {how: int(number), "cpu": float(cpu), "has": has.split(",")}


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
def walls() -> Plan:
    """The best that works on this system; each is tried, once. WARPLADDER_WITHOUT names what not to try: `jail` is for
    whoever runs programs of their own and knows them. A stranger's has all of it but the walls, all the same."""
    without = set(os.environ.get("WARPLADDER_WITHOUT", "").split(","))
    if "jail" in without:
        return Plan(namespaces=False, jail=False)
    if "WARPLADDER_NO_NAMESPACES" in os.environ:
        without |= {"bubblewrap", "namespaces"}
    code = b"" if "calls" in without else calls.program()
    home = None if "group" in without else groups.home()
    bwrap = "" if without & {"bubblewrap", "namespaces"} else bubble.found()
    plans = [Plan(bwrap, own_proc, code, home) for own_proc in (True, False) if bwrap]
    own = Plan(filter=code, home=home, namespaces="namespaces" not in without)
    for plan in (*plans, own, replace(own, filter=b""), replace(own, filter=b"", home=None)):
        with tempfile.TemporaryDirectory(prefix="warpladder-", dir="/tmp") as folder:
            try:
                record = _run(["/bin/true"], Path(folder), Limits(seconds=30), None, (), plan)
            except OSError:
                continue
        if record.ok:
            return replace(plan, stands=record.has)
    return Plan(namespaces=own.namespaces)


def isolation() -> frozenset[str]:
    """What of ALL holds a program on this system."""
    return walls().stands


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends the jail, which ends what it started."""
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        pass
    bare.end(process)


def _out_of_memory(stderr: str) -> bool:
    return any(word in stderr for word in ("bad_alloc", "cudaErrorMemoryAllocation", "out of memory"))

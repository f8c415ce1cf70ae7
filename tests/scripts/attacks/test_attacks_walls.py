# SPDX-License-Identifier: MIT
"""Each wall of the sandbox has an attack that it stops, and that gets through without it."""

from __future__ import annotations

import os
import re
import shutil
import struct
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from warpladder.core.console import CourseError
from warpladder.grading import protection
from warpladder.sandbox import bubble, calls, groups, sandbox, scope
from warpladder.sandbox.sandbox import Limits, Plan, Record

_C = "import ctypes, os, socket\nlibc = ctypes.CDLL(None, use_errno=True)\n"
# Each prints "through" if the call is made.
CALLS = {
    "ptrace": "print('through' if libc.ptrace(0, 0, 0, 0) == 0 else 'no')",
    "a namespace of users": "print('through' if libc.unshare(0x10000000) == 0 else 'no')",
    "the same by clone": "pid = libc.syscall({clone}, 0x10000011, 0, 0, 0, 0)\nos._exit(0) if pid == 0 else 0\n"
    "print('through' if pid > 0 else 'no')",
    "keys of the user": "print('through' if libc.syscall({add_key}, b'user', b'x', b'y', 1, -3) > 0 else 'no')",
    "another process's memory": "local = (ctypes.c_long * 2)()\n"
    "print('through' if libc.process_vm_readv(os.getpid(), local, 0, local, 0, 0) == 0 else 'no')",
    "a family of sockets that no namespace holds": "try: socket.socket(38, 5); print('through')\n"
    "except OSError as error: print('through' if error.errno == 97 else 'no')",
    "personality": "print('through' if libc.personality(0xffffffff) >= 0 else 'no')",
}
_NUMBERS = {"x86_64": {"clone": 56, "add_key": 248}, "aarch64": {"clone": 220, "add_key": 217}}
needs_filter = pytest.mark.skipif(os.uname().machine not in _NUMBERS, reason="no filter for this machine")


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    yield monkeypatch
    monkeypatch.undo()
    sandbox.walls.cache_clear()


def fewer(patch: pytest.MonkeyPatch, names: str) -> Plan:
    patch.setenv("WARPLADDER_WITHOUT", names)
    sandbox.walls.cache_clear()
    return sandbox.walls()


def run(folder: Path, code: str, limits: Limits | None = None) -> Record:
    limits = limits or Limits(20)
    return sandbox.run(["/usr/bin/python3", "-c", code], folder, limits)


@needs_filter
@pytest.mark.parametrize("ways", ["", "bubblewrap", "namespaces"])
def test_the_filter_refuses_what_gets_through_without_it(
    tmp_path: Path, without: pytest.MonkeyPatch, ways: str
) -> None:
    numbers = _NUMBERS[os.uname().machine]
    attacks = [code.format(**numbers) for code in CALLS.values()]
    lines = {}
    for names in (ways, f"{ways},calls"):
        plan = fewer(without, names)
        assert bool(plan.filter) == ("calls" not in names) == ("calls" in plan.stands)
        lines[names] = [run(tmp_path, _C + code).stdout.strip() for code in attacks]
    assert lines[ways] == ["no"] * len(CALLS)
    got_through = dict(zip(CALLS, lines[f"{ways},calls"], strict=True))
    # Inside a container some of these are refused by the container's own filter.
    assert got_through["ptrace"] == "through" and got_through["personality"] == "through", got_through


@needs_filter
def test_a_filter_does_not_hinder_honest_programs(tmp_path: Path) -> None:
    code = """
import subprocess, threading, socket, mmap, tempfile, os
threading.Thread(target=print, args=("thread",)).start()
print(subprocess.run(["/bin/echo", "child"], capture_output=True, text=True).stdout.strip())
left, right = socket.socketpair(); left.send(b"x"); print(right.recv(1).decode())
os.memfd_create("x"); mmap.mmap(-1, 4096); tempfile.TemporaryFile()
"""
    record = run(tmp_path, code)
    assert record.ok and record.stdout.split() == ["thread", "child", "x"], record


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_of_each_machine(machine: str) -> None:
    """Followed as the kernel would: what is refused, and what is not."""
    column = ("x86_64", "aarch64").index(machine)
    architecture = (0xC000003E, 0xC00000B7)[column]
    refused, allowed, absent = 0x50001, 0x7FFF0000, 0x50026
    for numbers in calls._REFUSED.values():
        if numbers[column] is not None:
            assert filtered(machine, architecture, numbers[column] or 0) == refused
    clone, sockets = ((56, 220)[column], (41, 198)[column])
    assert filtered(machine, architecture, clone, 0x01200011) == allowed
    assert filtered(machine, architecture, clone, 0x10000011) == refused
    assert [filtered(machine, architecture, sockets, family) for family in (1, 2, 10, 16)] == [allowed] * 4
    assert [filtered(machine, architecture, sockets, family) for family in (17, 38, 40)] == [refused] * 3
    assert filtered(machine, architecture, 435) == filtered(machine, architecture, 1 | 0x40000000) == absent
    assert filtered(machine, architecture, (0, 63)[column]) == allowed  # read
    assert filtered(machine, 0x40000003, 1) == 0x80000000, "calls of 32 bits"
    assert calls.program("mips") == b""


def filtered(machine: str, architecture: int, number: int, first: int = 0) -> int:
    data = struct.pack("<IIQQ", number, architecture, 0, first)
    code = list(struct.iter_unpack("<HBBI", calls.program(machine)))
    at, value = 0, 0
    while True:
        kind, yes, no, word = code[at]
        if kind == 0x06:
            return int(word)
        if kind == 0x20:
            value = struct.unpack_from("<I", data, word)[0]
            at += 1
            continue
        true = {0x15: value == word, 0x35: value >= word, 0x45: bool(value & word)}[kind]
        at += 1 + (yes if true else no)


@pytest.mark.parametrize(("column", "header"), [(1, "asm-generic/unistd.h"), (0, "asm/unistd_64.h")])
def test_the_numbers_are_the_kernels(column: int, header: str) -> None:
    files = [Path("/usr/include") / header, *Path("/usr/include").glob(f"*/{header}")]
    text = next((file.read_text() for file in files if file.exists()), None)
    if text is None:
        pytest.skip(f"there is no {header} here")
    known = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text)}
    wrong = {name for name, numbers in calls._REFUSED.items() if numbers[column] != known.get(name, numbers[column])}
    assert wrong == set()


@pytest.mark.skipif(not bubble.found(), reason="bubblewrap is not installed")
def test_bubblewrap_shows_what_our_own_code_shows(tmp_path: Path, without: pytest.MonkeyPatch) -> None:
    code = """
import os
print(sorted(os.listdir("/")), sorted(os.listdir("/dev")), os.getcwd(), os.getuid() != 0, os.listdir("/tmp") != [])
for path in ("/x", "/tmp/x", "/usr/x", "/etc/x", "/dev/x", "x"):
    try: open(path, "w"); print(path)
    except OSError: pass
"""
    seen = []
    for names in ("", "bubblewrap"):
        plan = fewer(without, names)
        if "files" not in plan.stands:
            pytest.skip("no namespaces here")
        assert bool(plan.bwrap) == (names == "")
        seen.append(run(tmp_path, code).stdout)
    assert seen[0] == seen[1] and seen[0].split()[-2:] == ["/tmp/x", "x"]


@pytest.mark.parametrize("names", ["", "bubblewrap"])
def test_a_secret_is_seen_only_without_a_root_folder_of_its_own(
    tmp_path: Path, without: pytest.MonkeyPatch, names: str
) -> None:
    secret = Path(f"/var/tmp/warpladder-{os.getpid()}.txt")
    secret.write_text("42")
    look = f"import os; print(os.path.exists({str(secret)!r}))"
    try:
        if "files" not in fewer(without, names).stands:
            pytest.skip("no namespaces here")
        assert run(tmp_path, look).stdout.strip() == "False"
        fewer(without, "namespaces")
        assert run(tmp_path, look).stdout.strip() == "True"
    finally:
        secret.unlink()


def test_a_signal_is_told_from_an_exit_code(tmp_path: Path) -> None:
    record = run(tmp_path, "import os; os.kill(os.getpid(), 11)")
    assert (record.exit, record.signal) == (None, 11)
    assert run(tmp_path, "import sys; sys.exit(77)").exit == 77


_BUSY = "import os\nfor _ in range(3): os.fork()\nwhile True: pass\n"


@pytest.mark.skipif(groups.home() is None, reason="no control groups here")
def test_processor_time_of_all_is_held_by_a_group(tmp_path: Path, without: pytest.MonkeyPatch) -> None:
    limits, patient = Limits(30, cpu_seconds=0.7), "import time; time.sleep(3)"
    assert fewer(without, "").home is not None
    held = run(tmp_path, _BUSY, limits)
    assert held.limit == "time" and held.seconds < 15 and held.cpu_seconds < 10
    assert run(tmp_path, patient, limits).ok, "who waits uses nothing"
    assert fewer(without, "group").home is None
    assert run(tmp_path, patient, limits).limit == "time", "without it the clock has to stand in"


def test_a_user_asks_systemd_for_a_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here it is only written down what would be asked."""
    asked: list[list[str]] = []
    monkeypatch.setattr(scope, "_works", lambda words: True)
    monkeypatch.setattr(os, "execvpe", lambda program, words, env: asked.append([env[scope.MARK], *words]))
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/systemd-run")
    course = ["/x/course", "grade", "in"]
    for user, home, runtime, argv in (
        (0, None, "/run/user/0", course),
        (1000, groups.Home(tmp_path, frozenset(("memory", "pids"))), "/run/user/1000", course),
        (1000, None, "", course),
        (1000, None, "/run/user/1000", ["pytest"]),
    ):
        monkeypatch.setattr(os, "geteuid", lambda user=user: user)
        scope.enter(home, argv, {"XDG_RUNTIME_DIR": runtime})
        assert asked == []
    scope.enter(None, course, {"XDG_RUNTIME_DIR": "/run/user/1000"})
    assert asked[0][:3] == ["1", "systemd-run", "--user"] and asked[0][-4:] == [sys.executable, *course]
    assert "Delegate=yes" in asked[0]
    scope.enter(None, course, {"XDG_RUNTIME_DIR": "/run/user/1000", scope.MARK: "1"})
    assert len(asked) == 1, "once is enough"


@pytest.mark.skipif(groups.home() is None, reason="no control groups here")
def test_a_group_ends_what_no_tree_holds(tmp_path: Path) -> None:
    home = groups.home()
    with groups.made(home, 1 << 30, 10) as group:
        assert group is not None
        child = os.posix_spawn("/bin/sh", ["sh", "-c", "setsid sleep 50 & setsid sleep 50"], {"PATH": "/bin:/usr/bin"})
        groups._write(group.path / "cgroup.procs", str(child))
        time.sleep(0.2)
        group.end()
        os.waitpid(child, 0)
    assert not group.path.exists()


@pytest.mark.skipif(not (found := groups.home()) or not found.whole, reason="no cgroup v2 with memory and pids here")
@pytest.mark.parametrize(
    ("code", "limit"),
    [
        # Each file and each process stays below what the system's older limits hold: all together do not.
        ("import os\nfor _ in range(100): os.write(os.memfd_create('x'), bytes(3 << 20))", "memory"),
        (
            "import os, time\nfor _ in range(6): os.fork() or (b'x' * (40 << 20), time.sleep(60))\ntime.sleep(60)",
            "memory",
        ),
        ("import os, time\nwhile True:\n    if os.fork() == 0: time.sleep(60)", None),
    ],
    ids=("memfd", "memory", "processes"),
)
def test_memory_and_processes_are_held_at_once(tmp_path: Path, code: str, limit: str | None) -> None:
    record = run(tmp_path, code, Limits(20, memory_bytes=100 << 20, processes=10))
    assert not record.ok and record.limit == limit and record.seconds < 10


def test_what_is_asked_of_a_group(tmp_path: Path) -> None:
    for name in ("memory.max", "memory.oom.group", "memory.swap.max", "pids.max"):
        (tmp_path / name).touch()
    groups.limit(tmp_path, frozenset(("memory", "pids")), 1 << 30, 64)
    said = {file.name: file.read_text() for file in tmp_path.iterdir()}
    assert said == {"memory.max": str(1 << 30), "memory.oom.group": "1", "memory.swap.max": "0", "pids.max": "72"}
    (tmp_path / "memory.events").write_text("low 0\noom 1\noom_kill 3\n")
    (tmp_path / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 1\n")
    assert groups.Group(tmp_path).out_of_memory() and groups.Group(tmp_path).cpu_seconds() == 1.5
    assert groups.home("/nowhere", "/nowhere") is None


class Hierarchy:
    """The files of a cgroup v2 as the kernel would make them: a new group has those that its parent hands on."""

    FILES = {"memory": ("memory.max", "memory.oom.group", "memory.swap.max"), "pids": ("pids.max",)}

    def __init__(self, top: Path, patch: pytest.MonkeyPatch, controllers: str) -> None:
        self.top, self.rmdir, self.mkdir = top, Path.rmdir, Path.mkdir
        self.said: dict[str, dict[str, str]] = {}
        for name, text in (("cgroup.controllers", controllers), ("cgroup.subtree_control", ""), ("cgroup.procs", "")):
            (top / name).write_text(text)
        patch.setattr(groups, "_write", self._write)
        patch.setattr(Path, "mkdir", lambda path, exist_ok=False: self._make(path, exist_ok))
        patch.setattr(Path, "rmdir", lambda path: self._remove(path))

    @staticmethod
    def _write(path: Path, text: str) -> None:
        if path.name == "cgroup.subtree_control":
            if text[1:] not in (path.parent / "cgroup.controllers").read_text().split():
                raise OSError("no such controller")
            text = f"{path.read_text()} {text[1:]}"
        if not path.exists() and path.name != "cgroup.kill":
            raise OSError(f"there is no {path}")
        path.write_text(text)

    def _make(self, path: Path, exist_ok: bool) -> None:
        if exist_ok and path.exists():
            return
        self.mkdir(path)
        handed = (path.parent / "cgroup.subtree_control").read_text()
        (path / "cgroup.controllers").write_text(handed)
        for name in ("cgroup.subtree_control", "cgroup.procs", *(f for c in handed.split() for f in self.FILES[c])):
            (path / name).touch()

    def _remove(self, path: Path) -> None:
        self.said[path.name] = {file.name: file.read_text() for file in path.iterdir()}
        for file in path.iterdir():
            file.unlink()
        self.rmdir(path)


@pytest.mark.parametrize("controllers", ["cpu memory pids", "cpu pids", ""])
def test_a_hierarchy_is_used_for_what_it_can_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, controllers: str
) -> None:
    (top := tmp_path / "cgroup").mkdir()
    (mounts := tmp_path / "mountinfo").write_text(
        f"28 23 0:24 / /elsewhere rw - cgroup cgroup rw,memory\n29 23 0:25 / {top} rw,nosuid - cgroup2 cgroup2 rw\n"
    )
    (own := tmp_path / "own").write_text("4:memory:/x\n0::/\n")
    kernel = Hierarchy(top, monkeypatch, controllers)
    home = groups.home(str(mounts), str(own))
    assert home == groups.Home(top / "warpladder", frozenset(controllers.split()) - {"cpu"})
    assert home.whole == ("memory" in controllers)
    with groups.made(home, 1 << 30, 64) as group:
        assert group is not None and group.cpu_seconds() is None and not group.out_of_memory()
        if home.whole:
            (group.path / "memory.events").write_text("oom 1\noom_kill 1\n")
            assert group.out_of_memory()
    assert not group.path.exists() and home.path.exists()
    said = kernel.said[group.path.name]
    limits = {name: text for name, text in said.items() if text and name.endswith((".max", ".group"))}
    memory = {"memory.max": str(1 << 30), "memory.oom.group": "1", "memory.swap.max": "0"}
    right = (memory if "memory" in controllers else {}) | ({"pids.max": "72"} if "pids" in controllers else {})
    assert limits == right and said["cgroup.kill"] == "1"


def test_what_is_required(without: pytest.MonkeyPatch) -> None:
    strict = protection.required("strict")
    assert strict == {"network", "processes", "files", "calls", "group"}
    assert protection.required("files,network") == {"files", "network"} and protection.required("") == set()
    with pytest.raises(CourseError, match="^--require: 'moat' is none of strict, ") as error:
        protection.required("moat")
    assert error.value.exit_code == 2
    protection.insist(strict, frozenset(strict))
    with pytest.raises(CourseError, match="^--require: .*it may use the network") as error:
        protection.insist(strict, frozenset(strict - {"network"}))
    assert error.value.exit_code == 2 and "\n" not in str(error.value)


def test_the_walls_are_named() -> None:
    plan = Plan("/usr/bin/bwrap", stands=frozenset(("network", "processes", "files", "calls")))
    assert protection.said(plan) == (
        "walls: no network, its own processes, its own files (by bubblewrap), few system calls"
    )
    assert "namespaces" in protection.said(Plan(stands=frozenset(("files",))))
    assert protection.said(Plan()) == "walls: none"
    assert set(protection.MISSING) == sandbox.ALL == set(protection.STANDING)
    assert sys.version_info >= (3, 10)

# SPDX-License-Identifier: MIT
"""The sandbox holds programs that misbehave, and leaves nothing running."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from warpladder import sandbox
from warpladder.sandbox import Limits, Record


def run(folder: Path, code: str, **limits: float) -> Record:
    readable = [Path(sys.prefix), Path(sys.base_prefix)]
    return sandbox.run([sys.executable, "-c", code], folder, Limits(**{"seconds": 20.0, **limits}), readable=readable)  # type: ignore[arg-type]


def test_what_a_program_says_and_how_it_ends(tmp_path: Path) -> None:
    record = run(tmp_path, "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)")
    assert (record.exit, record.signal, record.limit) == (3, None, None)
    assert (record.stdout, record.stderr) == ("out\n", "err\n")
    assert not record.ok


def test_a_signal_is_named(tmp_path: Path) -> None:
    record = run(tmp_path, "import ctypes; ctypes.string_at(0)")
    assert record.exit is None and record.signal == 11


def test_time(tmp_path: Path) -> None:
    start = time.monotonic()
    record = run(tmp_path, "while True: pass", seconds=1)
    assert record.limit == "time" and record.exit is None
    assert time.monotonic() - start < 8


def test_time_also_for_a_program_that_sleeps_and_has_closed_its_output(tmp_path: Path) -> None:
    record = run(tmp_path, "import os, time; os.close(1); os.close(2); time.sleep(60)", seconds=1)
    assert record.limit == "time"


def test_output(tmp_path: Path) -> None:
    record = run(tmp_path, "while True: print('x' * 1000)", output_bytes=10_000)
    assert record.limit == "output"
    assert len(record.stdout) <= 10_000


def test_memory(tmp_path: Path) -> None:
    record = run(tmp_path, "x = bytearray(2 << 30)", memory_bytes=1 << 30)
    assert not record.ok
    assert "MemoryError" in record.stderr


def test_a_large_file(tmp_path: Path) -> None:
    record = run(tmp_path, "open('large', 'wb').write(bytes(1 << 22))", file_bytes=1 << 20)
    assert not record.ok
    assert (tmp_path / "large").stat().st_size <= 1 << 20


@pytest.mark.parametrize("session", ["", "os.setsid();"])
def test_children_do_not_outlive_it(tmp_path: Path, session: str) -> None:
    if session and "processes" not in sandbox.isolation():
        pytest.skip("this system gives no process tree of its own: a child that leaves the session is not found")
    code = f"import os, time\nif os.fork() == 0:\n    {session} time.sleep(30); open('late', 'w')\n"
    start = time.monotonic()
    run(tmp_path, code + "open('mark', 'w').write('x')", seconds=3)
    assert time.monotonic() - start < 10, "it does not wait for what a child leaves open"
    assert (tmp_path / "mark").exists()
    mine = [pid for pid in os.listdir("/proc") if pid.isdecimal() and _folder(pid) == str(tmp_path)]
    assert mine == []


def _folder(pid: str) -> str:
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return ""


def test_secrets_of_the_caller_are_not_handed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "abc")
    record = run(tmp_path, "import os; print(os.environ.get('SECRET_TOKEN'), os.environ['HOME'], os.getcwd())")
    assert record.stdout.split() == ["None", str(tmp_path), str(tmp_path)]


def test_no_network_where_the_system_allows_it(tmp_path: Path) -> None:
    if "network" not in sandbox.isolation():
        pytest.skip("this system does not allow unshare")
    record = run(tmp_path, "import socket; print([name for _, name in socket.if_nameindex()])")
    assert record.stdout.strip() in ("['lo']", "[]")

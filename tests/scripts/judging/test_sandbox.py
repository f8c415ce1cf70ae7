# SPDX-License-Identifier: MIT
"""The sandbox holds programs that misbehave, and leaves nothing running."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from warpladder.core.console import CourseError
from warpladder.core.paths import SCRIPTS
from warpladder.sandbox import bare, groups, sandbox
from warpladder.sandbox import user as sandbox_user
from warpladder.sandbox.allowance import Allowance
from warpladder.sandbox.sandbox import Limits, Record


def run(folder: Path, code: str, **limits: float) -> Record:
    chosen = Limits(**{"seconds": 20.0, **limits})  # type: ignore[arg-type]
    readable = [Path(sys.prefix), Path(sys.base_prefix)]
    return sandbox.run([sys.executable, "-c", code], folder, chosen, readable=readable)


@pytest.fixture(params=["with namespaces", "without"])
def anywhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Both what this system offers, and what is left where it offers no namespaces."""
    if request.param == "without":
        monkeypatch.setenv("WARPLADDER_NO_NAMESPACES", "1")
    sandbox.walls.cache_clear()
    yield
    sandbox.walls.cache_clear()


@pytest.fixture
def unjailed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("WARPLADDER_WITHOUT", "jail")
    sandbox.walls.cache_clear()
    yield
    sandbox.walls.cache_clear()


def test_our_own_programs_have_limits_without_a_jail_too(tmp_path: Path, unjailed: None) -> None:
    record = run(tmp_path, "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)")
    assert (record.exit, record.stdout, record.stderr, record.limit) == (3, "out\n", "err\n", None)
    assert record.has == frozenset(), "nothing is said to hold it"
    assert run(tmp_path, "import ctypes; ctypes.string_at(0)").signal == 11
    assert run(tmp_path, "while True: pass", seconds=1).limit == "time"
    assert run(tmp_path, "while True: print('x' * 1000)", output_bytes=10_000).limit == "output"
    assert "MemoryError" in run(tmp_path, "x = bytearray(2 << 30)", memory_bytes=1 << 30).stderr
    code = "import resource; print(resource.getrlimit(resource.RLIMIT_FSIZE)[1])"
    assert run(tmp_path, code, file_bytes=1 << 20).stdout == f"{1 << 20}\n"
    assert run(tmp_path, "import os, time\nif os.fork() == 0: time.sleep(600)").ok
    until = time.monotonic() + 60  # what was killed may take a moment to end
    while any(_folder(pid) == str(tmp_path) for pid in os.listdir("/proc") if pid.isdecimal()):
        assert time.monotonic() < until, "nothing of it goes on"
        time.sleep(0.01)


def test_a_stranger_has_a_jail_always(tmp_path: Path, unjailed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bare, "run", lambda *_: pytest.fail("it runs without a jail"))
    tmp_path.chmod(0o711)
    with tempfile.TemporaryDirectory(prefix="warpladder-") as folder:
        Path(folder).chmod(0o711)
        record = sandbox.run(["/bin/true"], Path(folder), Limits(), allowance=Allowance(60.0, 60.0))
    assert record.ok


def test_what_a_program_says_and_how_it_ends(tmp_path: Path) -> None:
    record = run(tmp_path, "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)")
    assert (record.exit, record.signal, record.limit) == (3, None, None)
    assert (record.stdout, record.stderr) == ("out\n", "err\n")
    assert not record.ok


def test_a_signal_is_named(tmp_path: Path) -> None:
    record = run(tmp_path, "import ctypes; ctypes.string_at(0)")
    assert record.exit is None and record.signal == 11


def test_a_signal_counts_also_where_whoever_started_us_ignores_it(tmp_path: Path) -> None:
    """As nohup does, and a shell for what runs in the background."""
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGQUIT, signal.SIGHUP)}
    try:
        for number in before:
            code = f"import os; os.kill(os.getpid(), {int(number)}); print('goes on')"
            assert run(tmp_path, code).signal == number
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_time(tmp_path: Path) -> None:
    start = time.monotonic()
    record = run(tmp_path, "while True: pass", seconds=1)
    assert record.limit == "time" and record.exit is None
    assert time.monotonic() - start < 60, "also on a machine with much to do"


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


def test_many_small_files(tmp_path: Path) -> None:
    code = "import time\nfor i in range(1000): open(str(i), 'wb').write(bytes(1 << 20)); time.sleep(0.01)"
    assert run(tmp_path, code, folder_bytes=20 << 20).limit == "output"


def test_folders_without_end(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    code = "import os\nfor _ in range(3000): os.mkdir('a'); os.chdir('a')\n"
    assert run(tmp_path / "own", code).limit == "output"
    assert list((tmp_path / "own").iterdir()) == [], "they would be in the way of whoever cleans up"


def test_memory_of_all_processes_together(tmp_path: Path) -> None:
    code = (
        "import os, time\nfor _ in range(4):\n    if os.fork() == 0: x = b'x' * (150 << 20); time.sleep(600)\nos.wait()"
    )
    record = run(tmp_path, code, memory_bytes=400 << 20)
    assert record.limit == "memory"


def test_the_number_of_processes(tmp_path: Path, anywhere: None) -> None:
    code = (
        "import os, time\nn = 0\ntry:\n    while n < 500:\n        if os.fork() == 0: time.sleep(600)\n        n += 1\n"
    )
    record = run(tmp_path, code + "except OSError: print(n)", processes=20, seconds=300)
    if os.geteuid() == 0 and not record.has & {"user", "group"}:
        pytest.skip("root, without another user: the system does not limit root")
    # A group counts the jail's own processes, too, and has room for them.
    assert 5 <= int(record.stdout) <= 20 + (groups._OWN if "group" in record.has else 0)
    assert record.seconds < 120, "it does not wait for the others"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_stranger_never_runs_as_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without namespaces it runs as another user; where that one cannot get to its files it does not run at all."""
    monkeypatch.setenv("WARPLADDER_NO_NAMESPACES", "1")
    sandbox.walls.cache_clear()
    tmp_path.chmod(0o700)
    (closed := tmp_path / "inside").mkdir()
    try:
        with pytest.raises(CourseError, match="nothing runs as root") as error:
            sandbox.run(["/bin/sh", "-c", "exit 7"], closed, Limits(20), allowance=Allowance(60, 60))
        assert error.value.exit_code == 3 and "\n" not in str(error.value)
        with tempfile.TemporaryDirectory(dir="/var/tmp") as open_to_all:
            Path(open_to_all).chmod(0o755)
            words = ["/bin/sh", "-c", "test $(id -u) -ne 0 && exit 7"]
            assert sandbox.run(words, Path(open_to_all), Limits(20), allowance=Allowance(60, 60)).exit == 7
    finally:
        sandbox.walls.cache_clear()


def test_a_forged_report_is_none(tmp_path: Path, anywhere: None) -> None:
    """The program's descriptors are its own: what it writes to them does not become its exit code."""
    code = "import os\nfor fd in range(3, 60):\n    try: os.write(fd, b'{\"exit\": 0}')\n    except OSError: pass\n"
    code += "os._exit(5)"
    assert run(tmp_path, code).exit == 5


def test_only_its_own_folder(tmp_path: Path) -> None:
    if "files" not in sandbox.isolation():
        pytest.skip("this system gives no root folder of its own")
    secret, folder = tmp_path / "secret", tmp_path / "own"
    secret.write_text("42")
    folder.mkdir()
    code = f"""
import os
print(os.path.exists({str(secret)!r}), os.path.exists({str(SCRIPTS)!r}))
for path in ("/mark", "/usr/mark", "/etc/mark", {str(tmp_path / "mark")!r}):
    try: open(path, "w"); print("written", path)
    except OSError: pass
open("mine", "w").write("x")
"""
    record = run(folder, code)
    assert record.stdout.split() == ["False", "False"], record.stderr
    assert (folder / "mine").read_text() == "x"
    assert not (tmp_path / "mark").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give another user")
def test_another_user(open_folder: Path) -> None:
    if "user" not in sandbox.isolation():
        pytest.skip("no other user here")
    record = run(open_folder, "import os; print(os.getuid(), os.getgroups()); open('mine', 'w')")
    user, groups = record.stdout.split(maxsplit=1)
    assert int(user) >= sandbox_user.first() and groups.strip() in (f"[{user}]", "[]")


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="needs root, to become somebody")
@pytest.mark.parametrize("more", [{}, {"WARPLADDER_NO_NAMESPACES": "1"}])
def test_as_an_ordinary_user(more: dict[str, str]) -> None:
    if not sandbox_user.reachable([SCRIPTS / "x"]) or not Path("/usr/bin/python3").exists():
        pytest.skip("other users cannot get at the course")
    code = f"""
import sys, tempfile, pathlib
sys.path.insert(0, {str(SCRIPTS)!r})
sys.dont_write_bytecode = True
from warpladder.sandbox import sandbox
with tempfile.TemporaryDirectory() as folder:
    shell = "echo hello; mkdir -m 0 closed; setsid sleep 4321 & exit 3"
    record = sandbox.run(["/bin/sh", "-c", shell], pathlib.Path(folder), sandbox.Limits(seconds=20))
with tempfile.TemporaryDirectory() as folder:
    bomb = "f() {{ f | f & }}; f 2>/dev/null & exec sleep 30"  # exec: there may be no process left for it to fork
    ended = sandbox.run(["/bin/sh", "-c", bomb], pathlib.Path(folder), sandbox.Limits(seconds=2))
print(record.exit, record.stdout.strip(), ended.limit)
"""
    user = str(70_000 + os.getpid())  # other tests may run beside this one
    command = ["setpriv", "--reuid", user, "--regid", user, "--clear-groups", "/usr/bin/python3", "-c", code]
    env = {"PATH": "/usr/bin:/bin", **more}
    done = subprocess.run(command, env=env, cwd="/", capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["3", "hello", "time"], done.stderr
    assert [pid for pid in os.listdir("/proc") if pid.isdecimal() and _user(pid) == int(user)] == []


def _user(pid: str) -> int:
    try:
        return os.stat(f"/proc/{pid}").st_uid
    except OSError:
        return -1


@pytest.mark.parametrize("session", ["", "os.setsid();"])
def test_children_do_not_outlive_it(tmp_path: Path, session: str, anywhere: None) -> None:
    code = f"import os, time\nif os.fork() == 0:\n    {session} time.sleep(600); open('late', 'w')\n"
    start = time.monotonic()
    record = run(tmp_path, code + "open('mark', 'w').write('x')", seconds=300)
    assert record.limit is None and time.monotonic() - start < 120, "it does not wait for what a child leaves open"
    assert (tmp_path / "mark").exists()
    mine = [pid for pid in os.listdir("/proc") if pid.isdecimal() and _folder(pid) == str(tmp_path)]
    assert mine == []


def _folder(pid: str) -> str:
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return ""


@pytest.mark.parametrize("more", [{}, {"WARPLADDER_NO_NAMESPACES": "1"}])
def test_it_ends_with_whoever_watches_it(tmp_path: Path, more: dict[str, str]) -> None:
    code = f"""
import sys, pathlib
sys.path.insert(0, {str(SCRIPTS)!r})
sys.dont_write_bytecode = True
from warpladder.sandbox import sandbox
shell = "echo > begun; setsid sleep 60 & sleep 60"
sandbox.run(["/bin/sh", "-c", shell], pathlib.Path({str(tmp_path)!r}), sandbox.Limits(50))
"""
    rest = tmp_path.with_name(tmp_path.name + "-rest")  # what nobody is left to remove
    rest.mkdir()
    watcher = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, **more, "TMPDIR": str(rest)})
    until = time.monotonic() + 30
    while not (tmp_path / "begun").exists() and time.monotonic() < until:
        time.sleep(0.05)
    watcher.kill()
    watcher.wait()
    until = time.monotonic() + 10
    while (left := [pid for pid in os.listdir("/proc") if _folder(pid) == str(tmp_path)]) and time.monotonic() < until:
        time.sleep(0.05)
    assert left == []


def test_secrets_of_the_caller_are_not_handed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "abc")
    record = run(tmp_path, "import os; print(os.environ.get('SECRET_TOKEN'), os.environ['HOME'], os.getcwd())")
    assert record.stdout.split() == ["None", str(tmp_path), str(tmp_path)]


def test_no_network_where_the_system_allows_it(tmp_path: Path) -> None:
    if "network" not in sandbox.isolation():
        pytest.skip("this system does not allow unshare")
    record = run(tmp_path, "import socket; print([name for _, name in socket.if_nameindex()])")
    assert record.stdout.strip() in ("['lo']", "[]")

# SPDX-License-Identifier: MIT
"""Building beside running, with a script in place of CMake."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from warpladder.build import cmake, lessons
from warpladder.build.lessons import LessonBuild
from warpladder.core import console
from warpladder.core.console import Console
from warpladder.setup import machine

FAKE = """#!{python}
import os, sys, time
sys.stdout.reconfigure(line_buffering=True)
{body}
"""


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LessonBuild:
    monkeypatch.setattr(console, "LOGS", tmp_path / "logs")
    monkeypatch.setattr(console, "ROOT", tmp_path)
    monkeypatch.setattr(cmake, "BUILD", tmp_path / "build")
    monkeypatch.setattr(machine, "tool", lambda name: str(tmp_path / name))
    return LessonBuild(Console(), "default", 2, {"HERE": str(tmp_path)})


def fake(tmp_path: Path, body: str) -> None:
    (tmp_path / "cmake").write_text(FAKE.format(python=sys.executable, body=body))
    (tmp_path / "cmake").chmod(0o755)


def wait_until_there(path: Path) -> None:
    for _ in range(1000):
        if path.exists():
            return
        time.sleep(0.01)
    pytest.fail(f"{path} did not appear")


def test_a_program_can_be_run_while_the_next_is_built(build: LessonBuild, tmp_path: Path) -> None:
    line = "[{}/2] Linking CXX executable lessons/{}"
    waits = "while not os.path.exists(os.environ['HERE'] + '/go'): time.sleep(0.01)"
    words = "open(os.environ['HERE'] + '/words', 'w').write(' '.join(sys.argv[1:]))"
    fake(tmp_path, f"{words}\nprint('{line.format(1, '01_a')}')\n{waits}\nprint('{line.format(2, '02_b.c')}')")
    with build:
        build.start("the lessons", ["01_a", "02_b.c"])
        assert build.wait("01_a")  # the other one is not there yet: its builder waits for us
        (tmp_path / "go").touch()
        assert build.wait("02_b.c")
    assert (tmp_path / "words").read_text() == "--build --preset default --target lesson_01_a lesson_02_b.c -j 2"


def test_what_was_there_already_is_there_when_the_build_ends(build: LessonBuild, tmp_path: Path) -> None:
    fake(tmp_path, "print('ninja: no work to do.')")
    with build:
        build.start("the lessons", ["01_a"])
        assert build.wait("01_a")


def test_what_cannot_be_built_is_told_once_and_the_rest_can_run(
    build: LessonBuild, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fake(tmp_path, "print('[1/2] Linking CXX executable lessons/01_a\\nFAILED: b.o\\nb.cu(3): error: x'); sys.exit(1)")
    with build:
        build.start("the lessons", ["01_a", "02_b", "03_c"])
        assert build.wait("01_a")
        assert not build.wait("02_b")
        assert not build.wait("03_c")
    assert capsys.readouterr().out.count("b.cu(3): error: x") == 1


def test_nobody_waits_for_a_build_that_is_not_needed_any_more(build: LessonBuild, tmp_path: Path) -> None:
    fake(tmp_path, "open(os.environ['HERE'] + '/begun', 'w')\nprint('on')\ntime.sleep(60)")
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt), build:
        build.start("the lessons", ["01_a"])
        wait_until_there(tmp_path / "begun")
        raise KeyboardInterrupt
    assert time.monotonic() - start < 30


def test_nothing_to_build_starts_nothing(build: LessonBuild) -> None:
    with build:
        build.start("the lessons", [])
        assert build.wait("01_a")


def test_after_a_kill_cmake_begins_afresh(build: LessonBuild, tmp_path: Path) -> None:
    fake(tmp_path, "open(os.environ['HERE'] + '/words', 'w').write(' '.join(sys.argv[1:]))")
    assert build.configure(["-DA=B"])
    assert (tmp_path / "words").read_text() == "--preset default -DA=B"
    fake(tmp_path, "os.kill(os.getppid(), 0); sys.exit(1)")
    (tmp_path / "build" / "default" / ".configuring").touch()  # what a killed one leaves
    assert not build.configure([])
    fake(tmp_path, "open(os.environ['HERE'] + '/words', 'w').write(' '.join(sys.argv[1:]))")
    (tmp_path / "build" / "default" / ".configuring").touch()
    assert build.configure([])
    assert (tmp_path / "words").read_text() == "--preset default --fresh"
    assert build.configure([])
    assert (tmp_path / "words").read_text() == "--preset default"


def test_a_gpu_does_without_the_emulator_where_something_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "missing", lambda use: ["zstd"])
    assert lessons.definitions(machine.RUN_GPU) == ["-DWARPLADDER_EMULATOR=OFF"]
    assert lessons.definitions(machine.RUN_EMULATED) == ["-DWARPLADDER_EMULATOR=ON"]

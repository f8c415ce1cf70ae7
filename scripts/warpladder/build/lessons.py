# SPDX-License-Identifier: MIT
"""Builds the programs of the lessons: one that is wanted at once, the others in the background while it runs."""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Mapping, Sequence
from types import TracebackType

from ..core.console import Console
from ..setup import machine
from . import cmake

LOG = "build.log"
# What ninja says when a program is there: "[17/40] Linking CXX executable lessons/01_naive_atomic"
_LINKED = re.compile(r"^\[\d+/\d+\] Linking \S+ executable lessons/(\S+)")


class LessonBuild:
    """`make` builds now; `start` builds in the background, and `wait` tells when a program can be run."""

    def __init__(self, console: Console, preset: str, jobs: int, env: Mapping[str, str]) -> None:
        self._console, self._preset, self._jobs, self._env = console, preset, jobs, env
        self._changed = threading.Condition()
        self._there: set[str] = set()
        self._code: int | None = 0  # of the build in the background; None while it works
        self._process: subprocess.Popen[str] | None = None
        self._explained = False

    def __enter__(self) -> LessonBuild:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nobody waits any more: a build that still works is ended."""
        with self._changed:
            process = self._process if self._code is None else None
        if process is not None:
            process.terminate()
            process.wait()

    def configure(self, definitions: Sequence[str]) -> bool:
        return cmake.configure(self._console, self._preset, self._env, definitions)

    def make(self, what: str, programs: Sequence[str]) -> bool:
        """`what` is said while it builds: "lesson 01"."""
        title = f"building {what}"
        if self._console.run(title, self._command(programs), LOG, self._env) != 0:
            self._console.say(f"{title} failed")
            self._explain()
            return False
        self._there.update(programs)
        return True

    def start(self, what: str, programs: Sequence[str]) -> None:
        if programs:
            self._code = None
            threading.Thread(target=self._work, args=(f"building {what}", self._command(programs)), daemon=True).start()

    def wait(self, program: str) -> bool:
        """Until the program is built; False: it cannot be."""
        with self._changed:
            self._changed.wait_for(lambda: program in self._there or self._code is not None)
            if program in self._there or self._code == 0:
                return True
        self._explain()
        return False

    def _command(self, programs: Sequence[str]) -> list[str]:
        targets = [f"lesson_{program}" for program in programs]
        return cmake.build_command(self._preset, self._jobs, targets)

    def _work(self, title: str, command: Sequence[str]) -> None:
        code = self._console.run(title, command, LOG, self._env, started=self._started, seen=self._seen)
        with self._changed:
            self._code = code
            self._changed.notify_all()

    def _started(self, process: subprocess.Popen[str]) -> None:
        with self._changed:
            self._process = process

    def _seen(self, line: str) -> None:
        if match := _LINKED.match(line):
            with self._changed:
                self._there.add(match.group(1))
                self._changed.notify_all()

    def _explain(self) -> None:
        if not self._explained:
            self._console.explain_failure(LOG)
        self._explained = True


def definitions(use: str) -> list[str]:
    """A GPU needs no emulator: it is left out where what it is built with is missing."""
    emulator = use == machine.RUN_EMULATED or not machine.missing(machine.TEST_EMULATOR)
    return [f"-DWARPLADDER_EMULATOR={'ON' if emulator else 'OFF'}"]

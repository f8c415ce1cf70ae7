# SPDX-License-Identifier: MIT
"""Runs commands quietly: progress on the terminal, everything in a log file, the telling lines when one fails."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TextIO

from .paths import LOGS, ROOT

# "[12/345] Building..." (ninja), " 12/345 Test #12: ..." (ctest), and "[gw0] [ 12%] PASSED test" (pytest)
_PROGRESS = re.compile(r"^\s*\[?\s*(\d+)/(\d+)\]?\s+(?:Test\s+#\d+:\s+)?(\S.*)")
_PERCENT = re.compile(r"^\[gw\d+\] \[ *(\d+)%\] (\S.*)")
_FAILURE = re.compile(r"^FAILED: |\berror\b|CMake Error|\*\*\*Failed|\*\*\*Timeout|^FAIL ", re.IGNORECASE)
_PYTEST_FAILURES = re.compile(
    r"^=+ (FAILURES|ERRORS) =+$"
)  # before it stand the names of tests, some with "error" in them
_SECONDS_BETWEEN_LINES = 20.0


class CourseError(Exception):
    """Something the user must act on: one sentence. Exit code 3: something is missing; 1: something failed."""

    def __init__(self, message: str, exit_code: int = 1) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class Console:
    def __init__(self, verbose: bool = False, on_stderr: bool = False) -> None:
        self.verbose = verbose
        self._on_stderr = on_stderr  # for a verb whose standard output is its answer
        self._start = time.monotonic()
        self._shown = self._start  # when progress was last shown
        self._live = self._out().isatty() and not verbose and "CI" not in os.environ

    def _out(self) -> TextIO:
        return sys.stderr if self._on_stderr else sys.stdout

    def elapsed(self) -> float:
        return time.monotonic() - self._start

    def clock(self) -> str:
        """Minutes and seconds since the start: " 1:05"."""
        minutes, seconds = divmod(int(self.elapsed()), 60)
        return f"{minutes:2d}:{seconds:02d}"

    def say(self, text: str) -> None:
        """One line with the time since the start."""
        self._clear()
        print(f"[{self.clock()}] {text}", flush=True, file=self._out())

    def show(self, text: str) -> None:
        self._clear()
        print(text, flush=True, file=self._out())

    def _clear(self) -> None:
        if self._live:
            print("\r\033[K", end="", file=self._out())

    def run(
        self,
        title: str,
        command: Sequence[str],
        log: str,
        env: Mapping[str, str] | None = None,
        *,
        started: Callable[[subprocess.Popen[str]], None] = lambda process: None,
        seen: Callable[[str], None] = lambda line: None,
    ) -> int:
        """Runs a command in the repository root with its output in build/logs/<log>; returns its exit code. `started`
        gets the process and `seen` each of its lines: a build may run beside other work, in a thread of its own."""
        self.say(title)
        path = LOGS / log
        path.parent.mkdir(parents=True, exist_ok=True)
        if self.verbose:
            self.show("  $ " + " ".join(command))
        with path.open("w", buffering=1, encoding="utf-8") as file:  # line by line: somebody may look while it runs
            file.write("$ " + " ".join(command) + "\n")
            try:
                process = subprocess.Popen(
                    command,
                    cwd=ROOT,
                    env=None if env is None else dict(env),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    encoding="utf-8",
                    errors="replace",
                )
            except OSError as error:
                file.write(f"{error}\n")
                return 127
            started(process)
            shown = time.monotonic()
            assert process.stdout is not None
            for line in process.stdout:
                file.write(line)
                seen(line)
                shown = self._progress(title, line, shown)
            code = process.wait()
        self._clear()
        return code

    def _progress(self, title: str, line: str, shown: float) -> float:
        """Shows a line of output as progress; returns when something was last shown."""
        if self.verbose:
            print(line, end="", flush=True, file=self._out())
            return shown
        now = time.monotonic()
        if match := _PROGRESS.match(line):
            share, long_share, text = f"{match[1]}/{match[2]}", f"{match[1]} of {match[2]}", match[3]
        elif match := _PERCENT.match(line):
            share, long_share, text = f"{match[1]} %", f"{match[1]} %", match[2]
        else:
            return shown
        if self._live:
            print(f"\r\033[K        {share} {text[:70]}", end="", flush=True, file=self._out())
        elif now - shown > _SECONDS_BETWEEN_LINES:
            self.say(f"  {title}: {long_share}")
            return now
        return shown

    def progress(self, title: str, done: int, total: int, text: str, unit: str = "") -> None:
        """Where a long piece of work is: one line that changes, or on a log a line every now and then."""
        if self._live:
            print(f"\r\033[K        {title}: {done + 1} of {total}{unit}, {text}", end="", flush=True, file=self._out())
        elif done == 0 or time.monotonic() - self._shown > _SECONDS_BETWEEN_LINES:
            self._shown = time.monotonic()
            self.say(f"{title}: {done + 1} of {total}{unit}, {text}")

    def explain_failure(self, log: str, limit: int = 40) -> None:
        """Prints the lines of a log from the first failure on, and where the rest is."""
        path = LOGS / log
        if not self.verbose:
            self.show(relevant_lines(path, limit))
        self.show(f"the whole log: {path.relative_to(ROOT)}")


def relevant_lines(path: Path, limit: int) -> str:
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    found = next((i for i, line in enumerate(lines) if _PYTEST_FAILURES.search(line)), None)
    if found is None:
        found = next((i for i, line in enumerate(lines[1:], start=1) if _FAILURE.search(line)), None)
    first = max(len(lines) - limit, 0) if found is None else found
    return "\n".join("  | " + line for line in lines[first : first + limit])

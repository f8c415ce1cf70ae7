# SPDX-License-Identifier: MIT
"""A terminal that a test sits at: a program runs on a pseudo-terminal, the test types keys and reads the screen."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    def __init__(
        self, command: Sequence[str], cwd: Path, env: Mapping[str, str], size: tuple[int, int] | None = None
    ) -> None:
        """`size`: lines and columns; None: a terminal that does not say."""
        self._master, slave = pty.openpty()
        if size is not None:
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        self._process = subprocess.Popen(
            command,
            cwd=cwd,
            env=dict(env),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            # As at any terminal, also where the tests were started with interrupts ignored (in the background).
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        os.close(slave)
        self._seen = ""
        self._read_to = 0
        self.raw = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._master)

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def wait_for(self, text: str, seconds: float = 120.0) -> str:
        """Waits until the screen shows this text after what was read before; returns all up to it."""
        deadline = time.monotonic() + seconds
        while True:
            at = self._seen.find(text, self._read_to)
            if at >= 0:
                part = self._seen[self._read_to : at + len(text)]
                self._read_to = at + len(text)
                return part
            left = deadline - time.monotonic()
            if left <= 0 or not self._more(left):
                raise AssertionError(f"'{text}' did not come; the screen after what was read:\n{self.rest()}")

    def rest(self) -> str:
        return self._seen[self._read_to :]

    def ends(self, seconds: float = 10.0) -> int:
        """Waits for the end of the program; its exit code."""
        deadline = time.monotonic() + seconds
        while self._process.poll() is None and time.monotonic() < deadline:
            self._more(0.1)
        return self._process.wait(timeout=1)

    def _more(self, seconds: float) -> bool:
        if not select.select([self._master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self._master, 1 << 16).decode("utf-8", "replace")
        except OSError:  # Linux says so when the program has closed its side
            return False
        self.raw += data
        self._seen += _ESCAPES.sub("", data).replace("\r\n", "\n").replace("\r", "")
        return bool(data)

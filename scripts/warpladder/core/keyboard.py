# SPDX-License-Identifier: MIT
"""One key at a time from the terminal, without Enter; and the terminal as it was afterwards."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from types import TracebackType

try:
    import termios
    import tty
except ImportError:  # not a Unix: keys are read by the line
    termios = None  # type: ignore[assignment]


_ESCAPES = re.compile(r"\x1b(?:[\[O][0-9;]{0,8}[A-Za-z~]?)?")  # arrows and the like are no keys of ours


class Keyboard:
    """Use as `with Keyboard() as keys`. Where the input is no terminal, the first letter of each line counts."""

    def __init__(self) -> None:
        self._saved: list[int | list[bytes | int]] | None = None
        self._closed = False
        self._typed = ""  # keys that nobody has asked for yet

    def __enter__(self) -> Keyboard:
        if termios is not None and sys.stdin.isatty():
            self._saved = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._saved is not None:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._saved)

    def key(self, seconds: float) -> str:
        """The next key, or '' if none comes in this time; 'q' where the input has ended.

        Keys that were typed while nobody looked come one after the other.
        """
        if self._typed:
            key, self._typed = self._typed[0], self._typed[1:]
            return key
        if self._closed:
            time.sleep(seconds)
            return ""
        if not select.select([sys.stdin], [], [], seconds)[0]:
            return ""
        data = os.read(sys.stdin.fileno(), 64)
        if not data:
            self._closed = True
            return "q" if self._saved is not None else ""
        text = _ESCAPES.sub("", data.decode("utf-8", "ignore"))
        if self._saved is None:  # by the line: its first letter
            return text.strip()[:1]
        keys = "".join(text.split())
        self._typed = keys[1:]
        return keys[:1]

    def forget(self) -> None:
        """Drops what was typed until now: for a question that needs a fresh answer."""
        self._typed = ""
        if self._saved is not None:
            termios.tcflush(sys.stdin, termios.TCIFLUSH)

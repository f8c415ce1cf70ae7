# SPDX-License-Identifier: MIT
"""Runs the lesson programs and takes in the documents they write."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from ..core.paths import LOGS
from ..results.saved import EXPERIMENT, FAMILIES, LADDER, Document
from ..setup import machine

_LIMIT_S = 900  # a lesson takes seconds; one that hangs must not hang the course
_NO_ROOM = re.compile(r"out of memory|not enough memory|memory are free|bad_alloc", re.IGNORECASE)


@dataclass(frozen=True)
class Outcome:
    """What became of one run of a program."""

    code: int
    output: str
    seconds: float
    document: Document | None

    @property
    def no_room(self) -> bool:
        """The size was too large for this machine. -9: the system ended it, which it does when memory runs out."""
        return self.code == -9 or (self.code != 0 and _NO_ROOM.search(self.output) is not None)

    def reasons(self) -> list[str]:
        """The lines that say what went wrong."""
        lines = [line.rstrip() for line in self.output.splitlines() if line.strip()]
        return [line for line in lines if re.search(r"\bFAIL\b", line)] or lines[-5:] or ["it printed nothing"]


class Programs:
    def __init__(self, folder: Path, log: str) -> None:
        self.folder = folder
        self._env = {**os.environ, "WARPLADDER_REVISION": machine.revision()}
        self._log = LOGS / log
        self._log.parent.mkdir(parents=True, exist_ok=True)
        self._log.write_text("", encoding="utf-8")

    def run(self, name: str, *arguments: str) -> Outcome:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "document.json"
            command = [str(self.folder / name), *arguments, "--json", str(file)]
            start = time.monotonic()
            code, output = self._call(command)
            seconds = time.monotonic() - start
            document = self._read(file)
        with self._log.open("a", encoding="utf-8") as log:
            log.write(f"$ {' '.join(command)}\n{output}(exit code {code}, {seconds:.1f} s)\n\n")
        if code == 0 and document is None:
            code, output = 1, output + f"{name}: it wrote no document that can be read\n"
        return Outcome(code, output, seconds, document)

    def _call(self, command: list[str]) -> tuple[int, str]:
        try:
            run = subprocess.run(
                command,
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                errors="replace",
                timeout=_LIMIT_S,
            )
        except subprocess.TimeoutExpired:
            return 124, f"it was ended after {_LIMIT_S} s\n"
        except OSError as error:
            return 127, f"{command[0]}: {error.strerror}\n"
        return run.returncode, run.stdout

    def _read(self, file: Path) -> Document | None:
        try:
            document = json.loads(file.read_text(encoding="utf-8"))
            kind = document.get("kind")
            return {**document, "part": kind if kind in (EXPERIMENT, FAMILIES) else LADDER}
        except (OSError, ValueError, AttributeError, TypeError):
            return None

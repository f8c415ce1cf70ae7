# SPDX-License-Identifier: MIT
"""Scripts that write down what programs of the lessons do, for a chapter or a picture, and check what is committed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .paths import BUILD


@dataclass(frozen=True)
class Recording:
    """A file that follows from what a program does on the emulator, every time the same."""

    script: str
    program: str  # of the lessons: "08_scan.flight"
    file: Path
    otherwise: str  # what to say where the program does something else now

    def make(self, words: Sequence[str], text: Callable[[Path], str]) -> int:
        """Writes the file, or compares it (`--check [PROGRAM]`); `text` runs a program and makes what belongs there."""
        if words and (words[0] != "--check" or len(words) > 2):
            return self._refuse("it takes --check, a program behind it, and nothing else")
        program = Path(words[1]) if len(words) == 2 else BUILD / "default" / "lessons" / self.program
        if not program.is_file():
            lesson, dot, further = self.program.partition(".")
            return self._refuse(f"{program} is not built: `./course run {lesson[:2]}{dot}{further}` builds it")
        right = text(program)
        if not words:
            self.file.write_text(right, encoding="utf-8")
        elif self.file.read_text(encoding="utf-8") != right:
            print(f"{self.script}: {self.otherwise}", file=sys.stderr)
            return 1
        return 0

    def _refuse(self, why: str) -> int:
        print(f"{self.script}: {why}", file=sys.stderr)
        return 2


def record_and_write(description: str | None, file: Path) -> tuple[argparse.ArgumentParser, argparse.ArgumentParser]:
    """The arguments of a script that records on a GPU and writes pages anywhere; and those of its verb `record`."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", type=Path, default=file)
    verbs = parser.add_subparsers(dest="verb", required=True)
    recording = verbs.add_parser("record")
    recording.add_argument("--preset", default="gpu")
    verbs.add_parser("write").add_argument("--check", action="store_true")
    return parser, recording

# SPDX-License-Identifier: MIT
"""Work on the exercises: each time you save your file it is checked again.

Begins with the first exercise that you have not passed, or with the one you name. One key is enough: n next,
p previous, h hint, c check again, l list, s solution, x reset, q quit. The file is looked at four times a second, which
also works where the system cannot tell of changes (network folders, containers).
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from pathlib import Path

from ..build import backend
from ..build.backend import Backend
from ..core.console import Console, CourseError
from ..core.keyboard import Keyboard
from ..core.paths import shown
from ..exercises import catalog, hints, progress, workbench
from ..exercises.catalog import Exercise
from ..exercises.progress import Progress
from ..exercises.report import coloured, fitted, report
from ..judging.evaluate import Request, evaluate

_POLL_S = 0.25
_GONE_S = 2.0  # some editors delete a file for a moment
_DIM = "2"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercise", nargs="?", metavar="EX", help="where to begin (default: the next one)")
    parser.add_argument("--backend", choices=backend.NAMES, default="auto", help=backend.HELP)


def run(options: argparse.Namespace) -> int:
    everything, state = catalog.everything(), Progress()
    if not everything:
        raise CourseError("there are no exercises")
    first = catalog.find(options.exercise, everything) if options.exercise else progress.next_open(everything, state)
    where = backend.choose(Console(), options.backend)
    # It sits at a terminal, so Ctrl-C ends it, also where whoever started it ignores interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with Keyboard() as keys:
        return _Watch(everything, state, where, keys, first or everything[0]).loop()


class _Watch:
    def __init__(
        self, everything: list[Exercise], state: Progress, where: Backend, keys: Keyboard, first: Exercise
    ) -> None:
        self.everything, self.progress, self.where, self.keys = everything, state, where, keys
        self.exercise = first
        self.file = Path()
        self.passed = False
        self._stamp: tuple[int, int] | None = None  # None: it is gone, and that was said
        self._absent = 0  # looks in a row at which it was not there

    def loop(self) -> int:
        self._check()
        while True:
            key = self.keys.key(_POLL_S)
            if key == "q":
                print("bye; `./course watch` goes on here")
                return 0
            if key:
                self._act(key)
            elif self._changed():
                self._check()
            elif self._is_gone():
                self._show(
                    f"{shown(self.file)} is gone; c puts the starter there, and a file that comes back is checked"
                )

    def _act(self, key: str) -> None:
        if key in "np":
            self._move(1 if key == "n" else -1)
        elif key == "c":
            self._check()
        elif key == "h":
            self._show(hints.text(self.exercise, self.progress))
        elif key == "l":
            self._show("\n".join(self._list()))
        elif key == "s":
            self._solution()
        elif key == "x":
            self._reset()
        else:
            self._show("")

    def _is_gone(self) -> bool:
        """Whether the file has not been there for a while: said once."""
        if self._stamp is None or _stamp(self.file) is not None:
            self._absent = 0
            return False
        self._absent += 1
        if self._absent * _POLL_S < _GONE_S:
            return False
        self._stamp = None
        return True

    def _changed(self) -> bool:
        """Whether the file was saved since. Some editors delete it for a moment: that is no change yet."""
        stamp = _stamp(self.file)
        return stamp is not None and stamp != self._stamp

    def _check(self) -> None:
        self.file, made = workbench.ensure(self.exercise)
        self._stamp = _stamp(self.file)
        if sys.stdout.isatty():
            print("\033[2J\033[3J\033[H", end="")
        print(f"exercise  {self.exercise.name}: {self.exercise.title}")
        print(f"file      {shown(self.file)}{' (made from the starter just now)' if made else ''}")
        print(f"on        {self.where.title}", flush=True)
        start = time.monotonic()
        print("checking ...", flush=True)
        try:
            verdict = evaluate(Request(self.exercise, self.file, self.where))
        except CourseError as error:
            self._show(f"course: {error}")
            return
        self.passed = verdict.passed
        self.progress.checked(self.exercise, verdict.kind)
        lines = report(self.exercise, verdict, self.file, self.progress)
        self._show("\n".join(lines[1:-1] if self.passed else lines[1:]), time.monotonic() - start)

    def _show(self, text: str, seconds: float | None = None) -> None:
        """Some text, then always the same foot: how far you are, which file, which keys."""
        if text:
            print("\n" + "\n".join(fitted(text.splitlines())))
        took = f" (checked in {seconds:.1f} s)" if seconds is not None else ""
        print(f"\n{progress.bar(self.everything, self.progress)}")
        print(f"{shown(self.file)}{took}")
        if self.passed:
            following = progress.next_open(self.everything, self.progress, self.exercise)
            print(f"done; n goes to {following.name}" if following else "done, and all exercises are solved")
        keys = "n:next p:previous h:hint c:check l:list s:solution x:reset q:quit"
        print(coloured(keys, _DIM), flush=True)

    def _move(self, step: int) -> None:
        """Next: the next open one if this one is passed, else the neighbour."""
        following = None
        if step > 0 and self.passed:
            following = progress.next_open(self.everything, self.progress, self.exercise)
        place = (self.everything.index(self.exercise) + step) % len(self.everything)
        self.exercise = following or self.everything[place]
        self.passed = False
        self._check()

    def _list(self) -> list[str]:
        width = max(len(exercise.name) for exercise in self.everything)
        return [
            f"{'>' if exercise is self.exercise else ' '} {exercise.lesson[:2]} {exercise.name:{width}}  "
            + progress.mark(exercise, self.progress)
            for exercise in self.everything
        ]

    def _solution(self) -> None:
        if self.progress.of(self.exercise).passed:
            self._show((self.exercise.folder / "explanation.md").read_text(encoding="utf-8").rstrip())
        else:
            self._show("the solution is shown once you have passed; h shows a hint")

    def _reset(self) -> None:
        self.keys.forget()  # what was typed before was no answer
        print(f"\nput the starter of {self.exercise.name} back? Your file is kept. y / n ", end="", flush=True)
        while not (answer := self.keys.key(_POLL_S)):
            pass
        if answer != "y":
            self._show("nothing was changed")
            return
        backup = workbench.reset(self.exercise)
        if backup is not None:
            print(f"\nyour file is kept as {shown(backup)}")
        self._check()


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size

# SPDX-License-Identifier: MIT
"""Looks for an order of the threads in which a program does something else than usual, and makes it small.

The usual run says what is right: its exit code and, if two runs print the same, what it prints. Another order (with
weak memory: also older values) that ends otherwise is a find: the program depends on what nobody has promised it.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from ..core.console import CourseError
from .prepare import Ready

HEAD = "warpladder-turns/1"
_MOST_OUTPUT = 1 << 20  # bytes that are compared
_SAID = b"warp-ladder emulator: "


@dataclass(frozen=True)
class Order:
    schedule: str  # of WARPLADDER_SCHEDULE
    weak: bool = False

    def settings(self) -> dict[str, str]:
        return {"WARPLADDER_SCHEDULE": self.schedule, "WARPLADDER_MEMORY": "weak" if self.weak else "strong"}

    def options(self) -> str:
        return f"--schedule {self.schedule}" + (" --memory weak" if self.weak else "")


@dataclass(frozen=True)
class Ending:
    """How a run ended."""

    code: int | None  # None: it did not end in time
    printed: bytes = b""
    said: str = ""  # the first line of the emulator, if it said something


@dataclass(frozen=True)
class Find:
    order: Order
    kind: str  # two finds of one kind are taken for the same
    text: str  # for people


@dataclass(frozen=True)
class Subject:
    """A program, and what it usually does."""

    ready: Ready
    seconds: float  # a run that takes longer does not end
    usual: Ending
    compares_output: bool

    def run(self, settings: Mapping[str, str]) -> Ending:
        return run(self.ready, self.seconds, settings)

    def unlike(self, order: Order, settings: Mapping[str, str] | None = None) -> Find | None:
        ending = self.run({**order.settings(), **(settings or {})})
        if ending.code is None:
            return Find(order, "time", f"it did not end within {self.seconds:g} s")
        if ending.code != self.usual.code:
            said = f": {ending.said}" if ending.said else ""
            return Find(order, f"code {ending.code} {ending.said[:30]}", f"{_code(ending.code)}{said}")
        if self.compares_output and ending.printed != self.usual.printed:
            return Find(
                order, "output", f"it printed something else: {_first_difference(self.usual.printed, ending.printed)}"
            )
        return None


def run(ready: Ready, seconds: float, settings: Mapping[str, str]) -> Ending:
    environment = {**os.environ, **ready.runtime, **settings}
    try:
        done = subprocess.run(
            ready.words,
            executable=ready.program,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return Ending(None)
    except OSError as error:
        raise CourseError(f"{ready.words[0]} cannot be started: {error.strerror}", exit_code=2) from None
    lines = [line for line in done.stderr[:_MOST_OUTPUT].splitlines() if line.startswith(_SAID)]
    said = lines[0].removeprefix(_SAID).decode("utf-8", "replace")[:200] if lines else ""
    return Ending(done.returncode, done.stdout[:_MOST_OUTPUT], said)


def subject(ready: Ready, seconds: float) -> Subject:
    first, second = (run(ready, seconds, {}) for _ in range(2))
    if first.code is None:
        raise CourseError(
            f"the program does not end within {seconds:g} s in the usual order either; --seconds gives it more"
        )
    if first.code != 0:
        said = f" ({first.said})" if first.said else ""
        raise CourseError(
            f"the program fails in the usual order already, with {_code(first.code)}{said}: nothing to search"
        )
    return Subject(ready, seconds, first, first.printed == second.printed)


def orders(policies: Sequence[str], memories: Sequence[str], first: int, count: int) -> Iterator[Order]:
    """Each seed with every policy and memory, so that a search that is stopped early has tried all of them."""
    for seed in range(first, first + count):
        for policy in policies:
            for memory in memories:
                yield Order(f"{policy}:{seed}", memory == "weak")


def search(
    subject: Subject, wanted: Iterator[Order], jobs: int, tell: Callable[[int], None]
) -> tuple[Find | None, int]:
    """The first find, in the order of the seeds whatever ends first, and how many were tried."""
    tried = 0
    with ThreadPoolExecutor(jobs) as pool:
        while batch := list(islice(wanted, 8 * jobs)):
            for found in pool.map(subject.unlike, batch):
                tried += 1
                if found:
                    return found, tried
            tell(tried)
    return None, tried


Launches = list[tuple[str, list[str]]]  # the line of each launch, and its turns


def read(text: str) -> Launches:
    head, *lines = text.splitlines()
    if head != HEAD:
        raise ValueError("no turns")
    launches: Launches = []
    for line in lines:
        if line.startswith("launch "):
            launches.append((line, []))
        else:
            launches[-1][1].append(line)
    return launches


def written(launches: Launches) -> str:
    return "\n".join([HEAD, *(line for head, turns in launches for line in (head, *turns))]) + "\n"


def turns(launches: Launches) -> int:
    return sum(len(own) for _, own in launches)


@dataclass
class Shrinking:
    """Leaves out turns as long as the program still fails in the same way (delta debugging, Zeller 2002)."""

    subject: Subject
    find: Find
    folder: Path
    tries: int  # left
    tell: Callable[[int], None] = lambda count: None

    def recorded(self) -> Launches | None:
        """The turns of the find; None if replaying them does not fail: it may depend on more than the order."""
        file = self.folder / "turns"
        self.subject.unlike(self.find.order, {"WARPLADDER_TURNS": str(file)})
        try:
            launches = read(file.read_text(encoding="utf-8", errors="replace"))
        except (OSError, ValueError, IndexError):
            return None
        return launches if self._fails(launches) else None

    def _fails(self, launches: Launches) -> bool:
        self.tries -= 1
        file = self.folder / "candidate"
        file.write_text(written(launches), encoding="utf-8")
        found = self.subject.unlike(replace(self.find.order, schedule=f"replay:{file}"))
        return found is not None and found.kind == self.find.kind

    def smallest(self, launches: Launches) -> Launches:
        """Fewer turns first, then shorter ones."""
        for at in range(len(launches)):
            launches = self._of_launch(launches, at)
        for at in range(len(launches)):
            for turn in range(len(launches[at][1])):
                launches = self._shorter(launches, at, turn)
        return launches

    def _shorter(self, launches: Launches, at: int, turn: int) -> Launches:
        head, kept = launches[at]
        who, _, steps = kept[turn].rpartition(" ")
        for fewer in (1, int(steps) // 2, int(steps) - 1):
            shorter = [*kept[:turn], f"{who} {fewer}", *kept[turn + 1 :]]
            candidate = [*launches[:at], (head, shorter), *launches[at + 1 :]]
            if 0 < fewer < int(steps) and self.tries > 0 and self._fails(candidate):
                return candidate
        return launches

    def _of_launch(self, launches: Launches, at: int) -> Launches:
        head, kept = launches[at]
        parts = 2
        while len(kept) >= 1 and self.tries > 0:
            size = max(1, len(kept) // parts)
            for begin in range(0, len(kept), size):
                fewer = kept[:begin] + kept[begin + size :]
                if self.tries > 0 and self._fails([*launches[:at], (head, fewer), *launches[at + 1 :]]):
                    kept, parts = fewer, max(2, parts - 1)
                    self.tell(len(kept))
                    break
            else:
                if size == 1:
                    break
                parts = min(len(kept), 2 * parts)
        return [*launches[:at], (head, kept), *launches[at + 1 :]]


def shrunk(subject: Subject, find: Find, tries: int, tell: Callable[[int], None]) -> tuple[Launches, int] | None:
    """The smallest order found that fails likewise, and how many turns the first one had."""
    with tempfile.TemporaryDirectory(prefix="warpladder-") as folder:
        work = Shrinking(subject, find, Path(folder), tries, tell)
        launches = work.recorded()
        return None if launches is None else (work.smallest(launches), turns(launches))


def _code(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"signal {-code}"


def _first_difference(usual: bytes, other: bytes) -> str:
    before, now = usual.splitlines(), other.splitlines()
    for here, there in zip(before, now, strict=False):
        if here != there:
            return f"'{_line(there)}' instead of '{_line(here)}'"
    if len(now) > len(before):
        return f"also '{_line(now[len(before)])}'"
    return f"without '{_line(before[len(now)])}'" if len(before) > len(now) else "the end of a line"


def _line(text: bytes) -> str:
    return text.decode("utf-8", "replace").encode("unicode_escape").decode()[:80]

# SPDX-License-Identifier: MIT
"""Time against n: which rungs are run at which sizes, and when to stop."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..core import numbers
from ..core.console import Console
from ..results import ladder
from ..results.saved import SWEEP, Document, Results
from .programs import Programs

TOO_SLOW_US = 0.3e6  # a rung that takes longer is not run at larger sizes
BUDGET_S = 150.0  # of the main rungs' sweep; the roofline rung is always run in full
_HOST_BYTES_PER_ELEMENT = 8  # the input, and as much again to be safe: a container ends programs without a word


@dataclass(frozen=True)
class Plan:
    """One rung over n."""

    lesson: str
    rung: str
    type: str
    exponents: tuple[int, ...]  # n = 2^exponent, ascending
    whole: bool = False  # run it whatever it takes
    lesson_at: int = 0  # an exponent at which all rungs of the lesson are run: what differs at small n is lost at 2^26


def plans(results: Results, types: list[str], complete: bool) -> list[Plan]:
    """The roofline rung at every power of two, the main rungs at every second. `complete`: the last lesson was run, so
    its last rung is the roofline rung."""
    emulated = results.data["backend"] == "emulator"
    every, second = (range(10, 21, 2), range(10, 21, 2)) if emulated else (range(10, 31), range(10, 31, 2))
    found = []
    for type_ in types:
        top = ladder.top_rung(results, type_)
        if top and complete:
            found.append(Plan(*top, type_, tuple(every), whole=True, lesson_at=20))
    mains = ladder.main_rungs(results, types[0]) if types else []
    done = {(plan.lesson, plan.rung, plan.type) for plan in found}
    return found + [Plan(*key, types[0], tuple(second)) for key in mains if (*key, types[0]) not in done]


def run(console: Console, programs: Programs, results: Results, todo: list[Plan]) -> tuple[list[Document], list[str]]:
    """The documents of the sweep, and a line for each size that was left out or failed."""
    with tempfile.TemporaryDirectory() as scratch:
        runner = _Runner(console, programs, results, sum(len(plan.exponents) for plan in todo), Path(scratch))
        for plan in todo:
            runner.sweep(plan)
    return runner.documents, runner.failures


class _Runner:
    def __init__(self, console: Console, programs: Programs, results: Results, total: int, scratch: Path) -> None:
        self.documents: list[Document] = []
        self.failures: list[str] = []
        self._console, self._programs, self._total, self._scratch = console, programs, total, scratch
        self._done = 0
        self._spent = 0.0  # seconds, on rungs that are not run whatever it takes
        # The ladder has these already: lesson, type, n.
        self._there = {(d["lesson"], d["type"], d["n"]) for t in ("f32", "i32") for d in ladder.documents(results, t)}

    def sweep(self, plan: Plan) -> None:
        seconds, us, last = 0.0, 0.0, 0
        for position, exponent in enumerate(plan.exponents):
            n = 1 << exponent
            self._console.progress("sweep", self._done, self._total, f"{plan.rung} {plan.type} 2^{exponent}")
            growth = n / last if last else 1
            reason = self._reason_to_stop(plan, n, us, seconds * growth)
            if reason:
                self._console.say(f"  {plan.rung} {plan.type}: not run from {numbers.size(n)} on: {reason}")
                self._done += len(plan.exponents) - position
                return
            self._done += 1
            if (plan.lesson, plan.type, n) in self._there:
                continue
            rung = [] if exponent == plan.lesson_at else ["--rung", plan.rung]
            words = [*rung, "--type", plan.type, "--n", numbers.size(n), *self._cpu_rows(plan.type, n)]
            outcome = self._programs.run(plan.lesson, *words)
            if outcome.no_room:
                self._console.say(f"  {plan.rung} {plan.type}: not run from {numbers.size(n)} on: not enough memory")
                self._done += len(plan.exponents) - position - 1
                return
            if outcome.code != 0 or outcome.document is None:
                self.failures += [f"{plan.lesson} {plan.rung} {plan.type} {numbers.size(n)}: {outcome.reasons()[-1]}"]
                continue
            self.documents.append({**outcome.document, "part": SWEEP})
            self._file_of(plan.type, n).write_text(json.dumps(outcome.document), encoding="utf-8")
            seconds, last = outcome.seconds, n
            us = next((r["median_us"] for r in outcome.document["rows"] if r["id"] == plan.rung and "ok" in r), 0.0)
            self._spent += 0.0 if plan.whole else seconds

    def _file_of(self, type_: str, n: int) -> Path:
        return self._scratch / f"{type_}-{n}.json"

    def _cpu_rows(self, type_: str, n: int) -> list[str]:
        """The CPU's loop and its input are the same for every rung: at each size it is measured once."""
        file = self._file_of(type_, n)
        return ["--cpu-from", str(file)] if file.exists() else []

    def _reason_to_stop(self, plan: Plan, n: int, us: float, expected_s: float) -> str:
        if us > TOO_SLOW_US:
            return f"it took {numbers.time(us)} before"
        if n * _HOST_BYTES_PER_ELEMENT > available_memory():
            return "not enough memory on the host"
        if not plan.whole and self._spent + expected_s > BUDGET_S:
            return "the sweep would take too long"
        return ""


def available_memory(read: Callable[[Path], str] = Path.read_text) -> int:
    """Bytes a program may take on this machine, or in this container; very many where that cannot be told."""
    limits = [1 << 62]
    try:
        for line in read(Path("/proc/meminfo")).splitlines():
            if line.startswith("MemAvailable:"):
                limits.append(int(line.split()[1]) * 1024)
    except (OSError, ValueError):
        pass
    try:
        group = Path("/sys/fs/cgroup")
        limits.append(int(read(group / "memory.max")) - int(read(group / "memory.current")))
    except (OSError, ValueError):
        pass  # no container, or one without a limit
    return min(limits)

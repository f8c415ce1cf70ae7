# SPDX-License-Identifier: MIT
"""From a student's file to a verdict: compile, run the cases, judge; then other orders of the threads, then budgets.

`check`, `lint` and `grade` all come here, so they cannot differ.
"""

from __future__ import annotations

import json
import os
import stat
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from . import annotate, compile, diagnose, sandbox
from .backend import Backend
from .console import CourseError
from .exercises import Budget, Exercise
from .verdict import CaseResult, Kind, Verdict

LARGEST_FILE = 1 << 20  # bytes; a student's file has some hundred
_LARGEST_LEFT = 64 << 20  # characters
DEFAULT_SEED = 1  # of the hidden cases, when a student checks; a grade has seeds of its own


@dataclass(frozen=True)
class Request:
    exercise: Exercise
    student: Path
    backend: Backend
    hidden_seed: int | None = DEFAULT_SEED
    schedule: int | None = None  # only this order of the threads
    annotate: Callable[[str], None] | None = None  # gets the source with counters beside it
    say: Callable[[str], None] = lambda text: None
    limits: sandbox.Limits | None = None
    compile_limits: sandbox.Limits = compile.LIMITS

    @property
    def run_limits(self) -> sandbox.Limits:
        if self.limits is not None:
            return self.limits
        memory = None if self.backend.gpu else sandbox.Limits.memory_bytes
        return sandbox.Limits(self.exercise.time_limit_s, memory_bytes=memory)


def evaluate(request: Request) -> Verdict:
    if not request.student.is_file():
        return Verdict(Kind.MISSING, f"there is no file {request.student.name}")
    if request.student.stat().st_size > LARGEST_FILE:
        return Verdict(Kind.COMPILE_ERROR, f"{request.student.name} is larger than {LARGEST_FILE >> 10} KiB")
    judge = compile.judge(request.exercise)
    request.say("compiling")
    compiled = compile.runner(
        request.exercise, request.student, request.backend.nvcc, request.backend.gpu, request.compile_limits
    )
    if compiled.program is None:
        assert compiled.error is not None
        return diagnose.compile_error(compiled.error)
    with tempfile.TemporaryDirectory(prefix="warpladder-") as folder:
        Path(folder).chmod(0o711)  # whoever runs it need not be who made it
        return _Bench(request, judge, compiled.program, Path(folder)).verdict()


class _Bench:
    """One file, its cases, and the runs they go through."""

    def __init__(self, request: Request, judge: Path, runner: Path, folder: Path) -> None:
        self.request, self.judge, self.runner, self.folder = request, judge, runner, folder
        self._count = 0
        self._emulated: Path | None = None if request.backend.gpu else runner

    def verdict(self) -> Verdict:
        request = self.request
        if request.schedule is not None:
            if "schedule" not in request.backend.features:
                raise CourseError("--schedule needs the emulator, built from this source", exit_code=3)
            return self._scheduled(request.schedule) or self.run(request.backend.gpu)
        request.say(f"running on {request.backend.title}")
        verdict = self.run(request.backend.gpu)
        notes: list[str] = []
        if verdict.passed:
            verdict = self._orders(notes) or verdict
        if verdict.passed:
            spent_too_much = self._budgets(notes)
            verdict = replace(spent_too_much, cases=verdict.cases) if spent_too_much else self._all_passed(verdict)
        if request.annotate is not None:
            self._annotate(request.annotate, verdict)
        return replace(verdict, notes=(*verdict.notes, *notes))

    def _annotate(self, show: Callable[[str], None], verdict: Verdict) -> None:
        """Of the case that a budget is about, else of the largest."""
        if self.request.backend.emulator is None:
            raise CourseError("--annotate needs the emulator: `./course check --backend emulator`", exit_code=3)
        budgets = self.request.exercise.budgets
        case = budgets[0].case if budgets else max(verdict.cases, key=lambda result: result.n).id
        self.run(gpu=False, extra={"WARPLADDER_ANNOTATE": "annotated.txt"}, only=case)
        if text := self._left("annotated.txt"):
            show(f"case {case}\n{annotate.with_source(text, self.request.student)}")

    def _all_passed(self, verdict: Verdict) -> Verdict:
        """Says what was looked at."""
        exercise, backend = self.request.exercise, self.request.backend
        more = []
        if exercise.schedules and "schedule" in backend.features:
            weak = " and with weak memory" if exercise.memory == "weak" and "weak" in backend.features else ""
            more.append(f"in {exercise.schedules} other orders of the threads{weak} too")
        if exercise.budgets and backend.emulator is not None:
            more.append("within the budget")
        return replace(verdict, headline=", ".join([verdict.headline, *more]))

    def run(self, gpu: bool, extra: dict[str, str] | None = None, only: str = "") -> Verdict:
        """All cases once, or only one."""
        request = self.request
        self._count += 1
        place = self.folder / f"run{self._count}"
        outputs = place / "outputs"
        outputs.mkdir(parents=True)
        self._make_cases(place)
        (place / "cases.txt").unlink()  # for the judge only
        environment = request.backend.environment(on_emulator=not gpu) | (extra or {})
        program = self._program(gpu)
        command = [str(program), str(place / "inputs"), str(outputs), *(["--only", only] if only else [])]
        record = sandbox.run(command, place, request.run_limits, environment, [program.parent, *request.backend.files])
        results = self._judged(outputs)
        stopped_at = next((result for result in results if not (outputs / f"{result.id}.out").exists()), None)
        failed = diagnose.run_failed(record, request.run_limits, request.student, stopped_at)
        if failed is not None:
            return replace(failed, case=stopped_at.id if stopped_at else "", cases=tuple(results))
        return diagnose.of_cases([result for result in results if not only or result.id == only])

    def _left(self, name: str) -> str:
        """What the last run left in its folder. It may be anything, a link or a pipe too: only a plain file is read."""
        try:
            handle = os.open(self.folder / f"run{self._count}" / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            return ""
        with open(handle, encoding="utf-8", errors="replace") as file:
            return file.read(_LARGEST_LEFT) if stat.S_ISREG(os.fstat(handle).st_mode) else ""

    def _make_cases(self, folder: Path) -> None:
        """The seed goes by a pipe: others can see a command line."""
        seed, command = self.request.hidden_seed, [str(self.judge), "cases", "--out", str(folder)]
        trusted(command if seed is None else [*command, "--hidden", "-"], "" if seed is None else str(seed))

    def _judged(self, outputs: Path) -> list[CaseResult]:
        """In the order in which the runner takes the cases.

        The judge makes the cases anew: what the program could have changed is not what it is judged by.
        """
        with tempfile.TemporaryDirectory(prefix="warpladder-") as folder:
            self._make_cases(Path(folder))
            return judged_outputs(self.judge, Path(folder), outputs)

    def _program(self, gpu: bool) -> Path:
        """The GPU's program holds code for that GPU; the emulator gets one of its own when it is needed."""
        if gpu:
            return self.runner
        if self._emulated is None:
            request = self.request
            compiled = compile.runner(request.exercise, request.student, request.backend.nvcc, gpu=False)
            if compiled.program is None:
                raise CourseError(f"{request.exercise.name} compiles for this GPU, but not for the emulator")
            self._emulated = compiled.program
        return self._emulated

    def _orders(self, notes: list[str]) -> Verdict | None:
        exercise, backend = self.request.exercise, self.request.backend
        if exercise.schedules == 0:
            return None
        if "schedule" not in backend.features:
            notes.append("other orders of the threads were not tried: that needs the emulator, built from this source")
            return None
        if exercise.memory == "weak" and "weak" not in backend.features:
            notes.append("weak memory was not tried: that needs the emulator, built from this source")
        self.request.say(f"trying {exercise.schedules} other orders of the threads")
        for seed in range(1, exercise.schedules + 1):
            if verdict := self._scheduled(seed):
                return verdict
        return None

    def _scheduled(self, seed: int) -> Verdict | None:
        extra = {"WARPLADDER_SCHEDULE": f"random:{seed}"}
        weak = self.request.exercise.memory == "weak" and "weak" in self.request.backend.features
        if weak:
            extra["WARPLADDER_MEMORY"] = "weak"
        verdict = self.run(gpu=False, extra=extra)
        if verdict.passed:
            return None
        if verdict.kind is Kind.TIME_LIMIT:  # slow is not wrong
            return replace(verdict, details=(*verdict.details, ("order", f"schedule {seed}")))
        command = f"./course check {self.request.exercise.name} --schedule {seed}"
        return diagnose.of_schedule(seed, verdict, command, weak)

    def _budgets(self, notes: list[str]) -> Verdict | None:
        budgets = self.request.exercise.budgets
        if budgets and self.request.backend.emulator is None:
            notes.append("the budget was not checked: that needs the emulator (`./course check --backend emulator`)")
            return None
        for case in sorted({budget.case for budget in budgets}):
            verdict = self.run(gpu=False, extra={"WARPLADDER_COUNTERS": "counters.json"}, only=case)
            if not verdict.passed:
                return verdict
            launches = _launches(self._left("counters.json"))
            for budget in (b for b in budgets if b.case == case):
                have, where, share = spent(launches, budget)
                if have > budget.max:
                    source = diagnose.source_line(self.request.student, where)
                    return diagnose.of_budget(self.request.exercise.name, budget, have, where, share, source)
        return None


def _launches(text: str) -> list[dict[str, Any]]:
    try:
        return json.loads(text)["launches"]
    except (ValueError, KeyError, TypeError):
        raise CourseError("the emulator wrote no counters; is it built from this source?") from None


def spent(launches: list[dict[str, Any]], budget: Budget) -> tuple[int, str, int]:
    """What the launches spent of a counter, the line that spent most, and how much that one did."""
    if any(budget.counter in launch["launch"] for launch in launches):
        return max(launch["launch"][budget.counter] for launch in launches), "", 0
    if launches and budget.counter not in launches[0]["counters"]:
        raise CourseError(f"the emulator has no counter {budget.counter}")
    lines: dict[str, int] = {}
    for launch in launches:
        for line in launch["lines"]:
            value = line["counters"].get(budget.counter, 0)
            where = f"{Path(line['file']).name}:{line['line']}"
            lines[where] = lines.get(where, 0) + value
    total = sum(launch["counters"][budget.counter] for launch in launches)
    where = max(lines, key=lambda key: lines[key], default="")
    return total, where, lines.get(where, 0)


def judged_outputs(judge: Path, cases: Path, outputs: Path) -> list[CaseResult]:
    """What the judge says about the outputs of these cases, small cases first."""
    text = trusted([str(judge), "verdicts", "--cases", str(cases), "--outputs", str(outputs)])
    sizes = {file.stem: file.stat().st_size for file in (cases / "inputs").iterdir()}
    results = [CaseResult.from_json(entry) for entry in json.loads(text)["cases"]]
    return sorted(results, key=lambda result: (sizes[result.id], result.id))


def trusted(command: list[str], text: str = "") -> str:
    """The judge is ours: if it fails, that is no student's fault."""
    run = subprocess.run(command, input=text, capture_output=True, text=True, errors="replace", timeout=60)
    if run.returncode != 0:
        raise CourseError(f"the judge failed: {run.stderr.strip() or run.returncode}")
    return run.stdout

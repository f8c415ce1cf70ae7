# SPDX-License-Identifier: MIT
"""From a student's file to a verdict: compile, run the cases, judge; then other orders of the threads, then budgets.

That is on the emulator; what passes there runs its cases on the GPU too, if there is one. `check`, `lint` and `grade`
all come here, so they cannot differ.
"""

from __future__ import annotations

import json
import os
import stat
import subprocess
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
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
    run_seconds: float | None = None  # for all cases; None: what the exercise says
    compile_limits: sandbox.Limits = compile.LIMITS

    def run_limits(self, gpu: bool) -> sandbox.Limits:
        memory = None if gpu else sandbox.Limits.memory_bytes
        return sandbox.Limits(self.run_seconds or self.exercise.time_limit_s, memory_bytes=memory)


def evaluate(request: Request) -> Verdict:
    if not request.student.is_file():
        return Verdict(Kind.MISSING, f"there is no file {request.student.name}")
    if request.student.stat().st_size > LARGEST_FILE:
        return Verdict(Kind.COMPILE_ERROR, f"{request.student.name} is larger than {LARGEST_FILE >> 10} KiB")
    if request.backend.emulator is None and (request.schedule is not None or request.annotate is not None):
        what = "--schedule" if request.schedule is not None else "--annotate"
        raise CourseError(f"{what} needs the emulator: `./course check --backend emulator`", exit_code=3)
    verdicts: list[Verdict] = []
    with tempfile.TemporaryDirectory(prefix="warpladder-") as folder, ThreadPoolExecutor(1) as beside:
        judge = beside.submit(compile.judge, request.exercise)  # it does not wait for the runner, nor that one for it
        Path(folder).chmod(0o711)  # whoever runs it need not be who made it
        for gpu in request.backend.stages:
            request.say("compiling")
            compiled = compile.runner(
                request.exercise, request.student, request.backend.nvcc, gpu, request.compile_limits
            )
            if compiled.program is None:
                assert compiled.error is not None
                verdicts.append(diagnose.compile_error(compiled.error))
                break
            verdicts.append(_Bench(request, judge.result(), compiled.program, Path(folder), gpu).verdict())
            if not verdicts[-1].passed or request.schedule is not None:
                break
    return diagnose.of_stages(verdicts, request.backend.stages, request.exercise.name)


class _Bench:
    """One file on the emulator or on the GPU, its cases, and the runs they go through."""

    def __init__(self, request: Request, judge: Path, program: Path, folder: Path, gpu: bool) -> None:
        self.request, self.judge, self.program, self.folder, self.gpu = request, judge, program, folder, gpu
        self._count = 0

    def verdict(self) -> Verdict:
        if self.gpu:
            self.request.say("running on the GPU")
            return self.run()
        if self.request.schedule is not None:
            if "schedule" not in self.request.backend.features:
                raise CourseError("--schedule needs an emulator that is built from this source", exit_code=3)
            return self._scheduled(self.request.schedule) or self.run()
        self.request.say("running on the emulator")
        verdict = self.run()
        notes: list[str] = []
        if verdict.passed:
            verdict = self._orders(notes) or verdict
        if verdict.passed:
            spent_too_much = self._budgets()
            verdict = replace(spent_too_much, cases=verdict.cases) if spent_too_much else self._all_passed(verdict)
        if self.request.annotate is not None:
            self._annotate(self.request.annotate, verdict)
        return replace(verdict, notes=(*verdict.notes, *notes))

    def _annotate(self, show: Callable[[str], None], verdict: Verdict) -> None:
        """Of the case that a budget is about, else of the largest."""
        budgets = self.request.exercise.budgets
        case = budgets[0].case if budgets else max(verdict.cases, key=lambda result: result.n).id
        self.run(extra={"WARPLADDER_ANNOTATE": "annotated.txt"}, only=case)
        if text := self._left("annotated.txt"):
            show(f"case {case}\n{annotate.with_source(text, self.request.student)}")

    def _all_passed(self, verdict: Verdict) -> Verdict:
        """Says what was looked at."""
        exercise, backend = self.request.exercise, self.request.backend
        more = []
        if exercise.schedules and "schedule" in backend.features:
            weak = " and with weak memory" if exercise.memory == "weak" and "weak" in backend.features else ""
            more.append(f"in {exercise.schedules} other orders of the threads{weak} too")
        if exercise.budgets:
            more.append("within the budget")
        return replace(verdict, headline=", ".join([verdict.headline, *more]))

    def run(self, extra: dict[str, str] | None = None, only: str = "") -> Verdict:
        """All cases once, or only one."""
        request = self.request
        self._count += 1
        place = self._place()
        outputs = place / "outputs"
        outputs.mkdir(parents=True)
        self._make_cases(place)
        (place / "cases.txt").unlink()  # for the judge only
        environment = request.backend.environment(self.gpu) | (extra or {})
        command = [str(self.program), str(place / "inputs"), str(outputs), *(["--only", only] if only else [])]
        limits, files = request.run_limits(self.gpu), [self.program.parent, *request.backend.files]
        record = sandbox.run(command, place, limits, environment, files)
        results = self._judged(outputs)
        stopped_at = next((result for result in results if not (outputs / f"{result.id}.out").exists()), None)
        failed = diagnose.run_failed(record, limits, request.student, stopped_at)
        if failed is not None:
            return replace(failed, case=stopped_at.id if stopped_at else "", cases=tuple(results))
        return diagnose.of_cases([result for result in results if not only or result.id == only])

    def _place(self) -> Path:
        return self.folder / f"{'gpu' if self.gpu else 'emulator'}{self._count}"

    def _left(self, name: str) -> str:
        """What the last run left in its folder. It may be anything, a link or a pipe too: only a plain file is read."""
        try:
            handle = os.open(self._place() / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
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

    def _orders(self, notes: list[str]) -> Verdict | None:
        exercise, backend = self.request.exercise, self.request.backend
        if exercise.schedules == 0:
            return None
        if "schedule" not in backend.features:
            notes.append("other orders of the threads were not tried: this emulator is not built from this source")
            return None
        if exercise.memory == "weak" and "weak" not in backend.features:
            notes.append("weak memory was not tried: this emulator is not built from this source")
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
        verdict = self.run(extra=extra)
        if verdict.passed:
            return None
        if verdict.kind is Kind.TIME_LIMIT:  # slow is not wrong
            return replace(verdict, details=(*verdict.details, ("order", f"schedule {seed}")))
        command = f"./course check {self.request.exercise.name} --schedule {seed}"
        return diagnose.of_schedule(seed, verdict, command, weak)

    def _budgets(self) -> Verdict | None:
        budgets = self.request.exercise.budgets
        for case in sorted({budget.case for budget in budgets}):
            verdict = self.run(extra={"WARPLADDER_COUNTERS": "counters.json"}, only=case)
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

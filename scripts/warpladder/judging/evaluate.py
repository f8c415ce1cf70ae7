# SPDX-License-Identifier: MIT
"""From a student's file to a verdict: compile, run the cases, judge; then other orders, the checks, budgets.

That is on the emulator; what passes there runs its cases on the GPU too, if there is one. `check`, `lint` and `grade`
all come here, so they cannot differ.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from ..build.backend import Backend
from ..core.console import CourseError
from ..exercises.catalog import Exercise
from ..exercises.verdict import CaseResult, Kind, Verdict
from ..sandbox import sandbox, untrusted
from ..sandbox.allowance import Allowance
from . import annotate, compile, counters, diagnose, findings
from .compile import Compiled
from .judge import Judging
from .together import Programs

LARGEST_FILE = 1 << 20  # bytes; a student's file has some hundred
_LARGEST_LEFT = 4 << 20  # bytes of a file of counters, annotations or settings that a run left
_LARGEST_PICTURE = 64 << 20
_RECORD = "record.txt"
_FOUND = "found.json"
_CHECKED_UP_TO = 20_000  # elements of a case that the checks look at: they take several times as long as the run
_BY_VALUE = (Kind.WRONG_VALUE, Kind.LOST_TAIL, Kind.MISSING)
_INSTRUCTIONS_PER_SECOND = 20_000_000  # of a launch; an emulator on an idle machine does four times as many
DEFAULT_SEED = 1  # of the hidden cases, when a student checks; a grade has seeds of its own


@dataclass(frozen=True)
class Request:
    exercise: Exercise
    student: Path
    backend: Backend
    hidden_seed: int | None = DEFAULT_SEED
    schedule: int | None = None  # only this order of the threads
    annotate: Callable[[str], None] | None = None  # gets the source with counters beside it
    draw: Callable[[str, bytes, bytes], None] | None = None  # gets a case, its counters and its pictures
    say: Callable[[str], None] = lambda text: None
    run_seconds: float | None = None  # for all cases; None: what the exercise says
    compile_limits: sandbox.Limits = compile.LIMITS
    built: Callable[[Path], None] = lambda program: None  # is told each program that was made of the file
    allowance: Allowance | None = None  # what this and other files of the student may take together
    ready: Programs | None = None  # what is compiled already

    def run_limits(self, gpu: bool) -> sandbox.Limits:
        memory = None if gpu else sandbox.Limits.memory_bytes
        return sandbox.Limits(self.run_seconds or self.exercise.time_limit_s, memory_bytes=memory)


def evaluate(request: Request) -> Verdict:
    if not request.student.is_file():
        return Verdict(Kind.MISSING, f"there is no file {request.student.name}")
    if request.student.stat().st_size > LARGEST_FILE:
        return Verdict(Kind.COMPILE_ERROR, f"{request.student.name} is larger than {LARGEST_FILE >> 10} KiB")
    if not request.student.read_bytes().strip():
        again = f"`./course reset {request.exercise.name}` puts the starter back"
        return Verdict(Kind.COMPILE_ERROR, f"{request.student.name} is empty; {again}")
    if request.backend.emulator is None and (request.schedule is not None or request.annotate is not None):
        what = "--schedule" if request.schedule is not None else "--annotate"
        raise CourseError(f"{what} needs the emulator: `./course check --backend emulator`", exit_code=3)
    verdicts: list[Verdict] = []
    with (
        tempfile.TemporaryDirectory(prefix="warpladder-") as folder,
        secret_folder() as cases,
        ThreadPoolExecutor(1) as beside,
    ):
        compiling = beside.submit(_judge, request)  # beside the runner
        judging: Judging | None = None
        Path(folder).chmod(0o711)  # whoever runs it need not be who made it
        for gpu in request.backend.stages:
            request.say("compiling")
            compiled = _runner(request, gpu)
            if compiled.program is None:
                assert compiled.error is not None
                verdicts.append(diagnose.compile_error(compiled.error))
                break
            request.built(compiled.program)
            if judging is None:
                make_cases(compiling.result(), cases, request.hidden_seed)
                judging = Judging(compiling.result(), cases)
            verdicts.append(_Bench(request, judging, compiled.program, Path(folder), cases, gpu).verdict())
            if not verdicts[-1].passed or request.schedule is not None:
                break
    return diagnose.of_stages(verdicts, request.backend.stages, request.exercise.name)


def _judge(request: Request) -> Path:
    ready = request.ready.judges.get(request.exercise.name) if request.ready else None
    return ready or compile.judge(request.exercise)


def _runner(request: Request, gpu: bool) -> Compiled:
    if request.ready and not gpu and (program := request.ready.runners.get(request.student)):
        return Compiled(program)
    nvcc, limits = request.backend.nvcc, request.compile_limits
    return compile.runner(request.exercise, request.student, nvcc, gpu, limits, request.allowance)


class _Bench:
    """One file on the emulator or on the GPU, its cases, and the runs they go through."""

    def __init__(self, request: Request, judging: Judging, program: Path, folder: Path, cases: Path, gpu: bool) -> None:
        self.request, self.judging, self.program, self.gpu = request, judging, program, gpu
        self.folder, self.cases = folder, cases
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
        if verdict.passed or verdict.kind in _BY_VALUE:
            # Another order that breaks it shows more than a race alone; then the race is its cause.
            broken = self._orders(notes) if verdict.passed else None
            verdict = self._looked_at(broken or verdict, verdict.cases)
        if verdict.passed:
            spent_too_much = self._budgets()
            verdict = replace(spent_too_much, cases=verdict.cases) if spent_too_much else self._all_passed(verdict)
        if self.request.annotate is not None:
            self._annotate(self.request.annotate, verdict)
        if self.request.draw is not None:
            self._draw(self.request.draw, verdict)
        return replace(verdict, notes=(*verdict.notes, *notes))

    def _annotate(self, show: Callable[[str], None], verdict: Verdict) -> None:
        case = self._shown(verdict)
        self.run(extra={"WARPLADDER_ANNOTATE": "annotated.txt"}, only=case)
        if text := self._left("annotated.txt"):
            source = annotate.with_source(text.decode("utf-8", "replace"), self.request.student)
            show(f"case {case}\n{source}")

    def _draw(self, show: Callable[[str, bytes, bytes], None], verdict: Verdict) -> None:
        case = self._shown(verdict)
        self.run(extra={"WARPLADDER_COUNTERS": "counters.json", "WARPLADDER_PICTURE": "pictures.json"}, only=case)
        counted = untrusted.read(self._place(), "counters.json", _LARGEST_PICTURE)
        drawn = untrusted.read(self._place(), "pictures.json", _LARGEST_PICTURE)
        if counted is not None and drawn is not None:
            show(case, counted, drawn)

    def _shown(self, verdict: Verdict) -> str:
        """The case that a budget is about, else the largest."""
        budgets = self.request.exercise.budgets
        return budgets[0].case if budgets else max(verdict.cases, key=lambda result: result.n).id

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

    def _looked_at(self, verdict: Verdict, cases: Sequence[CaseResult]) -> Verdict:
        """What the emulator's checks find in the small cases: no values are believed that came by luck."""
        if "check" not in self.request.backend.features:
            return verdict
        sizes = {result.id: result.n for result in cases}
        small = {case for case, n in sizes.items() if n <= _CHECKED_UP_TO}
        small = small or {min(sizes, key=lambda case: sizes[case])}
        record, _ = self._start({"WARPLADDER_CHECK": findings.CHECKS, "WARPLADDER_CHECK_TO": _FOUND}, keep=small)
        found = findings.first(self._left(_FOUND))
        if found is None:
            return verdict
        headline, details = findings.headline(found, record.stderr), findings.details(found, self.request.student)
        if verdict.passed:
            return diagnose.of_finding(headline, details, verdict)
        return replace(verdict, details=(*verdict.details, ("cause", headline), *details))

    def _start(
        self, extra: dict[str, str] | None, only: str = "", keep: set[str] | None = None
    ) -> tuple[sandbox.Record, dict[str, str]]:
        """Runs the program on its cases (`keep`: on these), and says with which environment."""
        request = self.request
        self._count += 1
        place = self._place()
        (place / "outputs").mkdir(parents=True)
        left_out = lambda folder, names: [name for name in names if keep and Path(name).stem not in keep]  # noqa: E731
        shutil.copytree(self.cases / "inputs", place / "inputs", ignore=left_out)
        vouched = not self.gpu and "record" in request.backend.features
        environment = request.backend.environment(self.gpu) | request.exercise.machine | (extra or {})
        environment |= {"WARPLADDER_RECORD": _RECORD} if vouched else {}
        if (
            not self.gpu
        ):  # so that the emulator stops an endless loop before the clock does: it says who loops, and where
            most = int(request.run_limits(self.gpu).seconds * _INSTRUCTIONS_PER_SECOND)
            environment["WARPLADDER_INSTRUCTION_LIMIT"] = str(most)
        command = [str(self.program), str(place / "inputs"), str(place / "outputs")]
        command += ["--only", only] if only else []
        limits, files = request.run_limits(self.gpu), [self.program.parent, *request.backend.files]
        return sandbox.run(command, place, limits, environment, files, request.allowance), environment

    def run(self, extra: dict[str, str] | None = None, only: str = "") -> Verdict:
        """All cases once, or only one."""
        request, limits = self.request, self.request.run_limits(self.gpu)
        record, environment = self._start(extra, only)
        results, there = self.judging.of(self._place())
        stopped_at = next((result for result in results if result.id not in there), None)
        failed = diagnose.run_failed(record, limits, request.student, stopped_at)
        if failed is not None:
            return replace(failed, case=stopped_at.id if stopped_at else "", cases=tuple(results))
        verdict = diagnose.of_cases([result for result in results if not only or result.id == only])
        if verdict.passed and "WARPLADDER_RECORD" in environment and (why := self._not_vouched(environment)):
            return replace(diagnose.of_tampering(why), cases=verdict.cases)
        return verdict

    def _place(self) -> Path:
        return self.folder / f"{'gpu' if self.gpu else 'emulator'}{self._count}"

    def _left(self, name: str) -> bytes | None:
        """What the last run left in its folder. It may be anything, a link or a pipe too: only a plain file is read."""
        return untrusted.read(self._place(), name, _LARGEST_LEFT)

    def _not_vouched(self, environment: dict[str, str]) -> str:
        """Why the run is not the one that was asked for: by what the emulator wrote down at each launch."""
        memory = environment.get("WARPLADDER_MEMORY", "strong")
        wanted = f"{environment.get('WARPLADDER_SCHEDULE', 'usual')} {memory}".encode()
        record = self._left(_RECORD)
        if record is None:
            return "the emulator did not get its settings"
        launches = record.splitlines()
        if not launches:
            return "no kernel was launched"
        return "" if all(line == wanted for line in launches) else "it ran with other settings than those it was given"

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
            here = [budget for budget in budgets if budget.case == case]
            try:
                launches = counters.launches(self._left("counters.json"))
                all_spent = [counters.spent(launches, budget) for budget in here]
            except ValueError as error:
                return diagnose.of_tampering(str(error))
            for budget, (have, where, share) in zip(here, all_spent, strict=True):
                if have > budget.max:
                    source = diagnose.source_line(self.request.student, where)
                    return diagnose.of_budget(self.request.exercise.name, budget, have, where, share, source)
        return None


@contextlib.contextmanager
def secret_folder() -> Iterator[Path]:
    """Where hidden cases lie: nobody else can look into it, not even a submission that runs as another user."""
    with tempfile.TemporaryDirectory(prefix="warpladder-") as folder:
        yield Path(folder)


def make_cases(judge: Path, folder: Path, seed: int | None) -> None:
    """The seed goes by a pipe: others can see a command line."""
    command = [str(judge), "cases", "--out", str(folder)]
    trusted(command if seed is None else [*command, "--hidden", "-"], "" if seed is None else str(seed))


def trusted(command: list[str], text: str = "") -> str:
    """For a judge that makes cases, which reads nothing of a student's: if it fails, that is no student's fault."""
    run = subprocess.run(command, input=text, capture_output=True, text=True, errors="replace", timeout=60)
    if run.returncode != 0:
        raise CourseError(f"the judge failed: {run.stderr.strip() or run.returncode}")
    return run.stdout

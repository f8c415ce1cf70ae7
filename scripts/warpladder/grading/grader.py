# SPDX-License-Identifier: MIT
"""Grades submissions: each file goes through the same evaluation as `check`, with hidden cases of its own seeds."""

from __future__ import annotations

import hashlib
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from ..build.backend import Backend
from ..exercises.catalog import Exercise
from ..exercises.verdict import Kind, Verdict
from ..judging import compile, diagnose
from ..judging.evaluate import Request, evaluate
from ..sandbox.allowance import Allowance
from . import circumstances as grade_circumstances
from . import imports
from . import speed as grade_speed
from .book import Book
from .config import Item, Rules
from .engine import Engine, Here
from .inbox import Submission
from .outcome import Outcome
from .record import ExerciseGrade, StudentGrade, one_line, plain_text
from .remarks import odd_calls, odd_words

_TELLING = (
    "what",
    "who",
    "waits",
    "gone",
    "line",
    "think",
    "error",
    "at",
    "more",
    "counter",
    "have",
    "allowed",
    "most",
)


class Grader:
    """Grades with one set of rules and one seed. The same file of two students is evaluated once."""

    def __init__(
        self,
        rules: Rules,
        backend: Backend,
        seed: int,
        say: Callable[[str], None],
        book: Book | None = None,
        engine: Engine | None = None,
    ) -> None:
        self.engine = engine or Here(1)
        self.rules, self.backend, self.seed, self.say, self.book = rules, backend, seed, say, book
        self._known: dict[tuple[str, str], Outcome] = {}
        self._locks: dict[tuple[str, str], threading.Lock] = {}
        self._lock = threading.Lock()
        self._circumstances: dict[str, str] = {}
        self.judged = 0  # files that were not known before
        self.failures: list[str] = []

    def everyone(
        self,
        submissions: Sequence[Submission],
        jobs: int,
        done: Callable[[Submission, StudentGrade], None] = lambda submission, grade: None,
    ) -> list[StudentGrade]:
        """All of them, in their order; `done` is told each as soon as it is known, one at a time."""
        pool, lock = ThreadPoolExecutor(max_workers=max(1, jobs)), threading.Lock()

        def one(submission: Submission) -> StudentGrade:
            grade = self.student(submission)
            with lock:
                done(submission, grade)
            return grade

        try:
            return list(pool.map(one, submissions))
        finally:  # interrupted: those that have not begun do not begin
            pool.shutdown(wait=True, cancel_futures=True)

    def student(self, submission: Submission) -> StudentGrade:
        days, kept = self.rules.lateness(submission.submitted)
        allowance = self.rules.allowance()
        grades = tuple(self._exercise(submission, item, kept, allowance) for item in self.rules.items)
        when = submission.submitted.isoformat(timespec="seconds") if submission.submitted else ""
        bad = one_line(submission.bad)
        grade = StudentGrade(one_line(submission.student), grades, when, round(days, 3), kept, bad)
        late = f", {days:.1f} days late" if days else ""
        note = f": {bad}" if bad else ""
        self.say(f"{grade.student}: {grade.score:g} of {grade.most:g}{late}{note}")
        return grade

    def _exercise(self, submission: Submission, item: Item, kept: float, allowance: Allowance) -> ExerciseGrade:
        exercise = item.exercise
        text = submission.files.get(exercise.name)
        if submission.bad or text is None:
            why = submission.bad or submission.problems.get(exercise.name) or "it was not handed in"
            outcome = Outcome(Verdict(Kind.MISSING, why), 0.0)
        elif text.split() == starter(exercise).encode().split():
            outcome = Outcome(Verdict(Kind.NOT_STARTED, "this is still the starter"), 0.0)
        else:
            outcome = self._once(item, text, allowance, submission.student)
        if outcome.failed:
            with self._lock:
                self.failures.append(f"{submission.student}, {exercise.name}: {outcome.failed}")
        hints = submission.hints.get(exercise.name, 0) if submission.hints else None
        return self._grade(item, outcome, kept, text or b"", hints)

    def _once(self, item: Item, text: bytes, allowance: Allowance, student: str) -> Outcome:
        name, file = item.exercise.name, hashlib.sha256(text).hexdigest()
        with self._lock:
            lock = self._locks.setdefault((name, file), threading.Lock())
        with lock:
            if known := self._find(item, file, student):
                return known
            outcome = self.engine.judge(item, text, allowance, lambda: self.judged_here(item, text, allowance))
            with self._lock:
                self.judged += 1
            # Whoever had no time left has it alone: another one with the same file may have some.
            self._keep(item, file, outcome, student if allowance.spent and not outcome.verdict.passed else "")
            return outcome

    def judged_here(self, item: Item, text: bytes, allowance: Allowance) -> Outcome:
        start = time.monotonic()
        try:
            verdict, speed, calls = self._evaluate(item, text, allowance)
            return Outcome(verdict, time.monotonic() - start, speed, calls=tuple(calls))
        except Exception as error:  # one file must never stop the class
            what = one_line(f"{type(error).__name__}: {error}")
            verdict = Verdict(Kind.CRASHED, "the grader failed on this file; your instructor is told")
            return Outcome(verdict, time.monotonic() - start, failed=what)

    def _find(self, item: Item, file: str, student: str) -> Outcome | None:
        if (item.exercise.name, file) in self._known:
            return self._known[item.exercise.name, file]
        if self.book is None:
            return None
        return self.book.find(item.exercise.name, file, self.circumstances(item), student)

    def _keep(self, item: Item, file: str, outcome: Outcome, student: str) -> None:
        if not student:
            self._known[item.exercise.name, file] = outcome
        if self.book is not None and not outcome.failed:
            self.book.store(item.exercise.name, file, self.circumstances(item), outcome, student)

    def circumstances(self, item: Item) -> str:
        """What an outcome depends on besides the file; the same for all students."""
        name = item.exercise.name
        with self._lock:
            if name not in self._circumstances:
                self._circumstances[name] = grade_circumstances.of(item, self.rules, self.backend, self.seed)
            return self._circumstances[name]

    def files(self, submission: Submission) -> dict[str, tuple[str, str]]:
        """For each exercise that was handed in: the hash of its file, and of the circumstances."""
        return {
            item.exercise.name: (hashlib.sha256(text).hexdigest(), self.circumstances(item))
            for item in self.rules.items
            if (text := submission.files.get(item.exercise.name)) is not None
        }

    def _evaluate(
        self, item: Item, text: bytes, allowance: Allowance
    ) -> tuple[Verdict, grade_speed.Speed | None, list[str]]:
        with tempfile.TemporaryDirectory(prefix="warpladder-") as folder:
            student = Path(folder) / f"{item.exercise.name}.cuh"
            student.write_bytes(text)
            calls: set[str] = set()
            request = self._request(item.exercise, student, allowance)
            request = replace(request, built=lambda program: calls.update(imports.asked_for(program)))
            verdict = evaluate(request)
            for number in range(1, self.rules.hidden_seeds):
                if not verdict.passed:
                    break
                plain = replace(item.exercise, schedules=0, budgets=())  # those do not depend on the seed
                again = evaluate(replace(request, exercise=plain, hidden_seed=self.hidden_seed(item.exercise, number)))
                verdict = verdict if again.passed else again
            speed = None
            if verdict.passed and item.performance and self.backend.gpu:
                speed = grade_speed.measure(request, item.exercise.folder / "solution.cuh")
            return verdict, speed, odd_calls(calls)

    def _request(self, exercise: Exercise, student: Path, allowance: Allowance) -> Request:
        return Request(
            exercise,
            student,
            self.backend,
            self.hidden_seed(exercise, 0),
            run_seconds=self.rules.run_seconds,
            compile_limits=replace(compile.LIMITS, seconds=self.rules.compile_seconds),
            allowance=allowance,
        )

    def hidden_seed(self, exercise: Exercise, number: int) -> int:
        """For all students the same, and not to be guessed from another one."""
        digest = hashlib.sha256(f"{self.seed}/{exercise.name}/{number}".encode()).digest()
        return int.from_bytes(digest[:8], "little") >> 1

    def _grade(self, item: Item, outcome: Outcome, kept: float, text: bytes, hints: int | None) -> ExerciseGrade:
        exercise, verdict = item.exercise, outcome.verdict
        shown = verdict if self.rules.show_hidden else without_hidden(verdict)
        lines = [shown.headline, *shown.lines()]
        speed = outcome.speed.ratio if outcome.speed else None
        share = item.performance if self.backend.gpu else 0.0
        if item.performance and not self.backend.gpu:
            lines.append("  note: points for speed are not given on the emulator, and not counted in what is possible")
        if outcome.speed is not None:
            lines.append(f"  speed  {outcome.speed.text}")
        cases, right = len(verdict.cases), sum(case.ok for case in verdict.cases)
        earned = 0.0
        if verdict.passed:
            earned = 1.0 - share * (1.0 - grade_speed.earned(speed, self.rules.speed))
        elif cases:
            earned = self.rules.partial * (1.0 - share) * right / cases
        most = item.most * (1.0 - (item.performance - share))
        remarks = [f"look at it: it uses {', '.join(odd)}"] if (odd := odd_words(text)) else []
        remarks += [f"look at it: its program calls {', '.join(outcome.calls)}"] if outcome.calls else []
        remarks += [f"the grader failed: {outcome.failed}"] if outcome.failed else []
        return ExerciseGrade(
            exercise=exercise.name,
            title=exercise.title,
            lesson=exercise.lesson,
            score=round(most * earned * kept, 2),
            most=round(most, 2),
            kind=verdict.kind,
            headline=one_line(shown.headline),
            text=plain_text("\n".join(lines)),
            seconds=round(outcome.seconds, 2),
            hints=hints,
            cases=cases,
            cases_right=right,
            speed=speed,
            remarks=tuple(remarks),
        )


def starter(exercise: Exercise) -> str:
    """The committed one: a pack for grading has no solution to make it from."""
    return (exercise.folder / "starter.cuh").read_text(encoding="utf-8")


def without_hidden(verdict: Verdict) -> Verdict:
    """What a student may be told: of a case that is not shown neither its size nor its values."""
    visible = [case for case in verdict.cases if case.visible]
    hidden = {case.id for case in verdict.cases if not case.visible}
    if verdict.case not in hidden:
        return replace(verdict, details=tuple(each for each in verdict.details if each[0] != "cases"))
    if visible and not (other := diagnose.of_cases(visible)).passed and verdict.kind in (Kind.WRONG_VALUE, other.kind):
        return replace(other, kind=verdict.kind, notes=verdict.notes)
    where = "in a case that the statement does not show"
    values = verdict.kind in (Kind.WRONG_VALUE, Kind.LOST_TAIL, Kind.MISSING)
    headline = f"{str(verdict.kind).replace('_', ' ')} {where}" if values else f"{verdict.headline}, {where}"
    details = tuple((label, text) for label, text in verdict.details if label in _TELLING)
    return replace(verdict, headline=headline, details=details)

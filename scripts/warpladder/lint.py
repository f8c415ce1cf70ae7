# SPDX-License-Identifier: MIT
"""For authors: hold the exercises to their rules.

Every solution passes, every starter fails for the right reason, every file in wrong/ is rejected with the verdict that
exercise.json names, starters are in step with their solutions, and nothing is missing or empty. With --backend gpu only
the solutions run: a GPU alone hides many mistakes.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from . import backend, exercises, grade_speed, machine, sanitize
from .backend import Backend
from .console import Console, CourseError
from .evaluate import Request, evaluate
from .exercises import HINT_LEVELS, Exercise
from .verdict import Kind, Verdict

FILES = ("README.md", "hints.md", "explanation.md", "solution.cuh", "starter.cuh", "run.cu", "judge.cpp")
WRONG_MINIMUM = 3
SEEDS = (1, 2)  # of the hidden cases that a solution must pass


@dataclass
class Report:
    exercise: Exercise
    problems: list[str] = field(default_factory=list)
    rejected: int = 0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercises", nargs="*", metavar="EX", help="exercises (default: all)")
    parser.add_argument("--write", action="store_true", help="write every starter.cuh anew from its solution")
    parser.add_argument("--static", action="store_true", help="look at the files only; compile and run nothing")
    parser.add_argument("--backend", choices=backend.NAMES, default="auto", help=backend.HELP)
    parser.add_argument("--wrong", type=_count, metavar="N", help="at most N wrong answers of each (default: all)")
    parser.add_argument("--sanitize", action="store_true", help="on a GPU: the solutions under compute-sanitizer, too")
    parser.add_argument("--jobs", "-j", type=int, default=machine.default_jobs(), metavar="N", help="at the same time")


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of wrong answers")
    return int(text)


def run(options: argparse.Namespace) -> int:
    everything = exercises.everything()
    chosen = [exercises.find(word, everything) for word in options.exercises] or everything
    console = Console()
    if options.write:
        for exercise in chosen:
            (exercise.folder / "starter.cuh").write_text(exercise.starter, encoding="utf-8")
    reports = [Report(exercise, static_problems(exercise)) for exercise in chosen]
    sound = [] if options.static else [report for report in reports if not report.problems]
    for report in reports:
        if report not in sound:
            _show(console, report, options.static)
    if sound:
        where = backend.choose(console, options.backend, thorough=True)
        if options.sanitize and not where.gpu:
            raise CourseError("--sanitize needs a GPU", exit_code=3)
        console.say(f"on {where.title}")
        tools = sanitize.TOOLS if options.sanitize else ()
        _run_all(console, sound, where, max(1, options.jobs), options.wrong, tools)
    wrong, bad = sum(report.rejected for report in reports), sum(bool(report.problems) for report in reports)
    judged = "" if options.static else f", {wrong} wrong answers rejected"
    console.show(f"{len(reports)} exercises{judged}, {bad} with problems")
    return 1 if bad else 0


def static_problems(exercise: Exercise) -> list[str]:
    """What can be seen without running anything."""
    folder = exercise.folder
    problems = [f"{name} is missing" for name in FILES if not (folder / name).is_file()]
    if problems:
        return problems
    for name in ("README.md", "explanation.md"):
        if len((folder / name).read_text(encoding="utf-8").split()) < 20:
            problems.append(f"{name} says nothing")
    problems += _hint_problems(exercise)
    try:
        if (folder / "starter.cuh").read_text(encoding="utf-8") != exercise.starter:
            problems.append("starter.cuh is not what the solution makes; `./course lint --write` writes it")
        if "TODO" not in exercise.starter:
            problems.append("the starter has no TODO")
    except CourseError as error:
        problems.append(str(error))
    there = {path.name for path in (folder / "wrong").glob("*.cuh")}
    problems += [f"wrong/{name} is not named in exercise.json" for name in sorted(there - exercise.wrong.keys())]
    problems += [
        f"wrong/{name} is named in exercise.json and not there" for name in sorted(exercise.wrong.keys() - there)
    ]
    if len(there) < WRONG_MINIMUM:
        problems.append(f"{len(there)} wrong answers; at least {WRONG_MINIMUM} are needed")
    if exercise.kind == "budget" and not exercise.budgets:
        problems.append("kind 'budget' without a budget")
    return problems


def _hint_problems(exercise: Exercise) -> list[str]:
    hints = exercise.hints()
    if len(hints) != HINT_LEVELS:
        return [f"hints.md has {len(hints)} sections (##), not {HINT_LEVELS}"]
    return [f"hint {i}, '{title}', is empty" for i, (title, body) in enumerate(hints, start=1) if len(body.split()) < 5]


def _run_all(
    console: Console,
    reports: list[Report],
    where: Backend,
    jobs: int,
    wrong: int | None = None,
    tools: Sequence[str] = (),
) -> None:
    """Shows each exercise when its last file is judged."""
    work: list[Callable[[], None]] = []
    last: dict[int, Report] = {}
    for report in reports:
        folder = report.exercise.folder
        for seed in SEEDS:
            work.append(_task(report, folder / "solution.cuh", Kind.PASSED, where, seed))
        if where.emulator:
            work.append(_task(report, folder / "starter.cuh", report.exercise.starter_verdict, where, SEEDS[0]))
            for name, kind in list(report.exercise.wrong.items())[:wrong]:
                work.append(_task(report, folder / "wrong" / name, kind, where, SEEDS[0]))
        if where.gpu and report.exercise.performance:
            work.append(_timing_task(report, where))
        work += [_sanitize_task(report, tool, where) for tool in tools]
        last[len(work) - 1] = report
    with ThreadPoolExecutor(jobs) as pool:
        for done, _ in enumerate(pool.map(lambda task: task(), work)):
            console.progress("judging", done, len(work), "runs")
            if done in last:
                _show(console, last[done], static=False)


def _task(report: Report, file: Path, expected: Kind, where: Backend, seed: int) -> Callable[[], None]:
    def judge_file() -> None:
        try:
            verdict = evaluate(Request(report.exercise, file, where, seed))
        except CourseError as error:
            report.problems.append(f"{file.name}: {error}")
            return
        _compare(report, file, expected, verdict)

    return judge_file


def _timing_task(report: Report, where: Backend) -> Callable[[], None]:
    """The solution against itself: it must be right at the size that is timed. Other work may run beside it, so the
    ratio says nothing here."""

    def time_solution() -> None:
        solution = report.exercise.folder / "solution.cuh"
        speed = grade_speed.measure(Request(report.exercise, solution, where), solution)
        if speed.ratio is None:
            report.problems.append(f"solution.cuh: {speed.text}")

    return time_solution


def _sanitize_task(report: Report, tool: str, where: Backend) -> Callable[[], None]:
    def sanitize_solution() -> None:
        if found := sanitize.finding(report.exercise, tool, where):
            report.problems.append(f"solution.cuh: {found}")

    return sanitize_solution


def _compare(report: Report, file: Path, expected: Kind, verdict: Verdict) -> None:
    if verdict.kind is expected:
        report.rejected += file.parent.name == "wrong"
    else:
        report.problems.append(f"{file.name}: {verdict.kind} instead of {expected} ({verdict.headline})")


def _show(console: Console, report: Report, static: bool) -> None:
    name = f"{report.exercise.lesson}/{report.exercise.name}"
    if not report.problems:
        wrong = f", {report.rejected} wrong answers rejected" if report.rejected else ""
        told = "" if static else f": the solution passes{wrong}"
        console.show(f"ok    {name}{told}")
    for problem in sorted(report.problems):
        console.show(f"WRONG {name}: {problem}")

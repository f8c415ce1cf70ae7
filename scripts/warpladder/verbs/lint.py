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
from functools import partial

from ..build import backend
from ..build.backend import Backend
from ..core import shard
from ..core.console import Console, CourseError
from ..exercises import catalog
from ..exercises.catalog import HINT_LEVELS, Exercise
from ..exercises.verdict import Kind
from ..grading import speed as grade_speed
from ..judging import includes, races, sanitize, together
from ..judging.evaluate import Request, evaluate
from ..judging.together import Programs
from ..setup import machine

FILES = ("README.md", "hints.md", "explanation.md", "solution.cuh", "starter.cuh", "run.cu", "judge.cpp")
WRONG_MINIMUM = 3
_RUNS_THROUGH = (Kind.WRONG_VALUE, Kind.LOST_TAIL, Kind.SCHEDULE, Kind.BUDGET)  # what the checks see whole
SEEDS = (1, 2)  # of the hidden cases that a solution must pass


@dataclass
class Report:
    exercise: Exercise
    problems: list[str] = field(default_factory=list)
    rejected: int = 0


@dataclass(frozen=True)
class _Plan:
    """What is run of each exercise."""

    wrong: int | None = None  # so many wrong answers; None: all
    seeds: Sequence[int] = SEEDS
    starter: bool = True
    tools: Sequence[str] = ()  # of compute-sanitizer
    alone: bool = False  # every file compiled by itself, as a student's is


@dataclass(frozen=True)
class _Check:
    report: Report
    file: str
    problem: Callable[[], str]  # runs it; says what is wrong, or nothing


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercises", nargs="*", metavar="EX", help="exercises (default: all)")
    parser.add_argument("--write", action="store_true", help="write every starter.cuh anew from its solution")
    parser.add_argument("--static", action="store_true", help="look at the files only; compile and run nothing")
    parser.add_argument("--backend", choices=backend.NAMES, default="auto", help=backend.HELP)
    parser.add_argument("--wrong", type=_count, metavar="N", help="at most N wrong answers of each (default: all)")
    parser.add_argument("--brief", action="store_true", help="a solution once only, not also with other hidden cases")
    parser.add_argument("--no-starter", action="store_true", help="leave the starters out")
    parser.add_argument("--alone", action="store_true", help="compile every file by itself, as a student's is")
    parser.add_argument("--sanitize", action="store_true", help="on a GPU: the solutions under compute-sanitizer, too")
    parser.add_argument("--shard", metavar="K/N", help=shard.HELP)
    parser.add_argument("--jobs", "-j", type=int, default=machine.default_jobs(), metavar="N", help="at the same time")


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of wrong answers")
    return int(text)


def run(options: argparse.Namespace) -> int:
    everything = catalog.everything()
    chosen = [catalog.find(word, everything) for word in options.exercises] or everything
    chosen = shard.parsed(options.shard).share(chosen)
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
        seeds = SEEDS[:1] if options.brief else SEEDS
        plan = _Plan(options.wrong, seeds, not options.no_starter, tools, options.alone)
        _run_all(console, sound, where, max(1, options.jobs), plan)
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
    problems += _include_problems(exercise)
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


def _include_problems(exercise: Exercise) -> list[str]:
    """They are compiled many at a time here, and alone by a student: each must include what it uses."""
    files = [file for file in sorted(exercise.folder.rglob("*.c*")) if file.suffix in (".cu", ".cuh", ".cpp")]
    return [
        f"{file.relative_to(exercise.folder)} uses something of {header} and does not include it"
        for file in files
        for header in includes.missing(file.read_text(encoding="utf-8"))
    ]


def _run_all(console: Console, reports: list[Report], where: Backend, jobs: int, plan: _Plan) -> None:
    """Shows each exercise when its last check is done."""
    ready = Programs() if plan.alone or not where.emulator else _compiled(console, reports, where, jobs, plan)
    work: list[_Check] = []
    last: dict[int, Report] = {}
    for report in reports:
        work += _checks(report, where, plan, ready)
        last[len(work) - 1] = report
    with ThreadPoolExecutor(jobs) as pool:
        for done, _ in enumerate(pool.map(_do, work)):
            console.progress("judging", done, len(work), "checks")
            if done in last:
                _show(console, last[done], static=False)


def _compiled(console: Console, reports: list[Report], where: Backend, jobs: int, plan: _Plan) -> Programs:
    """What is to compile, many files at a time."""
    console.say("compiling")
    wanted = {
        report.exercise.folder / name: report.exercise
        for report in reports
        for name, kind, _ in _files(report.exercise, where, plan)
        if kind is not Kind.COMPILE_ERROR
    }
    return together.programs([(exercise, file) for file, exercise in wanted.items()], where.nvcc, jobs)


def _files(exercise: Exercise, where: Backend, plan: _Plan) -> list[tuple[str, Kind, int]]:
    """What is judged, the verdict that it must get, and the seed of its hidden cases."""
    files = [("solution.cuh", Kind.PASSED, seed) for seed in plan.seeds]
    if where.emulator and plan.starter:
        files.append(("starter.cuh", exercise.starter_verdict, SEEDS[0]))
    if where.emulator:
        files += [(f"wrong/{name}", kind, SEEDS[0]) for name, kind in telling(exercise, plan.wrong)]
    return files


def _checks(report: Report, where: Backend, plan: _Plan, ready: Programs) -> list[_Check]:
    exercise = report.exercise
    found = []
    for name, kind, seed in _files(exercise, where, plan):
        request = Request(exercise, exercise.folder / name, where, seed, ready=ready)
        found.append(_Check(report, name, partial(_verdict, report, name, kind, request)))
        if where.emulator and name.startswith("wrong/") and exercise.races is not None and kind in _RUNS_THROUGH:
            found.append(_Check(report, name, partial(races.problem, request)))
    if where.gpu and exercise.performance:
        found.append(_Check(report, "solution.cuh", partial(_timing, exercise, where)))
    return found + [
        _Check(report, "solution.cuh", partial(sanitize.finding, exercise, tool, where)) for tool in plan.tools
    ]


def telling(exercise: Exercise, count: int | None) -> list[tuple[str, Kind]]:
    """So many wrong answers (None: all); first those with a verdict that neither the starter nor one before has."""
    seen = {exercise.starter_verdict}
    first: list[tuple[str, Kind]] = []
    rest: list[tuple[str, Kind]] = []
    for name, kind in exercise.wrong.items():
        (rest if kind in seen else first).append((name, kind))
        seen.add(kind)
    return [*first, *rest][:count]


def _do(check: _Check) -> None:
    try:
        problem = check.problem()
    except CourseError as error:
        problem = str(error)
    if problem:
        check.report.problems.append(f"{check.file}: {problem}")


def _verdict(report: Report, name: str, expected: Kind, request: Request) -> str:
    verdict = evaluate(request)
    if verdict.kind is not expected:
        return f"{verdict.kind} instead of {expected} ({verdict.headline})"
    report.rejected += name.startswith("wrong/")
    return ""


def _timing(exercise: Exercise, where: Backend) -> str:
    """The solution against itself: it must be right at the size that is timed. Other work may run beside it, so the
    ratio says nothing here."""
    solution = exercise.folder / "solution.cuh"
    speed = grade_speed.measure(Request(exercise, solution, where), solution)
    return speed.text if speed.ratio is None else ""


def _show(console: Console, report: Report, static: bool) -> None:
    name = f"{report.exercise.lesson}/{report.exercise.name}"
    if not report.problems:
        wrong = f", {report.rejected} wrong answers rejected" if report.rejected else ""
        told = "" if static else f": the solution passes{wrong}"
        console.show(f"ok    {name}{told}")
    for problem in sorted(report.problems):
        console.show(f"WRONG {name}: {problem}")

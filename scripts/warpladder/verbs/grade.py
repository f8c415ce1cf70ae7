# SPDX-License-Identifier: MIT
"""Grade a class: folders or zips of submissions in, a CSV and a result per student out.

PATH is a folder with one folder or zip per student, or such a folder or zip itself. Points, weights, due date and what
late costs stand in grading.json. Hidden cases come from --seed, else from a random one, which is recorded. Written to
--out as soon as it is known: class.csv, class.json, and for each student the results for Gradescope, JUnit, GitHub
Actions and Exercism. The gradebook beside them knows what was judged before: only what changed is judged again.
`grade status`, `grade diff` and `grade export` say what stands in it, what the last run changed, and write all anew;
`grade report` makes one page of it. --workers spreads the work over processes or machines (`grade worker ADDRESS` is
one), --shard K/N does one part of it, and `grade merge DIR...` puts the parts together.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import json
import os
import re
import secrets
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

from ..build import backend
from ..build.backend import Backend
from ..core import shard
from ..core.console import Console, CourseError
from ..core.paths import ROOT, shown
from ..exercises import catalog
from ..grading import (
    config,
    dispatch,
    engine,
    gradescope,
    history,
    inbox,
    pace,
    pack,
    protection,
    report,
    shards,
    similar,
)
from ..grading.book import Book
from ..grading.config import Rules
from ..grading.grader import Grader, starter
from ..grading.inbox import Submission
from ..grading.record import ClassGrade, StudentGrade, one_line
from ..grading.writer import Writer, one_at_a_time
from ..judging import compile
from ..sandbox import groups, sandbox, scope, user
from ..setup import cluster, machine

_SEED_BITS = 62


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="PATH",
        help="submissions: a folder of them, or zips; or status, diff, export, report, merge DIR..., worker ADDRESS",
    )
    parser.add_argument("--out", type=Path, default=Path("grades"), metavar="DIR", help="for results (default: grades)")
    parser.add_argument("--config", type=Path, metavar="FILE", help="the rules (default: grading.json)")
    parser.add_argument("--seed", type=int, metavar="N", help="of the hidden cases (default: random, recorded)")
    parser.add_argument("--times", type=Path, metavar="FILE", help="CSV with student,time: when each was handed in")
    parser.add_argument("--backend", choices=backend.NAMES, default="auto", help=backend.HELP)
    parser.add_argument(
        "--again", action="append", default=[], metavar="EX", help="judge this exercise again, changed or not"
    )
    parser.add_argument("--jobs", "-j", type=int, metavar="N", help="submissions at a time (default: by cores)")
    parser.add_argument(
        "--unprotected", action="store_true", help="also where nothing keeps submissions off your files"
    )
    parser.add_argument(
        "--workers", metavar="N|ADDRESS", help="judge in N processes, or at a Dask scheduler (tcp://HOST:PORT)"
    )
    parser.add_argument("--shard", metavar="K/N", help=f"{shard.HELP}; `grade merge` puts them together")
    parser.add_argument("--report", type=Path, metavar="FILE", help="also write the class as one page of HTML")
    parser.add_argument("--require", default="", metavar="WALLS", help=protection.HELP)
    parser.add_argument("--pack", choices=("gradescope",), help="make an autograder zip (--out FILE) instead")
    parser.add_argument("--gradescope", type=Path, metavar="DIR", help="run inside Gradescope's container; see a pack")


def run(options: argparse.Namespace) -> int:
    if options.seed is not None and not 0 <= options.seed < 1 << 63:
        raise CourseError("--seed must be from 0 to 2^63 - 1", exit_code=2)
    if options.jobs is not None and options.jobs < 1:
        raise CourseError("--jobs must be 1 or more", exit_code=2)
    if options.pack:
        return pack.make(options)
    if options.gradescope:
        return _in_gradescope(options)
    word = history.asked(options)
    if word == "merge":
        return shards.merge(options)
    if word == "worker":
        return _worker(options)
    if word == "report":
        return report.run(options)
    if word:
        return history.run(word, options)
    if not options.paths:
        raise CourseError("which submissions? a folder of them, or zips", exit_code=2)
    if options.workers:
        _check_workers(options.workers)
        cluster.begin_anew(Console(), sys.argv)
    scope.enter(groups.home(), sys.argv, os.environ)
    result, failures = grade_all(options, Console())
    _summary(result, options.out)
    if options.report:
        report.write(options.out, options.report)
    for line in failures:
        print(f"course: grading failed: {one_line(line)}")
    return 1 if failures else 0


def grade_all(options: argparse.Namespace, console: Console) -> tuple[ClassGrade, list[str]]:
    wanted = protection.required(options.require)
    if wanted:
        protection.insist(wanted, sandbox.isolation())
    rules = config.load(options.config)
    again = [catalog.find(word, [item.exercise for item in rules.items]).name for word in options.again]
    submissions = inbox.collect(options.paths, [item.exercise for item in rules.items])
    if options.times:
        _use_times(submissions, options.times)
    look_alike = _look_alike(rules, submissions)  # of all, also for a part
    part = shard.parsed(options.shard)
    if part.count > 1:
        if options.seed is None and rules.seed is None:
            raise CourseError("--shard needs a --seed: all parts have the same hidden cases", exit_code=2)
        submissions = [submission for submission in submissions if part.has(submission.student)]
    with one_at_a_time(options.out):
        book = Book(options.out, make=True)
        try:
            book.forget(again)
            graded = _graded(options, console, rules, submissions, book)
            book.keep_alike(book.last().id, look_alike)
            return graded
        finally:
            book.close()


def _look_alike(rules: Rules, submissions: list[Submission]) -> list[similar.Pair]:
    found = []
    for item in rules.items:
        name = item.exercise.name
        files = {submission.student: text for submission in submissions if (text := submission.files.get(name))}
        found += similar.pairs(name, files, starter(item.exercise).encode())
    return found


def _seed(options: argparse.Namespace, rules: Rules, book: Book) -> int:
    """The one that is given; else that of the last run, so that what is known stays true; else by chance."""
    given = options.seed if options.seed is not None else rules.seed
    if given is None and (runs := book.runs()):
        given = runs[-1].seed
    return secrets.randbits(_SEED_BITS) if given is None else given


def _graded(
    options: argparse.Namespace, console: Console, rules: Rules, submissions: list[Submission], book: Book
) -> tuple[ClassGrade, list[str]]:
    seed = _seed(options, rules, book)
    where = backend.choose(console, options.backend, thorough=True)
    isolation = sandbox.isolation()
    _must_be_reachable(where, isolation)
    if not isolation & {"user", "processes"} and not options.unprotected:
        raise CourseError(
            "nothing here keeps a submission from your files and processes (no namespaces, no other user): grade in a "
            "container, as root or in a virtual machine, or say --unprotected",
            exit_code=3,
        )
    notes = protection.notes(isolation)
    if where.emulator is not None and "record" not in where.features:
        notes.append("it can switch off the orders of threads it is tried in, as this emulator is not of this source")
    counts = f"{_counted(len(submissions), 'submission')}, {_counted(len(rules.items), 'exercise')}"
    console.say(f"{counts}, on {where.title}")
    console.say(protection.said(sandbox.walls()))
    for note in notes:
        console.say(f"not protected here: a submission is not fully cut off, {note} (docs/instructors.md)")
    notes += shards.note(shard.parsed(options.shard))
    lock = threading.Lock()

    def say(text: str) -> None:
        with lock:
            console.say(text)

    # A GPU is not shared: two programs on it would time each other. Nor is a user: limits count by user.
    alone = where.gpu or not isolation & {"user", "processes"}
    jobs = options.jobs or (1 if alone else machine.default_jobs())
    empty = ClassGrade((), seed, where.title, tuple(sorted(isolation)), tuple(notes), complete=False)
    writer = Writer(options.out, empty, [submission.student for submission in submissions])
    number = book.begin(empty, len(submissions))
    progress = pace.Pace(len(submissions), "students")
    with _engine(options, where, seed, isolation, say, jobs) as asked:
        grader = Grader(rules, where, seed, say, book, asked)

        def done(submission: Submission, grade: StudentGrade) -> None:
            book.add(number, grade, grader.files(submission))
            writer.add(grade)
            if line := progress.one_more():
                say(line)

        grader.everyone(submissions, asked.slots, done)
    book.end(number)
    result = book.result(book.last())
    writer.finish(result)
    files = sum(len(submission.files) for submission in submissions)
    console.say(
        f"{grader.judged} of {files} files had to be judged; the others are as before, or the same as another's"
    )
    return result, grader.failures


@contextlib.contextmanager
def _engine(
    options: argparse.Namespace,
    where: Backend,
    seed: int,
    isolation: frozenset[str],
    say: Callable[[str], None],
    jobs: int,
) -> Iterator[engine.Engine]:
    """Who judges: threads of this process, or workers elsewhere, which must have the same walls."""
    if not options.workers:
        yield engine.Here(jobs)
        return
    if "network" not in isolation and not options.unprotected:
        raise CourseError("--workers: a submission could reach the scheduler, as nothing keeps it off the network", 3)
    walls = tuple(sorted(protection.required(options.require) | (isolation & {"network", "processes", "files"})))
    order = dispatch.Order(
        config.text_of(options.config), seed, options.backend, where.stages, walls, function=dispatch.JUDGE
    )
    os.environ.update(cluster.environment())
    with dispatch.cluster(options.workers, order, say) as made:
        yield made
        say(f"{made.sent} files went to workers; {made.lost} times one had to be sent again or judged here")


def _check_workers(text: str) -> None:
    if not (text.isdecimal() and 1 <= int(text) <= 1024) and not re.fullmatch(
        r"(tcp|tls)://[\w.\[\]:-]+:\d{1,5}", text
    ):
        raise CourseError(f"--workers: '{text}' is neither a number from 1 to 1024 nor tcp://HOST:PORT", exit_code=2)


def _worker(options: argparse.Namespace) -> int:
    words = [str(path) for path in options.paths[1:]]
    address = re.sub(r"^(tcp|tls):/(?!/)", r"\1://", words[0]) if len(words) == 1 else ""  # a path has one slash only
    if not re.match(r"(tcp|tls)://", address):
        raise CourseError("grade worker takes the address of a scheduler, tcp://HOST:PORT", exit_code=2)
    _check_workers(address)
    backend.choose(Console(), options.backend, thorough=True)  # builds what it needs before it says that it is there
    cluster.worker(Console(), address, options.jobs or machine.default_jobs())
    return 0


def _must_be_reachable(where: Backend, isolation: frozenset[str]) -> None:
    """A submission must not run as root; a user of its own needs the emulator and its program."""
    if ROOT.is_relative_to("/usr"):
        raise CourseError("submissions can read /usr, and the course lies in it: move it elsewhere", exit_code=3)
    if os.geteuid() != 0 or "files" in isolation:
        return
    if not user.reachable([compile.CACHE / "x", *(file / "x" for file in where.files)]):
        raise CourseError(
            f"submissions run as another user, who cannot get into {ROOT}: move the course where all users can", 3
        )


def _use_times(submissions: list[Submission], path: Path) -> None:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            times = {row["student"]: config.moment(row["time"]) for row in csv.DictReader(file)}
    except OSError as error:
        raise CourseError(f"cannot read {path}: {error.strerror}", exit_code=2) from None
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise CourseError(f"{path}: columns student and time (ISO 8601) are needed: {error}", exit_code=2) from None
    for submission in submissions:
        submission.submitted = times.get(submission.student, submission.submitted)


def _summary(result: ClassGrade, out: Path) -> None:
    scores = sorted(student.score for student in result.students)
    most = result.students[0].most
    median, best = scores[len(scores) // 2], scores[-1]
    print(f"{_counted(len(scores), 'student')}: median {median:g}, best {best:g} of {most:g} points")
    for student in result.students:
        for entry in student.exercises:
            for remark in entry.remarks:
                print(f"  {student.student}, {entry.exercise}: {remark}")
    print(f"hidden cases: seed {result.seed} (`--seed {result.seed}` gives the same)")
    print(f"written: {shown(out)}/class.csv, class.json, and a folder per student")


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _in_gradescope(options: argparse.Namespace) -> int:
    """DIR is /autograder: reads its submission and metadata, and writes its results whatever happens."""
    home = options.gradescope
    results = home / "results" / "results.json"
    results.parent.mkdir(parents=True, exist_ok=True)
    try:
        options.paths = [home / "submission"]
        rules = config.load(options.config)
        submission = inbox.read("submission", home / "submission", [item.exercise for item in rules.items])
        submission.submitted = _created_at(home / "submission_metadata.json")
        where = backend.choose(Console(), options.backend)
        _must_be_reachable(where, sandbox.isolation())
        seed = rules.seed if options.seed is None else options.seed
        grader = Grader(rules, where, secrets.randbits(_SEED_BITS) if seed is None else seed, lambda text: None)
        results.write_text(gradescope.write(grader.student(submission)), encoding="utf-8")
    except Exception as error:
        traceback.print_exc()
        results.write_text(gradescope.failed(one_line(str(error))), encoding="utf-8")
        return 1
    return 0


def _created_at(path: Path) -> datetime | None:
    try:
        return config.moment(json.loads(path.read_text(encoding="utf-8"))["created_at"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None

# SPDX-License-Identifier: MIT
"""Check an exercise: build your file, run it, say what is wrong.

Without a name: the first exercise that you have not passed. Runs on the emulator, which is built when it is first
needed, then on the GPU if there is one; with a GPU at hand the emulator is left out until `--backend emulator` has
built it. Your file is work/<lesson>/<exercise>.cuh; it is made from the starter when it is not there. Exit code: 0
passed, 1 not passed, 2 wrong input, 3 something is missing.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..build import backend
from ..build.backend import Backend
from ..core.console import Console, CourseError
from ..core.paths import shown
from ..exercises import catalog, workbench
from ..exercises.catalog import Exercise
from ..exercises.progress import Progress, next_open
from ..exercises.report import fitted, report
from ..exercises.verdict import Verdict
from ..judging import compile
from ..judging.evaluate import DEFAULT_SEED, Request, evaluate


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercise", nargs="?", metavar="EX", help="an exercise (default: the next one)")
    parser.add_argument("--all", action="store_true", help="every exercise that you have begun")
    parser.add_argument("--file", type=Path, metavar="FILE", help="check this file instead of yours in work/")
    parser.add_argument("--backend", choices=backend.NAMES, default="auto", help=backend.HELP)
    parser.add_argument(
        "--seed", type=_number, default=DEFAULT_SEED, metavar="N", help="of the cases that are not shown"
    )
    parser.add_argument("--schedule", type=_number, metavar="N", help="only this order of the threads")
    parser.add_argument("--annotate", action="store_true", help="your source with the emulator's counters beside it")
    parser.add_argument("--verbose", "-v", action="store_true", help="list every case")


def _number(text: str) -> int:
    if not text.isdecimal() or int(text) >= 1 << 63:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number")
    return int(text)


def run(options: argparse.Namespace) -> int:
    everything, progress = catalog.everything(), Progress()
    if options.all and (options.exercise or options.file):
        raise CourseError("--all goes with no EX and no --file", exit_code=2)
    if options.file and not options.exercise:
        raise CourseError("--file needs the exercise it is for", exit_code=2)
    if options.file and not options.file.is_file():
        raise CourseError(f"there is no file {options.file}", exit_code=2)
    chosen = _chosen(options, everything, progress)
    if not chosen:
        print("nothing to check: `./course check EX` begins an exercise" if options.all else "everything is solved")
        return 0
    console = Console()
    where = backend.choose(console, options.backend, beside=lambda nvcc: compile.ahead(chosen[0], nvcc))
    verdicts = [check_one(exercise, where, progress, options) for exercise in chosen]
    if options.all:
        print(f"\n{sum(v.passed for v in verdicts)} of {len(verdicts)} passed")
    return 0 if all(verdict.passed for verdict in verdicts) else 1


def _chosen(options: argparse.Namespace, everything: list[Exercise], progress: Progress) -> list[Exercise]:
    if options.all:
        return [exercise for exercise in everything if not workbench.is_untouched(exercise)]
    if options.exercise:
        return [catalog.find(options.exercise, everything)]
    following = next_open(everything, progress)
    return [following] if following else []


def check_one(exercise: Exercise, where: Backend, progress: Progress, options: argparse.Namespace) -> Verdict:
    """Checks one exercise, prints all about it and keeps the result."""
    student, made = (options.file, False) if options.file else workbench.ensure(exercise)
    print(f"exercise  {exercise.name}: {exercise.title}")
    print(f"file      {shown(student)}{' (made from the starter just now)' if made else ''}")
    print(f"on        {where.title}", flush=True)
    request = Request(
        exercise, student, where, options.seed, options.schedule, print if options.annotate else None, say=_say
    )
    verdict = evaluate(request)
    if not options.file:
        progress.checked(exercise, verdict.kind)
    for line in fitted(report(exercise, verdict, student, progress, verbose=options.verbose)):
        print(line, flush=True)
    return verdict


def _say(text: str) -> None:
    if sys.stdout.isatty():
        print(f"\r\033[K{text} ...\r", end="", flush=True)

# SPDX-License-Identifier: MIT
"""Show what the kernels of a lesson or of your exercise did, as a page for the browser.

  course report 03                      the rungs of lesson 03, on the emulator
  course report 07.votes                a further program of a lesson
  course report vector_index            your file of an exercise, with the case that its budget is about, or the largest
  course report 03 --n 4096 --out a.html --baseline before.html

One file that needs no network: modelled time and its limits, the source with heat, each line's worst request drawn as
lanes and sectors or banks, the lanes of a warp over time. For a program of your own: `course emulate --report`. Exit
code: 0 written, 1 it does not build or run, 2 wrong input, 3 something is missing.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ..build import backend
from ..build.lessons import LessonBuild, definitions
from ..core.console import Console, CourseError
from ..core.paths import BUILD, ROOT, shown
from ..emulate.settings import file_to_write
from ..exercises import catalog as exercises
from ..exercises import workbench
from ..exercises.catalog import Exercise
from ..judging.evaluate import Request, evaluate
from ..lessons import catalog as lessons
from ..report import gather
from ..report import run as reporting
from ..setup import machine, provision

_N = "16384"  # small enough to be watched step by step, and several blocks


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("what", metavar="LESSON|EXERCISE", help="03, 07.votes, or the name of an exercise")
    parser.add_argument("--n", metavar="N", type=_size, help=f"elements, for a lesson (default: {_N})")
    parser.add_argument(
        "--file", type=Path, metavar="FILE", help="for an exercise: this file instead of yours in work/"
    )
    parser.add_argument("--out", metavar="FILE.html", type=file_to_write, help="default: report.html in this folder")
    parser.add_argument("--baseline", metavar="FILE.html", type=Path, help="an earlier report, to be compared with")
    parser.add_argument("--perfetto", metavar="FILE.json", type=file_to_write, help="also a trace for ui.perfetto.dev")
    parser.add_argument("--verbose", "-v", action="store_true", help="show the output of every command")


def _size(text: str) -> str:
    if not re.fullmatch(r"\d{1,7}", text) or not 0 < int(text) <= 1 << 22:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a number of elements from 1 to {1 << 22}: each step is watched"
        )
    return text


def run(options: argparse.Namespace) -> int:
    wish = reporting.Wish(
        report=Path(options.out or file_to_write("report.html")),
        perfetto=Path(options.perfetto) if options.perfetto else None,
        baseline=reporting.baseline(options.baseline) if options.baseline else None,
        title=options.what,
    )
    console = Console(options.verbose)
    exercise = _exercise(options)
    code = _of_exercise(console, exercise, options, wish) if exercise else _of_lesson(console, options, wish)
    if wish.report and code == 0:
        console.say(f"written: {shown(wish.report)}")
    return code


def _exercise(options: argparse.Namespace) -> Exercise | None:
    """None: it is a lesson or a program of one."""
    if re.match(r"\d", options.what):
        if options.file:
            raise CourseError("--file is for an exercise", exit_code=2)
        return None
    if options.n:
        raise CourseError("--n is for a lesson: the cases of an exercise have their sizes", exit_code=2)
    if options.file and not options.file.is_file():
        raise CourseError(f"there is no file {options.file}", exit_code=2)
    return exercises.find(options.what, exercises.everything())


def _of_lesson(console: Console, options: argparse.Namespace, wish: reporting.Wish) -> int:
    alone = "." in options.what
    program = lessons.choose_program(options.what) if alone else lessons.choose([options.what])[0]
    preset = "emulator" if machine.gpus() else "default"
    nvcc = provision.setup(console, machine.RUN_EMULATED)
    with LessonBuild(console, preset, machine.default_jobs(), machine.build_environment(nvcc)) as build:
        if not build.configure(definitions(machine.RUN_EMULATED)) or not build.make(program, [program]):
            return 1
    console.say(f"running {program}, step by step")
    words = [str(BUILD / preset / "lessons" / program), *_arguments(alone, options.n)]
    toolkit = Path(nvcc).resolve().parent.parent
    wish = reporting.Wish(wish.report, wish.perfetto, wish.baseline, program, (ROOT, toolkit))
    return 1 if reporting.run(Path(words[0]), words, {}, wish) else 0


def _arguments(alone: bool, n: str | None) -> Sequence[str]:
    if alone:
        return ["--n", n] if n else []
    return ["--n", n or _N, "--reps", "1"]


def _of_exercise(console: Console, exercise: Exercise, options: argparse.Namespace, wish: reporting.Wish) -> int:
    student = options.file or workbench.ensure(exercise)[0]
    where = backend.choose(console, "emulator")
    written: list[str] = []

    def draw(case: str, counted: bytes, drawn: bytes) -> None:
        with tempfile.TemporaryDirectory(prefix="warpladder-") as folder:
            counters, pictures = Path(folder) / "counters.json", Path(folder) / "pictures.json"
            counters.write_bytes(counted)
            pictures.write_bytes(drawn)
            data = gather.data(counters, pictures, [ROOT, Path(where.nvcc).resolve().parent.parent], student.resolve())
        reporting.write(data, wish, f"{exercise.title}: case {case}.")
        written.append(case)

    verdict = evaluate(Request(exercise, student, where, draw=draw))
    console.say(f"{exercise.name}: {verdict.headline}")
    if not written:
        raise CourseError("no kernel ran to its end, so there is nothing to show", exit_code=1)
    return 0

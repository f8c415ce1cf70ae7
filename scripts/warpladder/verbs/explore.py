# SPDX-License-Identifier: MIT
"""Search for an order of the threads that breaks a program, or a structure of lesson 06, 11 or 12.

  course explore racy.cu 100                   other orders and weak memory, until it ends or prints otherwise
  course explore --seeds 5000 --trace racy.cu  and print the smallest order that does so, step by step
  course explore --report racy.html racy.cu    and show it as a page: who raced whom, step by step
  course explore --replay racy.turns racy.cu   run it again as a file says
  course explore queue_ring                    a structure of lesson 06, 11 or 12 (see --list)

Of a program the usual run says what is right: exit code 0 and what it prints. What is found is made small, written to
a file and shown with the command that runs it again. A structure is judged by its history: each seed is one small
scenario and one order. With --trace the shortest failing run is printed step by step; --chapter writes that into the
lesson's chapter, between `<!-- trace STRUCTURE:begin -->` and `<!-- trace STRUCTURE:end -->`. Exit code: 0 nothing
was found (of structures: all as expected, some are wrong on purpose), 1 something was, 2 wrong input, 3 something is
missing.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ..build import cmake
from ..core import shard
from ..core.console import Console, CourseError
from ..core.pages import replace_part
from ..core.paths import BUILD, LESSONS, shown
from ..emulate import compile, prepare, search
from ..emulate.settings import file_to_write
from ..report import run as reporting
from ..setup import machine, provision

PRESET = "emulator"
PROGRAM = BUILD / PRESET / "bin" / "lock_free_search"
LESSON = LESSONS / "06_lock_free"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.usage = (
        "course explore [options] FILE.cu | PROGRAM [arguments]\n       course explore [options] [STRUCTURE ...]"
    )
    parser.allow_abbrev = False
    parser.add_argument(
        "structures", nargs="*", metavar="FILE.cu|STRUCTURE", help="see --list (default: all structures)"
    )
    parser.add_argument("--list", action="store_true", help="the structures, one line each")
    parser.add_argument("--seeds", type=_number, default=1000, metavar="N", help="seeds for each (default: 1000)")
    parser.add_argument("--first-seed", type=_number, default=0, metavar="S", help="the first one (default: 0)")
    parser.add_argument("--shard", metavar="K/N", help="only part K of N of the seeds: for job arrays")
    parser.add_argument("--policy", choices=("random", "pct", "both"), default="both", help="who may be next")
    parser.add_argument("--memory", choices=("strong", "weak", "both"), default="both", help="what a load may see")
    parser.add_argument("--trace", action="store_true", help="the shortest failing run, step by step")
    parser.add_argument("--chapter", action="store_true", help="write that trace into the chapter")
    parser.add_argument("--jobs", "-j", type=_number, default=machine.default_jobs(), metavar="N", help="parallel jobs")
    parser.add_argument("--no-setup", action="store_true", help="install nothing")
    group = parser.add_argument_group("of a program")
    group.add_argument("--seconds", type=_seconds, default=20.0, metavar="S", help="of a run (default: 20)")
    group.add_argument(
        "--tries", type=_number, default=400, metavar="N", help="runs to make a find smaller (default: 400)"
    )
    group.add_argument("--turns", type=file_to_write, metavar="FILE", help="where the find goes (default: NAME.turns)")
    group.add_argument(
        "--report", type=file_to_write, metavar="FILE.html", help="a page that shows the find, or what is replayed"
    )
    group.add_argument("--replay", type=Path, metavar="FILE", help="run it once as this file says, with a trace")
    prepare.add_compiler_arguments(parser)


def _number(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number")
    return int(text)


def _seconds(text: str) -> float:
    if not text.replace(".", "", 1).isdecimal() or not 0 < float(text) <= 86400:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds")
    return float(text)


def sort_words(words: Sequence[str]) -> list[str]:
    """Whatever follows a program is its own."""
    ordered = prepare.sort_words(words, add_arguments)
    rest = ordered[ordered.index("--") + 1 :]
    return ordered if rest and _is_program(rest[0]) else list(words)


def _is_program(word: str) -> bool:
    return Path(word).suffix in compile.SOURCES or "/" in word or (Path(word).is_file() and os.access(word, os.X_OK))


def run(options: argparse.Namespace) -> int:
    if options.structures and _is_program(options.structures[0]):
        return _of_program(options)
    for name in ("replay", "turns", "report"):
        if getattr(options, name):
            raise CourseError(f"--{name} goes with a program", exit_code=2)
    return _of_structures(options)


def _of_program(options: argparse.Namespace) -> int:
    if options.list or options.chapter:
        raise CourseError("--list and --chapter are for structures of lesson 06", exit_code=2)
    if options.seeds < 1 or options.jobs < 1:
        raise CourseError("--seeds and --jobs must be at least 1", exit_code=2)
    if options.replay and not options.replay.is_file():
        raise CourseError(f"--replay {options.replay}: there is no such file", exit_code=2)
    first, count = seeds_of(shard.parsed(options.shard), options.first_seed, options.seeds)
    ready = prepare.ready(options, options.structures, {})
    console = Console(options.verbose)
    if options.replay:
        return _replay(ready, options)
    subject = search.subject(ready, options.seconds)
    if not subject.compares_output:
        console.say("two usual runs print different things: only exit codes are compared")
    policies = ("random", "pct") if options.policy == "both" else (options.policy,)
    memories = ("strong", "weak") if options.memory == "both" else (options.memory,)
    wanted = search.orders(policies, memories, first, count)
    find, tried = search.search(subject, wanted, options.jobs, lambda number: _now(console, f"{number} orders tried"))
    if find is None:
        console.say(f"nothing found in {tried} orders: that is no proof that there is nothing")
        return 0
    console.say(f"found after {tried} orders: with {find.order.options()} {find.text}")
    _make_small(console, subject, find, options)
    return 1


def _make_small(console: Console, subject: search.Subject, find: search.Find, options: argparse.Namespace) -> None:
    typed = shlex.join(options.structures)
    small = search.shrunk(subject, find, options.tries, lambda number: _now(console, f"{number} turns"))
    if small is None:
        console.say(f"again: ./course emulate {find.order.options()} {typed}")
        _report(console, subject.ready, find.order, options)
        return
    launches, before = small
    file = Path(options.turns or f"{Path(options.structures[0]).stem}.turns")
    file.write_text(search.written(launches), encoding="utf-8")
    weak = " --memory weak" if find.order.weak else ""
    left = search.turns(launches)
    turns = "1 turn" if left == 1 else f"{left} turns"
    console.say(f"smallest: {turns} of {before}, then threads in their order; written to {shown(file)}")
    console.say(f"again: ./course emulate --schedule replay:{shlex.quote(str(file))}{weak} {typed}")
    smallest = search.Order(f"replay:{file.absolute()}", find.order.weak)
    _report(console, subject.ready, smallest, options)
    if options.trace:
        settings = {**smallest.settings(), "WARPLADDER_TRACE": "1"}
        subprocess.run(
            subject.ready.words,
            executable=subject.ready.program,
            env={**os.environ, **subject.ready.runtime, **settings},
        )


def _report(console: Console, ready: prepare.Ready, order: search.Order, options: argparse.Namespace) -> None:
    """A page of one run in this order, which the checks look at as well: a race is most often why it fails."""
    if not options.report:
        return
    wish = reporting.Wish(report=Path(options.report), title=ready.file.name, may_show=ready.folders)
    settings = {**ready.runtime, **order.settings(), "WARPLADDER_CHECK": "race"}
    reporting.run(ready.program, ready.words, settings, wish)
    console.say(f"shown in {shown(Path(options.report))}")


def _replay(ready: prepare.Ready, options: argparse.Namespace) -> int:
    order = search.Order(f"replay:{options.replay.absolute()}", options.memory == "weak")
    if options.report:
        _report(Console(options.verbose), ready, order, options)
        return 0
    settings = {**order.settings(), "WARPLADDER_TRACE": "1"}
    environment = {**os.environ, **ready.runtime, **settings}
    code = subprocess.run(ready.words, executable=ready.program, env=environment).returncode
    return code if code >= 0 else 128 - code


def _now(console: Console, text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{text} ...", end="\r", file=sys.stderr, flush=True)


def _of_structures(options: argparse.Namespace) -> int:
    if options.chapter and (not options.trace or len(options.structures) != 1):
        raise CourseError("--chapter goes with --trace and one STRUCTURE", exit_code=2)
    if options.seeds < 1 or options.jobs < 1:
        raise CourseError("--seeds and --jobs must be at least 1", exit_code=2)
    options.first_seed, options.seeds = seeds_of(shard.parsed(options.shard), options.first_seed, options.seeds)
    console = Console(options.verbose)
    nvcc = provision.setup(console, machine.RUN_EMULATED, install=not options.no_setup)
    env = machine.build_environment(nvcc)
    if not cmake.build(console, PRESET, "the search", options.jobs, env, target="lock_free_search"):
        return 1
    if options.chapter:
        return write_chapter(page_of(LESSON, options.structures[0]), options.structures[0], command(options))
    return subprocess.run(command(options), check=False).returncode


def seeds_of(part: shard.Shard, first: int, count: int) -> tuple[int, int]:
    """Which seeds are this part's: the first, and how many."""
    if count < part.count:
        raise CourseError(f"--shard {part}: there are only {count} seeds", exit_code=2)
    begin, end = (count * number // part.count for number in (part.number - 1, part.number))
    return first + begin, end - begin


def command(options: argparse.Namespace) -> list[str]:
    """The search program's command line."""
    if options.list:
        return [str(PROGRAM), "--list"]
    words = [str(PROGRAM)]
    for structure in options.structures:
        words += ["--structure", structure]
    words += ["--seeds", str(options.seeds), "--first-seed", str(options.first_seed)]
    words += ["--policy", options.policy, "--memory", options.memory]
    return words + (["--trace"] if options.trace else [])


def page_of(lesson: Path, structure: str) -> Path:
    """The page of the lesson that shows the structure's trace."""
    pages = sorted(lesson.glob("*.md"))
    marker = f"<!-- trace {structure}:begin -->"
    return next((page for page in pages if marker in page.read_text(encoding="utf-8")), lesson / "README.md")


def write_chapter(chapter: Path, structure: str, words: list[str]) -> int:
    result = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    print(result.stdout, end="")
    if result.returncode != 0:
        return result.returncode
    page = replace_part(chapter.read_text(encoding="utf-8"), f"trace {structure}", as_block(result.stdout))
    chapter.write_text(page, encoding="utf-8")
    print(f"written to {shown(chapter)}")
    return 0


def as_block(output: str) -> str:
    """What the search printed, as the chapter shows it: without the line that says how long it took."""
    lines = output.rstrip().splitlines()
    if len(lines) < 2:
        raise CourseError("the search found no failing run to show")
    return "\n".join(["```text", *(line.rstrip() for line in lines[1:]), "```"])

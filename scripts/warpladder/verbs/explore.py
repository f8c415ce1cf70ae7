# SPDX-License-Identifier: MIT
"""Search the schedules of the emulator for one that breaks a structure of lesson 06.

Builds the search program for the emulator and runs it: each seed is one small scenario and one order in which its
threads run. Every answer is recorded, and each history judged. What fails is shown with the command that runs it again.
With --trace the shortest failing run is printed step by step; --chapter writes that into the lesson's chapter, between
`<!-- trace STRUCTURE:begin -->` and `<!-- trace STRUCTURE:end -->`. Exit code: 0 all as expected (some structures are
wrong on purpose), 1 not, 2 wrong input, 3 something is missing.
"""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path

from ..build import cmake
from ..core import shard
from ..core.console import Console, CourseError
from ..core.pages import replace_part
from ..core.paths import BUILD, LESSONS, shown
from ..setup import machine, provision

PRESET = "emulator"
PROGRAM = BUILD / PRESET / "bin" / "lock_free_search"
CHAPTER = LESSONS / "06_lock_free" / "README.md"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("structures", nargs="*", metavar="STRUCTURE", help="see --list (default: all)")
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
    parser.add_argument("--verbose", "-v", action="store_true", help="show the output of the build")


def _number(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number")
    return int(text)


def run(options: argparse.Namespace) -> int:
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
        return write_chapter(CHAPTER, options.structures[0], command(options))
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

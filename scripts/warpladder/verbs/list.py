# SPDX-License-Identifier: MIT
"""List the lessons: the question each one answers, its rungs, its exercises and how far you are with them."""

from __future__ import annotations

import argparse

from ..core.paths import LESSONS
from ..exercises import progress
from ..exercises.catalog import everything
from ..lessons import catalog


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lessons", nargs="*", metavar="LESSON", help="03 or 03_divergence_free (default: all)")


def run(options: argparse.Namespace) -> int:
    exercises, state = everything(LESSONS), progress.Progress()
    for name in catalog.choose(options.lessons):
        lesson = catalog.read_lesson(name)
        builds = catalog.built(name)
        print(f"{name}: {lesson.question}")
        print("  " + (f"built: {', '.join(builds)}" if builds else "not built: `./course run` builds it"))
        rungs = (catalog.listed(builds, name) if builds else ()) or lesson.rungs
        width = max((len(id_) for id_, _ in rungs), default=0)
        for id_, idea in rungs:
            print(f"    {id_:{width}}  {idea}")
        for program in catalog.further(name):
            print(f"    and the program {program}: `./course run {name[:2]}.{program.partition('.')[2]}`")
        for line in progress.list_lines([e for e in exercises if e.lesson == name], state):
            print(line)
    if exercises:
        print(progress.bar(exercises, state))
    return 0

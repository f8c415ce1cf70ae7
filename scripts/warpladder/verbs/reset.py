# SPDX-License-Identifier: MIT
"""Begin an exercise anew: put the starter back. Your file is kept as a backup beside it."""

from __future__ import annotations

import argparse

from ..core.paths import shown
from ..exercises import catalog, workbench


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercise", metavar="EX", help="an exercise")


def run(options: argparse.Namespace) -> int:
    exercise = catalog.find(options.exercise)
    backup = workbench.reset(exercise)
    print(f"{shown(workbench.file_of(exercise))} is the starter again")
    if backup is not None:
        print(f"your file is kept as {shown(backup)}")
    return 0

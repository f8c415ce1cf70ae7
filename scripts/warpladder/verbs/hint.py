# SPDX-License-Identifier: MIT
"""Show a hint: first a question, then the concept, then pseudo-code.

Each call shows one more; `--level` shows an earlier one again. How many you used is kept in your progress.
"""

from __future__ import annotations

import argparse

from ..exercises import catalog, hints
from ..exercises.catalog import HINT_LEVELS
from ..exercises.progress import Progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercise", metavar="EX", help="an exercise")
    parser.add_argument("--level", type=int, choices=range(1, HINT_LEVELS + 1), metavar="N", help="1, 2 or 3")


def run(options: argparse.Namespace) -> int:
    print(hints.text(catalog.find(options.exercise), Progress(), options.level))
    return 0

# SPDX-License-Identifier: MIT
"""Install what `./course run` and `./course test` would install, and nothing else: for containers and notebooks.

Packages come by apt where that can be used, else from the Python package index, as does nvcc where there is none; what
comes from the index stays in .toolkit and .venv. Exit code: 0 all is there, 3 something cannot be had.
"""

from __future__ import annotations

import argparse

from ..core.console import Console
from ..setup import machine, provision

USES = ("run", "test", "grade", "all")  # grade: as run, without charts


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--for", dest="what", choices=USES, default="all", help="default: %(default)s")
    parser.add_argument("--verbose", "-v", action="store_true", help="show the output of every command")


def run(options: argparse.Namespace) -> int:
    console = Console(options.verbose)
    if options.what != "test":
        emulated = options.what == "grade" or not machine.gpus()
        provision.setup(console, machine.RUN_EMULATED if emulated else machine.RUN_GPU)
        if options.what != "grade" and provision.ensure_charts_python(console) is None:
            console.say(f"going on without charts: {provision.CHARTS_HELP}")
    if options.what in ("test", "all"):
        provision.setup(console, machine.TEST)
        provision.ensure_python(console)
    console.say("all is set up")
    return 0

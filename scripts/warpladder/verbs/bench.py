# SPDX-License-Identifier: MIT
"""Measure the emulator's speed.

Runs emulator_bench of a built preset and prints its table. With --update the table of this machine's
architecture in docs/emulator.md is replaced, with the processor, the date and the revision it was measured on.
"""

from __future__ import annotations

import argparse
import datetime
import platform
import re
import subprocess
from pathlib import Path

from ..core.console import CourseError
from ..core.pages import replace_part
from ..core.paths import ROOT
from ..setup import machine

PAGE = ROOT / "docs" / "emulator.md"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--preset", default="emulator", help="the build to measure (default: %(default)s)")
    parser.add_argument("--update", action="store_true", help="write the table into docs/emulator.md")


def processor() -> str:
    """The model name of this machine's processor, as lscpu tells it."""
    try:
        listing = subprocess.run(["lscpu"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return platform.machine()
    found = re.search(r"^Model name:\s*(.+)$", listing, re.MULTILINE)
    return f"{found.group(1).strip()} ({platform.machine()})" if found else platform.machine()


def find_bench(preset: str) -> Path:
    for path in sorted((ROOT / "build" / preset).rglob("emulator_bench")):
        if path.is_file():
            return path
    raise CourseError(f"the preset '{preset}' has not been built; run `./course test --preset {preset}` first")


def run(options: argparse.Namespace) -> int:
    result = subprocess.run([str(find_bench(options.preset))], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise CourseError(result.stderr.strip() or "emulator_bench failed")
    print(result.stdout, end="")
    if options.update:
        note = f"Measured on {processor()}, {datetime.date.today()}, revision {machine.revision()}."
        # A table for each architecture: what counting costs beside a plain run differs.
        part = f"bench-{platform.machine()}"
        PAGE.write_text(replace_part(PAGE.read_text(), part, f"{note}\n\n{result.stdout}"))
        print(f"written to {PAGE.relative_to(ROOT)}")
    return 0

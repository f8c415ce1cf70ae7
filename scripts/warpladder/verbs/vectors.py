# SPDX-License-Identifier: MIT
"""Compare the emulator with results recorded on a GPU.

Runs emulator_vectors of a built preset over emulator/vectors/testdata and prints the errors of the approximate
functions. With --update the table in docs/emulator.md is replaced.
"""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path

from ..core.console import CourseError
from ..core.pages import replace_part
from ..core.paths import ROOT

PAGE = ROOT / "docs" / "emulator.md"
RECORDING = ROOT / "emulator" / "vectors" / "testdata" / "h200.vectors.zst"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--preset", default="emulator", help="the build to use (default: %(default)s)")
    parser.add_argument("--update", action="store_true", help="write the table into docs/emulator.md")


def tool(preset: str) -> Path:
    path = ROOT / "build" / preset / "bin" / "emulator_vectors"
    if not path.is_file():
        raise CourseError(f"the preset '{preset}' has not been built; run `./course test --preset {preset}` first")
    return path


def output_of(preset: str, verb: str) -> str:
    result = subprocess.run([str(tool(preset)), verb, str(RECORDING)], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise CourseError((result.stdout + result.stderr).strip() or f"emulator_vectors {verb} failed")
    return result.stdout


def run(options: argparse.Namespace) -> int:
    summary = output_of(options.preset, "compare").strip().splitlines()
    table = output_of(options.preset, "table")
    text = f"R{summary[0][1:]}. {summary[-1]}.\n\n{table}"
    print(text, end="")
    if options.update:
        PAGE.write_text(replace_part(PAGE.read_text(), "vectors", text))
        print(f"written to {PAGE.relative_to(ROOT)}")
    return 0

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The newest nvcc 13 of the package index: builds the programs and the lessons with it and runs their tests.

    check_newest.py --source DIR --build DIR [--tests REGEX] [--jobs N]

For `./course test --long`. Exit code 77: the index cannot be reached.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

SKIPPED = 77
LABELS = "program|lesson"
# What pages quote was written with the toolkit that the course brings: another compiler makes other instructions.
PAGES = "[.]page$"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", required=True, type=Path)
    parser.add_argument("--build", required=True, type=Path)
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--version", default="newest", help="13.1 or any other of the index (default: %(default)s)")
    parser.add_argument("--tests", help="only the tests whose name matches; builds nothing by itself")
    parser.add_argument("--target", action="append", default=[], help="build only this (repeatable)")
    parser.add_argument("--jobs", "-j", default=str(os.cpu_count() or 1))
    options = parser.parse_args()

    command = [sys.executable, str(options.source / "course"), "toolkit", "--install", options.version]
    found = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if found.returncode != 0:
        print("the newest nvcc cannot be had")
        return SKIPPED if found.returncode == 3 else 1
    nvcc = Path(found.stdout.strip()) / "bin" / "nvcc"
    print(subprocess.run([str(nvcc), "--version"], capture_output=True, text=True).stdout.splitlines()[-2], flush=True)
    ctest = str(Path(options.cmake).with_name("ctest")) if "/" in options.cmake else "ctest"
    targets = [word for target in options.target for word in ("--target", target)]
    for words in (
        [options.cmake, "-S", options.source, "-B", options.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"]
        + [f"-DCMAKE_CUDA_COMPILER={nvcc}", "-DWARPLADDER_BACKEND=emulator"],
        [options.cmake, "--build", options.build, "-j", options.jobs, *targets],
        [ctest, "--test-dir", options.build, "-j", options.jobs, "--output-on-failure", "--no-tests=error"]
        + (["-R", options.tests] if options.tests else ["-L", LABELS, "-E", PAGES]),
    ):
        code = subprocess.run([str(word) for word in words]).returncode
        if code != 0:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""Print the path of the CUDA toolkit that the course uses, for those who call CMake or nvcc themselves.

It is the first of these whose nvcc is 13.0 or later: $CUDACXX, $CUDA_HOME, $CUDAToolkit_ROOT, $CUDA_PATH, PATH,
/usr/local/cuda, .toolkit/cuda-13.0. With --install NVIDIA's compiler comes from the Python package index into .toolkit;
no root, driver or GPU is needed. Only the path goes to standard output. Exit code: 0 found, 2 wrong input, 3 there is
none.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from ..core.console import Console, CourseError
from ..setup import machine, pins, toolkit
from ..setup.toolkit import NEWEST, PINNED


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--install",
        nargs="?",
        const=PINNED,
        type=_version,
        metavar="VERSION",
        help=f"fetch nvcc into .toolkit: {PINNED} (default), 13.1 or any other of the index, or {NEWEST}",
    )
    parser.add_argument("--verbose", "-v", action="store_true", help="show the output of every command")


def _version(text: str) -> str:
    if text != NEWEST and not (re.fullmatch(r"\d+\.\d+", text) and pins.numbers(text) >= machine.CUDA_MINIMUM):
        raise argparse.ArgumentTypeError(f"'{text}' is not {NEWEST}, {PINNED} or a later version such as 13.1")
    return text


def run(options: argparse.Namespace) -> int:
    if options.install:
        nvcc = toolkit.install(Console(options.verbose, on_stderr=True), options.install)
    elif found := machine.find_nvcc():
        nvcc = Path(found)
    else:
        raise CourseError(f"{machine.no_nvcc()}; `./course toolkit --install` brings one", exit_code=3)
    print(nvcc.resolve().parent.parent)
    return 0

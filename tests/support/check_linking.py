#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds CUDA programs with a plain nvcc command line and runs them on the emulator, in the two ways that need no
change to a makefile: our libcudart_static.a found through NVCC_PREPEND_FLAGS, or our libcudart.so.13 through
LD_LIBRARY_PATH.

    check_linking.py static|shared --nvcc NVCC --lib DIR --source X.cu...
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("form", choices=("static", "shared"))
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--lib", required=True, help="the folder of our libraries")
    parser.add_argument("--source", required=True, type=Path, nargs="+", help="programs, one that errs among them")
    options = parser.parse_args()

    build_env, run_env = dict(os.environ), dict(os.environ)
    flags = ["-std=c++20", "-arch=sm_90"]
    if options.form == "static":
        build_env["NVCC_PREPEND_FLAGS"] = f"-L{options.lib}"
        run_env.pop("LD_LIBRARY_PATH", None)
    else:
        flags.append("-cudart=shared")
        run_env["LD_LIBRARY_PATH"] = options.lib
    for source in options.source:
        fault = fault_of(source, [options.nvcc, *flags], build_env, run_env)
        if fault:
            print(f"FAIL: {fault}")
            return 1
        print(f"{source.name}, {options.form} runtime: as expected")
    return 0


def fault_of(source: Path, nvcc: list[str], build_env: dict[str, str], run_env: dict[str, str]) -> str:
    """What went wrong with a program; empty: nothing."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        command = [*nvcc, str(source), "-o", str(program)]
        built = subprocess.run(command, env=build_env, capture_output=True, text=True)
        if built.returncode != 0:
            return f"{' '.join(command)}\n{built.stdout}{built.stderr}"
        ran = subprocess.run([str(program)], env=run_env, capture_output=True, text=True)
    expected = source.with_suffix(".expected").read_text()
    if ran.returncode != 0 or ran.stdout != expected:
        return f"{source.name}: exit code {ran.returncode}, output\n{ran.stdout}{ran.stderr}expected\n{expected}"
    return ""


if __name__ == "__main__":
    sys.exit(main())

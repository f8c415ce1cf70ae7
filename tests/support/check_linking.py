#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds a CUDA program with a plain nvcc command line and runs it on the emulator, in the two ways that need no change
to a makefile: our libcudart_static.a found through NVCC_PREPEND_FLAGS, or our libcudart.so.13 through LD_LIBRARY_PATH.

    check_linking.py static|shared --nvcc NVCC --lib DIR --source X.cu
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
    parser.add_argument("--source", required=True, type=Path)
    options = parser.parse_args()

    build_env, run_env = dict(os.environ), dict(os.environ)
    flags = ["-std=c++20", "-arch=sm_90"]
    if options.form == "static":
        build_env["NVCC_PREPEND_FLAGS"] = f"-L{options.lib}"
        run_env.pop("LD_LIBRARY_PATH", None)
    else:
        flags.append("-cudart=shared")
        run_env["LD_LIBRARY_PATH"] = options.lib
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        command = [options.nvcc, *flags, str(options.source), "-o", str(program)]
        built = subprocess.run(command, env=build_env, capture_output=True, text=True)
        if built.returncode != 0:
            print(f"FAIL: {' '.join(command)}\n{built.stdout}{built.stderr}")
            return 1
        ran = subprocess.run([str(program)], env=run_env, capture_output=True, text=True)
    expected = options.source.with_suffix(".expected").read_text()
    if ran.returncode != 0 or ran.stdout != expected:
        print(f"FAIL: exit code {ran.returncode}, output\n{ran.stdout}{ran.stderr}expected\n{expected}")
        return 1
    print(f"{options.source.name}, {options.form} runtime: as expected")
    return 0


if __name__ == "__main__":
    sys.exit(main())

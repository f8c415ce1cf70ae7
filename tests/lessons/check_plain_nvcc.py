#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The README's command line that builds a lesson without CMake, word for word, and what it builds, run on the emulator.

Added is only what the emulator needs (the shared runtime) and where the program goes.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--nvcc", type=Path, required=True)
    parser.add_argument("--lib", type=Path, required=True, help="the folder of the emulator's libcudart")
    options = parser.parse_args()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = re.findall(r"`(nvcc -std=[^`]*lessons/\S+/main\.cu[^`]*)`", readme)
    if len(lines) != 1:
        print(f"README.md has {len(lines)} lines that build a lesson with nvcc, not one")
        return 1
    path = f"{options.nvcc.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        line = f"{lines[0]} -cudart shared --threads 0 -o {program}"
        print(f"$ {line}", flush=True)
        built = subprocess.run(["sh", "-c", line], cwd=ROOT, env={**os.environ, "PATH": path})
        if built.returncode != 0:
            return 1
        env = {**os.environ, "LD_LIBRARY_PATH": str(options.lib)}
        return subprocess.run([str(program), "--n", "1000"], env=env).returncode


if __name__ == "__main__":
    sys.exit(main())

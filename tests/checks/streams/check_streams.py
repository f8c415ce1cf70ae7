#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs each case of streams.cu under the race check: a racy one must be found as a race of operations, others not."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

FOUND = 4  # exit code of a program in which the checks found something


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path)
    parser.add_argument("--devices", type=int, default=1, help="all happens on the first of them")
    options = parser.parse_args()
    env = {k: v for k, v in os.environ.items() if not k.startswith("WARPLADDER_")}
    env |= {"WARPLADDER_CHECK": "race", "WARPLADDER_DEVICES": str(options.devices)}
    names = subprocess.run([options.program], capture_output=True, text=True, check=True).stdout.split()
    names = [name for name in names if options.devices > 1 or not name.startswith("far_")]
    racy = [name for name in names if name.endswith("_racy")]
    if len(racy) < 15 or len(names) - len(racy) < 15:
        sys.exit(f"only {len(racy)} racy cases and {len(names) - len(racy)} others")
    wrong = 0
    for name in names:
        done = subprocess.run([options.program, name], env=env, capture_output=True, text=True, check=False, timeout=60)
        host = name.startswith("host_") and name != "host_waits_for_another_racy"
        far = name.startswith("far_")
        what = "between the host and the device" if host else "between devices" if far else "between streams"
        fits = re.search(rf"^warp-ladder emulator: race {what}", done.stderr, re.MULTILINE) is not None
        fits &= not far or all(f"on device {i}" in done.stderr for i in (0, 1))
        right = done.returncode == FOUND and fits if name in racy else done.returncode == 0
        if not right:
            wrong += 1
            print(f"{name}: exit code {done.returncode}\n{done.stderr}")
    print(f"{len(racy)} racy cases, {len(names) - len(racy)} right ones, {wrong} judged wrongly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A copy from the host brings nothing to the L2 cache; what a memset or a copy on the device writes is there.

check_uploads.py PROGRAM      (uploads)
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

BYTES = 4 << 20
FROM_DRAM = {"nothing": True, "upload": True, "pinned": True, "memset": False, "copy": False, "there": False}


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "counters.json"
        environment = {**os.environ, "WARPLADDER_COUNTERS": str(path), "WARPLADDER_DEVICE": "h200"}
        done = subprocess.run([sys.argv[1]], env=environment, capture_output=True, text=True, check=True)
        launches = json.loads(path.read_text(encoding="utf-8"))["launches"]
    turns = done.stdout.split()
    assert turns == list(FROM_DRAM), turns
    looks = [launch["launch"]["dram__bytes_read.sum"] for launch in launches if launch["kernel"].startswith("look")]
    del looks[-2]  # it brings what the last one finds
    wrong = 0
    for turn, read in zip(turns, looks, strict=True):
        right = BYTES <= read < 1.01 * BYTES if FROM_DRAM[turn] else read < 0.01 * BYTES
        print(f"{'ok   ' if right else 'FAIL '} {turn}: {read} bytes from DRAM")
        wrong += not right
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""Writes down what the lanes of a warp did in lesson 10's programs, from which scripts/pictures draws them.

python3 scripts/record_lanes.py                      (needs build/default/lessons/10_thread_scheduling.promises)
python3 scripts/record_lanes.py --check [PROGRAM]    is what is committed still what happens?
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from warpladder.core.recording import Recording  # noqa: E402

LIMIT = "20000"  # warp instructions of a launch: those that are drawn take a tenth, others hang for long
DATA = Path(__file__).resolve().parent / "pictures" / "lanes_run.json"
RECORDING = Recording(
    "record_lanes",
    "10_thread_scheduling.promises",
    DATA,
    "the lanes do something else now: run it without --check, then scripts/pictures",
)
# Kernel and order of the threads: "" is the usual one.
RUNS = (
    ("part_and_meet", ""),
    ("part_and_meet", "random:1"),
    ("lanes_take_a_lock", "lockstep"),
    ("lanes_take_a_lock", ""),
)


def pictured(program: Path, order: str) -> list[dict[str, Any]]:
    """What the emulator writes down of every kernel of the program."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "picture.json"
        env = {k: v for k, v in os.environ.items() if not k.startswith("WARPLADDER_")}
        env |= {"WARPLADDER_PICTURE": str(file), "WARPLADDER_INSTRUCTION_LIMIT": LIMIT}
        env |= {"WARPLADDER_SCHEDULE": order} if order else {}
        subprocess.run([program], env=env, capture_output=True, timeout=120, check=False)  # some launches hang
        if not file.is_file():
            raise SystemExit(f"record_lanes: {program} wrote no picture; does it run on the emulator?")
        launches: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["launches"]
    return launches


def pieces(steps: list[list[int]]) -> list[list[int]]:
    """[first instruction, last, lanes, how often]: steps in a row by the same lanes, and the same again and again."""
    found: list[list[int]] = []
    for at, lanes, _ in steps:
        if found and lanes == found[-1][2] and at == found[-1][1] + 1:
            found[-1][1] = at
        else:
            found.append([at, at, lanes, 1])
    short: list[list[int]] = []
    for piece in found:
        if short and short[-1][:3] == piece[:3]:
            short[-1][3] += 1
        else:
            short.append(piece)
    return short


def recorded(program: Path) -> str:
    runs = []
    launches = {order: pictured(program, order) for _, order in RUNS}
    for kernel, order in RUNS:
        launch = next(one for one in launches[order] if f"{kernel}<" in one["kernel"])
        run = {"kernel": kernel, "order": order, "hangs": launch["failed"], "lanes": launch["block"][0]}
        rows = ",\n".join("      " + json.dumps(piece) for piece in pieces(launch["warps"][0]["steps"]))
        runs.append("    " + json.dumps(run)[:-1] + ', "pieces": [\n' + rows + "\n    ]}")
    head = '{\n  "command": "python3 scripts/record_lanes.py",\n  "runs": [\n'
    return head + ",\n".join(runs) + "\n  ]\n}\n"


def main() -> int:
    return RECORDING.make(sys.argv[1:], recorded)


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""Writes down one run of lesson 08's look-back, from which scripts/pictures draws it.

python3 scripts/record_flight.py                      (needs build/default/lessons/08_scan.flight with the emulator)
python3 scripts/record_flight.py --check [PROGRAM]    is what is committed still what happens?
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from warpladder.core.recording import Recording  # noqa: E402

DATA = Path(__file__).resolve().parent / "pictures" / "look_back_run.json"
RECORDING = Recording(
    "record_flight",
    "08_scan.flight",
    DATA,
    "another order happens now: run it without --check, then scripts/pictures",
)
ORDER = "random:2"  # of the threads, so that blocks overtake each other
EVENT = re.compile(r"^ *(\d+) +(\d+) +(tells its|waits for|finds the) ?(sum|prefix)?(?: of)?(?: tile (\d+))?$")


def events(text: str) -> list[list[int | str]]:
    """[tile, "tells"|"waits"|"finds", whose word, "sum"|"prefix"|""] for each line of the program."""
    found: list[list[int | str]] = []
    for line in text.splitlines():
        if match := EVENT.match(line):
            number, tile, what, word, other = match.groups()
            if int(number) != len(found):
                raise SystemExit(f"record_flight: event {len(found)} is missing")
            found.append([int(tile), what.split()[0], int(other or tile), word or ""])
    if not found:
        raise SystemExit("record_flight: the program wrote no events")
    return found


def recorded(program: Path) -> str:
    environment = {**os.environ, "WARPLADDER_SCHEDULE": ORDER}
    done = subprocess.run([str(program)], env=environment, check=True, capture_output=True, text=True)
    rows = ",\n".join("    " + json.dumps(event) for event in events(done.stdout))
    head = '{\n  "command": "python3 scripts/record_flight.py",\n'
    return f'{head}  "order": "{ORDER}",\n  "events": [\n{rows}\n  ]\n}}\n'


def main() -> int:
    return RECORDING.make(sys.argv[1:], recorded)


if __name__ == "__main__":
    sys.exit(main())

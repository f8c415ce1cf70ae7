#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What WARPLADDER_COUNTERS and WARPLADDER_ANNOTATE do, right and wrong.

check_environment.py PROGRAM      (the micro-kernels)
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

failures = 0


def run(program: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith("WARPLADDER_")}
    return subprocess.run([program, *arguments], env=env | variables, capture_output=True, text=True, check=False)


def check(what: str, holds: bool, shown: object = "") -> None:
    global failures
    print(("ok    " if holds else "FAIL  ") + what)
    if not holds:
        failures += 1
        print(shown)


def refused(what: str, result: subprocess.CompletedProcess[str], text: str) -> None:
    """The program must not run, and one line must say why."""
    lines = [x for x in result.stderr.splitlines() if x.startswith("warp-ladder emulator:")]
    right = result.returncode != 0 and not result.stdout and len(lines) == 1 and text in lines[0]
    check(what, right, result)


def main() -> int:
    program = sys.argv[1]
    plain = run(program)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "counters.json"
        result = run(program, WARPLADDER_COUNTERS=str(path))
        document = json.loads(path.read_text())
        check("counting does not change what a program prints", result.stdout == plain.stdout, result.stderr)
        check("counting prints nothing", result.stderr == "", result.stderr)
        launches = document["launches"]
        check("one entry per launch", len(launches) == len(plain.stdout.splitlines()), len(launches))
        name = "smsp__sass_inst_executed.sum"
        whole = all(sum(x["counters"].get(name, 0) for x in y["lines"]) == y["counters"][name] for y in launches)
        check("the lines of a launch add up to it", whole)
        path.write_text("old")
        run(program, WARPLADDER_COUNTERS=str(path))
        check("the same counters every time", json.loads(path.read_text()) == document)

        result = run(program, "--fail", WARPLADDER_COUNTERS=str(path))
        launches = json.loads(path.read_text())["launches"]
        check("a launch that fails is written too", result.returncode == 0 and len(launches) == 2, result)
        check("... marked as failed", [x["failed"] for x in launches] == [False, True], launches)
        check("... with what it did until then", 0 < launches[-1]["counters"][name] < launches[0]["counters"][name])

        text = Path(folder) / "annotated.txt"
        result = run(program, WARPLADDER_ANNOTATE=str(text))
        check("the annotated source goes to a file", "out[i] = in[i * kStep + kOffset];" in text.read_text())
        check("... and not to the terminal", result.stderr == "", result.stderr)
        result = run(program, WARPLADDER_ANNOTATE="1")
        check("... or to the terminal", result.stderr == text.read_text() and result.stdout == plain.stdout)
        result = run(program, WARPLADDER_ANNOTATE="0", WARPLADDER_COUNTERS="")
        check("0 and nothing mean off", result.stderr == "" and result.stdout == plain.stdout)

        refused(
            "a counter file that cannot be written",
            run(program, WARPLADDER_COUNTERS=f"{folder}/no/x.json"),
            "WARPLADDER_COUNTERS",
        )
        refused("a folder as counter file", run(program, WARPLADDER_COUNTERS=folder), "WARPLADDER_COUNTERS")
        refused("a number that means nothing", run(program, WARPLADDER_ANNOTATE="2"), "neither 1")
        refused(
            "an annotation file that cannot be written",
            run(program, WARPLADDER_ANNOTATE=f"{folder}/no/x"),
            "WARPLADDER_ANNOTATE",
        )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the chapters to what the emulator says of a mistake, and the cure beside it to silence.

A block behind `<!-- pitfall PROGRAM KERNEL -->` in a chapter is what lessons/*/pitfalls/PROGRAM.cu makes the emulator
say when it runs KERNEL under all checks; KERNEL_cured must run without a word. Behind `<!-- pitfall PROGRAM KERNEL
time -->` stands the modelled time of both instead, for a mistake that only costs. --update writes the blocks.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

_BLOCK = re.compile(r"(<!-- pitfall (\w+) (\w+)( time)? -->\n```text\n)(.*?)(```\n)", re.DOTALL)
_PREFIX = "warp-ladder emulator: "
_LEAST = 5  # blocks that there must be


def run(program: Path, kernel: str, setting: dict[str, str]) -> tuple[int, str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith("WARPLADDER_")}
    done = subprocess.run([program, kernel], env=env | setting, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stderr


def plain(report: str) -> str:
    """Without what another toolkit or machine has otherwise: addresses, PTX, lines of NVIDIA's headers."""
    lines = [line for line in report.splitlines() if not re.match(r"  (ptx|kernel) |\s+which inlines ", line)]
    lines = [re.sub(r", which inlines [\w.]+:\d+|  \[.*\]$", "", line) for line in lines]
    return re.sub(r"\b0x7[0-9a-f]{7,}", "0x7...", "\n".join(lines)) + "\n"


def said(program: Path, kernel: str) -> str:
    """The first report; the cure must have none."""
    code, text = run(program, kernel, {"WARPLADDER_CHECK": "all"})
    reports = [part for part in re.split(rf"^(?={_PREFIX})", text, flags=re.MULTILINE) if "\n  what " in part]
    errors = [report for report in reports if "\n  hint " not in report or code == 1]
    if code == 0 or not errors:
        sys.exit(f"{program.name} {kernel}: exit code {code}, and no report\n{text}")
    cured = kernel.replace("_the_last_branch", "_a_branch") + "_cured"
    code, text = run(program, cured, {"WARPLADDER_CHECK": "all"})
    if code != 0 or text:
        sys.exit(f"{program.name} {cured}: exit code {code}\n{text}")
    return plain(errors[0])


def times(program: Path, kernel: str) -> str:
    """The modelled times of the mistake and of its cure."""
    found = []
    for name in (kernel, f"{kernel}_cured"):
        _, text = run(program, name, {"WARPLADDER_ANNOTATE": "1"})
        match = re.search(r"^(\w+)\(.*\n(  modelled: [^,]*)", text, re.MULTILINE)
        if match is None:
            sys.exit(f"{program.name} {name}: no modelled time\n{text}")
        code, checked = run(program, name, {"WARPLADDER_CHECK": "all"})
        if code != 0 or checked:
            sys.exit(f"{program.name} {name}: exit code {code}\n{checked}")
        found.append(f"{match.group(1)}\n{match.group(2)}\n")
    return "".join(found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--lessons", type=Path, required=True)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    wrong = blocks = 0
    for chapter in sorted(options.lessons.glob("*/*.md")):
        text = chapter.read_text(encoding="utf-8")

        def block(match: re.Match[str]) -> str:
            make = times if match.group(4) else said
            return match.group(1) + make(options.programs / match.group(2), match.group(3)) + match.group(6)

        blocks += len(_BLOCK.findall(text))
        right = _BLOCK.sub(block, text)
        if right == text:
            continue
        if options.update:
            chapter.write_text(right, encoding="utf-8")
        else:
            wrong += 1
            print(f"{chapter} does not show what the emulator says; check_pitfalls.py --update writes it")
    if blocks < _LEAST:
        sys.exit(f"only {blocks} blocks in the chapters of {options.lessons}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

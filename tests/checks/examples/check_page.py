#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds docs/checking.md to what the checks say: each block behind `<!-- finding: NAME -->` is the message of a kernel.

NAME is a kernel of examples.cu, or the word in _STARTS of a finding without one. --update writes them. Every kind of
finding that the sources of the emulator name must be on the page.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

_BLOCK = re.compile(r"(<!-- finding: (\w+) -->\n```text\n)(.*?)(```\n)", re.DOTALL)
_STARTS = {
    "api": "a call failed",
    "leak": "memory that was not freed",
    "stream": "a stream that was destroyed",
    "event": "an event that nobody has recorded",
    "unseen": "a kernel failed, and the program never asked",
}
_KIND = re.compile(r'"((?:race|init|sync|api|memory|kernel)-[a-z-]+|leak)"')
_SUFFIX = re.compile(r'[?:] "(-[a-z-]+)"')  # what a race is besides


def run(program: Path, words: list[str], code: int, devices: int = 1) -> tuple[str, list[dict[str, str]]]:
    """What the checks print of a run, and what they write."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("WARPLADDER_")}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "found.json"
        env |= {"WARPLADDER_CHECK": "1", "WARPLADDER_CHECK_TO": str(file), "WARPLADDER_DEVICES": str(devices)}
        done = subprocess.run([program, *words], env=env, capture_output=True, text=True, timeout=60, check=False)
        if done.returncode != code:
            sys.exit(f"exit code {done.returncode}, expected {code}\n{done.stderr}")
        return done.stderr, json.loads(file.read_text(encoding="utf-8"))["findings"]


def findings(program: Path) -> tuple[list[str], dict[str, str]]:
    """The messages, and the kind of each by its first line."""
    runs = [run(program, [], 4), run(program, ["unseen"], 4), run(program, ["devices"], 4, devices=2)]
    text = re.sub(r"\b0x[0-9a-f]{9,}", "0x...", "".join(said for said, _ in runs))  # addresses are others in each run
    text = re.sub(r"[\w./-]*/examples\.cu", "examples.cu", text)  # as the compiler was told it
    parts = [part for part in re.split(r"^warp-ladder emulator: ", text, flags=re.MULTILINE) if "\n  what " in part]
    kinds = {f["title"] + (f" in {f['kernel']}" if f["kernel"] else ""): f["id"] for _, all_ in runs for f in all_}
    return parts, kinds


def kinds_of(sources: Path) -> set[str]:
    """The kinds of findings that there are. What is said of shared memory is said of global memory, too."""
    found: set[str] = set()
    for file in sorted(sources.rglob("*.cpp")):
        if not file.name.endswith(".test.cpp"):
            found |= set(_KIND.findall(file.read_text(encoding="utf-8")))
    report = (sources / "check" / "race_report.cpp").read_text(encoding="utf-8")
    return {one_place(kind) for kind in found | {f"race-global{suffix}" for suffix in ["", *_SUFFIX.findall(report)]}}


def one_place(kind: str) -> str:
    return re.sub(r"^(race|init)-(shared|global)", r"\1-memory", kind)


def message(name: str, found: list[str]) -> str:
    """The first finding of that kernel, or of that check."""
    for text in found:
        if text.startswith(_STARTS.get(name, "\0")) or f" in {name}(" in text.splitlines()[0]:
            return text
    sys.exit(f"the checks have found nothing for {name}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path)
    parser.add_argument("page", type=Path)
    parser.add_argument("sources", type=Path, help="the folder of the emulator")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    found, kinds = findings(options.program)
    text = options.page.read_text(encoding="utf-8")
    names = [match.group(2) for match in _BLOCK.finditer(text)]
    right = _BLOCK.sub(lambda block: block.group(1) + message(block.group(2), found) + block.group(4), text)
    if options.update:
        options.page.write_text(right, encoding="utf-8")
    elif right != text:
        print(f"{options.page} does not show what the checks say; check_page.py --update writes it")
        return 1
    shown = {one_place(kinds[message(name, found).splitlines()[0]]) for name in names}
    missing = sorted(kinds_of(options.sources) - shown)
    for kind in missing:
        print(f"{options.page} has no example of a finding {kind}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())

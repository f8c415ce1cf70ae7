#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a corpus under the checks: every racy kernel must be reported with its two lines, every other with none.

In sync.cu and memory.cu a broken kernel ends in _broken: the line above it says `// finds ID`, and its lines are marked
`// sync A` (and `// sync B`). Elsewhere a kernel whose name ends in _racy has its racing lines marked `// race A` and
`// race B` (or `// race A B` for one line that races with itself); further lines that race beside them are marked
`// race C`. A report of any other lines is an error, too. What ends in _hidden_racy must be found under --schedule, all
else in the usual order of the threads; wherever they are not asked for, what is reported must fit all the same.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

FOUND = 4  # exit code of a program in which the checks found something
_KERNEL = re.compile(r"^__global__ void (?:__cluster_dims__\([^)]*\) )?(\w+)\(")
_PART = re.compile(r'^#include "(\w+/\w+\.cuh)"$')
_MARK = re.compile(r"// (?:race|sync) ([ABC](?: [ABC])*)$")
_FINDS = re.compile(r"^// finds ([\w-]+)$")
_WRONG = ("_racy", "_broken")
_HIDDEN = "_hidden_racy"
_CHECK = {"sync": "sync", "init": "init", "memory": "api"}  # by the beginning of a finding's name


@dataclass
class Case:
    file: str = ""  # the name of the file it stands in
    lines: dict[str, int] = field(default_factory=dict)  # A and B
    marked: set[int] = field(default_factory=set)
    finds: str = ""

    @property
    def pair(self) -> tuple[int, ...]:
        return tuple(sorted(self.lines.values()))


def read_cases(source: Path) -> dict[str, Case]:
    """The kernels of a corpus, and of its parts that it includes."""
    cases: dict[str, Case] = {}
    case = Case()
    finds = ""
    for number, line in enumerate(source.read_text().splitlines(), start=1):
        if part := _PART.match(line):
            cases |= read_cases(source.parent / part.group(1))
        if kernel := _KERNEL.match(line):
            case = cases[kernel.group(1)] = Case(source.name, finds=finds)
            finds = ""
        if named := _FINDS.match(line):
            finds = named.group(1)
        if mark := _MARK.search(line.rstrip()):
            case.marked.add(number)
            case.lines.update({letter: number for letter in mark.group(1).split() if letter != "C"})
    return cases


def run(program: Path, check: str, devices: int, schedule: str) -> list[dict[str, object]]:
    """What the checks found."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "found.json"
        env = {k: v for k, v in os.environ.items() if not k.startswith("WARPLADDER_")}
        env |= {"WARPLADDER_CHECK": check, "WARPLADDER_CHECK_TO": str(report), "WARPLADDER_DEVICES": str(devices)}
        env |= {"WARPLADDER_SCHEDULE": schedule} if schedule else {}
        done = subprocess.run([program], env=env, capture_output=True, text=True, timeout=100, check=False)
        if done.returncode != FOUND:
            sys.exit(f"exit code {done.returncode}, expected {FOUND}\n{done.stderr[-4000:]}")
        findings: list[dict[str, object]] = json.loads(report.read_text())["findings"]
        return findings


def pairs_of(findings: list[dict[str, object]], cases: dict[str, Case]) -> dict[str, set[tuple[int, ...]]]:
    """The lines that findings name, by kernel: of races, or of the finding that is expected there. A line of another
    file than the kernel's is none."""
    pairs: dict[str, set[tuple[int, ...]]] = {}
    for finding in findings:
        accesses = finding["accesses"]
        assert isinstance(accesses, list)
        if finding["severity"] != "error":
            continue
        name = str(finding["kernel"]).split("(")[0]
        own = cases[name].file
        if cases[name].finds not in ("", finding["id"]):
            sys.exit(f"{name}: {finding['id']} is found, not {cases[name].finds}")
        lines = (int(access["line"]) if Path(access["file"]).name == own else 0 for access in accesses)
        pairs.setdefault(name, set()).add(tuple(sorted(lines)))
    return pairs


def wrong(cases: dict[str, Case], pairs: dict[str, set[tuple[int, ...]]], hidden: bool) -> list[str]:
    """`hidden`: those are asked for that the usual order hides, not the others."""
    problems = []
    for name, case in cases.items():
        found = pairs.get(name, set())
        if not name.endswith(_WRONG):
            problems += [f"{name}: reported, but it is right: lines {pair}" for pair in sorted(found)]
            continue
        if case.pair not in found and name.endswith(_HIDDEN) == hidden:
            problems.append(f"{name}: not reported: lines {case.pair}; found: {sorted(found)}")
        strangers = sorted(pair for pair in found if not set(pair) <= case.marked)
        problems += [f"{name}: lines {pair} are reported and not marked" for pair in strangers]
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("program", type=Path)
    parser.add_argument("--devices", type=int, default=1, help="the kernels run on the first of them")
    parser.add_argument("--schedule", default="", help="the order of the threads, as in WARPLADDER_SCHEDULE")
    options = parser.parse_args()
    cases = read_cases(options.source)
    racy = sum(name.endswith(_WRONG) for name in cases)
    if racy < 10 or len(cases) - racy < 10:
        sys.exit(f"{options.source}: only {racy} wrong kernels and {len(cases) - racy} others were found in it")
    check = ",".join(sorted({_CHECK[case.finds.split("-")[0]] for case in cases.values() if case.finds})) or "race"
    found = run(options.program, check, options.devices, options.schedule)
    problems = wrong(cases, pairs_of(found, cases), hidden=bool(options.schedule))
    for problem in problems:
        print(problem)
    print(f"{racy} wrong kernels, {len(cases) - racy} right ones, {len(problems)} judged wrongly")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs programs that are right under the checks, which must stay without a word.

check_silence.py --lessons FOLDER [NAME ...]        lesson programs: small n, one that is odd, every rung
check_silence.py --programs FOLDER [TOPIC ...]      what tests/programs was compiled to, run as each program says

What is reported all the same, and why that is no mistake, is written down in excused.json and nowhere else. An entry
that excuses nothing any more is an error.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

from run_program import parse_directives  # noqa: E402

SIZES = ("1000", "1237")
LONGEST_S = 1200
# These go wrong on purpose, or race by their nature.
NOT_RIGHT = ("errors", "schedule", "weak_memory")
FOUND = 4


@dataclass(frozen=True)
class Excuse:
    program: str
    check: str
    kernel: str  # a part of its name
    file: str
    why: str

    def holds_for(self, program: str, finding: dict[str, object]) -> bool:
        accesses = finding["accesses"]
        assert isinstance(accesses, list)
        files = {Path(str(access["file"])).name for access in accesses}
        return (self.program, self.check) == (program, finding["check"]) and (
            self.kernel in str(finding["kernel"]) and files == {self.file}
        )


@dataclass
class Run:
    name: str
    command: list[str]
    env: dict[str, str] = field(default_factory=dict)
    exit_code: int = 0


def excuses() -> list[Excuse]:
    return [Excuse(**entry) for entry in json.loads((HERE / "excused.json").read_text())]


def lessons(folder: Path, names: list[str], devices: list[str]) -> Iterator[Run]:
    for program in sorted(folder.glob("[0-9][0-9]_*")):
        if program.suffix == ".cu" or (names and program.name not in names):
            continue
        usage = subprocess.run([program, "--help"], capture_output=True, text=True, check=False).stdout
        once = ["--reps", "1"] if "--reps" in usage else []
        sized = bool(re.search(r"--n\b", usage))
        for words in [["--n", n] for n in SIZES] if sized else [[]]:
            for count in devices or [""]:
                env = {"WARPLADDER_DEVICES": count} if count else {}
                yield Run(program.name, [str(program), *words, *once], env)


def programs(folder: Path, topics: list[str]) -> Iterator[Run]:
    for source in sorted((HERE.parent / "programs").glob("*/*.cu")):
        topic, program = source.parent.name, folder / source.parent.name / source.stem
        if topic in NOT_RIGHT or (topics and topic not in topics) or not program.exists():
            continue
        wanted = parse_directives(source.read_text())
        yield Run(f"{topic}/{source.stem}", [str(program), *wanted.args], wanted.env, wanted.exit_code)


def findings(run: Run) -> tuple[list[dict[str, object]], str]:
    """What the checks found, and what else went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "found.json"
        env = {k: v for k, v in os.environ.items() if not k.startswith("WARPLADDER_")} | run.env
        env |= {"WARPLADDER_CHECK": "race,init", "WARPLADDER_CHECK_TO": str(report)}
        done = subprocess.run(
            run.command, env=env, capture_output=True, text=True, errors="replace", timeout=LONGEST_S, check=False
        )
        if done.returncode not in (run.exit_code, FOUND):
            return [], f"exit code {done.returncode}\n{done.stderr[-2000:]}"
        found = json.loads(report.read_text())["findings"] if report.exists() else []
        return [finding for finding in found if finding["severity"] == "error"], ""


def told(finding: dict[str, object]) -> str:
    accesses = finding["accesses"]
    assert isinstance(accesses, list)
    where = ", ".join(f"{Path(str(a['file'])).name}:{a['line']} {a['does']}" for a in accesses)
    return f"{finding['title']} {finding['kernel']}: {where}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--lessons", type=Path, metavar="FOLDER")
    kind.add_argument("--programs", type=Path, metavar="FOLDER")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--devices", nargs="+", default=[], metavar="N", help="with so many, of which the program uses all"
    )
    options = parser.parse_args()
    runs = list(
        lessons(options.lessons, options.names, options.devices)
        if options.lessons
        else programs(options.programs, options.names)
    )
    if not runs:
        sys.exit("there is no such program")
    known, used, problems = excuses(), set(), []
    with ThreadPoolExecutor(options.jobs) as pool:
        for run, (found, failure) in zip(runs, pool.map(findings, runs), strict=True):
            problems += [f"{run.name}: {failure}"] if failure else []
            for finding in found:
                excuse = next((e for e in known if e.holds_for(run.name, finding)), None)
                used.add(excuse)
                problems += [] if excuse else [f"{run.env} {' '.join(run.command)}: {told(finding)}"]
    ran = {run.name for run in runs}
    problems += [f"excused.json: {e.program} needs no excuse" for e in known if e.program in ran and e not in used]
    print("\n".join(problems))
    print(f"{len(runs)} runs under the checks, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""Runs every program of the lessons under the four tools of compute-sanitizer, on a GPU.

python3 scripts/sanitize_lessons.py record [--only 09 10] [--jobs 8] on a GPU: results/h200/sanitizer.json
python3 scripts/sanitize_lessons.py write [--check]                  the table of docs/sanitizer.md, from that file

`record` needs the lessons' programs in build/PRESET. Programs run in small (WARPLADDER_SMALL): under a tool each access
costs a thousand times as much. What is not asked for stays as it was recorded. It ends with 1 where a tool found
something, or a program did not end.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from warpladder.core.paths import LESSONS, RESULTS, ROOT  # noqa: E402
from warpladder.core.recording import record_and_write  # noqa: E402
from warpladder.setup import machine  # noqa: E402

FILE = RESULTS / "h200" / "sanitizer.json"
PAGE = ROOT / "docs" / "sanitizer.md"
SCHEMA = "warpladder-sanitizer/1"
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
_BEGIN, _END = "<!-- sanitizer:begin -->\n", "<!-- sanitizer:end -->"
_SUMMARY = re.compile(r"^=+ (?:ERROR SUMMARY: (\d+) error|RACECHECK SUMMARY: .*\((\d+) error)", re.MULTILINE)

# Wrong on purpose: what they show is what a tool would report.
ON_PURPOSE = {"07_vote_and_match.mistakes", "10_thread_scheduling.mistakes"}
# A lesson's ladder: n odd, one sample. Shapes that are chosen for long arrays get one of those too.
LADDER = ("--n 5003 --reps 1",)
ARGUMENTS = {
    "00_first_steps.by_hand": ("",),
    "00_first_steps.experiments": ("--flush none",),  # initcheck follows every byte of every flush
    "06_lock_free": ("--n 2000 --reps 1",),
    "07_vote_and_match": ("--n 5003 --reps 1", "--family select --n 2100001 --reps 1 --rung sel_waves"),
    "08_scan": ("--n 20011 --reps 1", "--family segments --n 300007 --segments 64 --lengths skewed --reps 1"),
    "12_task_scheduler": ("--n 129 --reps 1",),
    "12_task_scheduler.soak": ("--n 2000",),
    "12_task_scheduler.costs": ("--n 512 --reps 1",),
    "13_point_cloud": ("--n 300 --reps 1",),
    "14_multi_gpu": ("--n 203 --ranks 1 --reps 1",),
}


class Unseen(NamedTuple):
    """Kernels that a tool is not shown, and why."""

    program: str
    tool: str
    kernels: tuple[str, ...]
    why: str


UNSEEN = (
    Unseen(
        "10_thread_scheduling.handover",
        "racecheck",
        ("Flags", "Numbers"),
        "racecheck follows neither flags nor what comes before `bar.arrive`; PTX orders both, and the emulator's check "
        "(`--check=race`) follows them and is silent",
    ),
)


class Run(NamedTuple):
    program: str
    arguments: str
    tool: str

    def exception(self) -> Unseen | None:
        return next((e for e in UNSEEN if (e.program, e.tool) == (self.program, self.tool)), None)


def programs() -> list[str]:
    """By the sources: a program that is not built is missed."""
    names = []
    for source in sorted(LESSONS.glob("*/*.cu")):
        lesson = source.parent.name
        names.append(lesson if source.stem == "main" else f"{lesson}.{source.stem}")
    return [name for name in names if name not in ON_PURPOSE]


def runs(only: str) -> list[Run]:
    return [
        Run(program, arguments, tool)
        for program in programs()
        if program.startswith(only)
        for arguments in ARGUMENTS.get(program, ("",) if "." in program else LADDER)
        for tool in TOOLS
    ]


def command(run: Run, preset: str) -> list[str]:
    words = ["compute-sanitizer", "--tool", run.tool, "--error-exitcode", "9"]
    if run.tool == "memcheck":
        words += ["--report-api-errors", "no"]  # those that a program provokes on purpose, it looks at itself
    if "." not in run.program:
        words += ["--kernel-name", "kns=lesson"]  # the rungs, not the library beside them
    if exception := run.exception():
        for kernel in exception.kernels:
            words += ["--kernel-name-exclude", f"kns={kernel}"]
    return [*words, str(ROOT / "build" / preset / "lessons" / run.program), *run.arguments.split()]


def outcome(run: Run, preset: str, seconds: int) -> dict[str, Any]:
    begin = time.monotonic()
    row: dict[str, Any] = {"program": run.program, "arguments": run.arguments, "tool": run.tool, "errors": None}
    try:
        done = subprocess.run(
            command(run, preset),
            cwd=ROOT,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
            env={**os.environ, "WARPLADDER_SMALL": "1"},
        )
        row["exit"] = done.returncode
        if found := _SUMMARY.findall(done.stdout):
            row["errors"] = sum(int(a or b) for a, b in found)
        if row["errors"] != 0 or done.returncode != 0:
            lines = [*done.stdout.splitlines(), *done.stderr.splitlines()]
            row["said"] = [line for line in lines if line.startswith("=") or "FAIL" in line][:12] or lines[-5:]
    except subprocess.TimeoutExpired:
        row["exit"] = None
    row["seconds"] = round(time.monotonic() - begin, 1)
    return row


def clean(row: dict[str, Any]) -> bool:
    return bool(row["errors"] == 0 and row["exit"] == 0)


def load(file: Path) -> dict[str, Any]:
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else {"schema": SCHEMA, "rows": []}


def record(options: argparse.Namespace) -> int:
    if not machine.gpus():
        print("sanitize_lessons: it needs a GPU", file=sys.stderr)
        return 3
    wanted = [run for name in options.only or [""] for run in runs(name)]
    if not wanted:
        print(f"sanitize_lessons: no program begins with {' or '.join(options.only)}", file=sys.stderr)
        return 2
    version = next(
        (line for line in machine.output_of(["compute-sanitizer", "--version"]).splitlines() if "Version" in line), ""
    )
    made = {
        "device": machine.all_gpus()[0].name,
        "date": datetime.date.today().isoformat(),
        "revision": machine.revision(),
        "version": version.strip(),
    }
    document = load(options.file)
    known = {Run(row["program"], row["arguments"], row["tool"]): row for row in document["rows"]}
    bad = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        found = pool.map(lambda run: outcome(run, options.preset, options.seconds), wanted)
        for run, row in zip(wanted, found, strict=True):
            known[run] = {**row, **made}
            bad += not clean(row)
            print(f"{run.program} {run.arguments} {run.tool}: {words_for(row)}, {row['seconds']} s", flush=True)
            for line in row.get("said", []):
                print("   ", line, flush=True)
            # After every run: whoever is stopped keeps what there is. What is not run any more goes.
            document["rows"] = [known[run] for run in runs("") if run in known]
            options.file.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print(f"{len(wanted)} runs, {bad} not clean: {options.file}")
    return 1 if bad else 0


def words_for(row: dict[str, Any]) -> str:
    return "clean" if clean(row) else "did not end" if row["exit"] is None else f"{row['errors']} errors"


def table(document: dict[str, Any]) -> str:
    lines = ["| program | arguments | " + " | ".join(TOOLS) + " |", "| --- | --- |" + " --- |" * len(TOOLS)]
    cells: dict[tuple[str, str], dict[str, str]] = {(run.program, run.arguments): {} for run in runs("")}
    for row in document["rows"]:
        if (row["program"], row["arguments"]) not in cells:
            continue  # it is run otherwise now
        exception = Run(row["program"], row["arguments"], row["tool"]).exception()
        said = words_for(row)
        if exception:
            said += f" (without {', '.join(f'`{kernel}`' for kernel in exception.kernels)})"
        cells[row["program"], row["arguments"]][row["tool"]] = said
    for (program, arguments), by_tool in cells.items():
        shown = f"`{arguments}`" if arguments else ""
        lines.append(
            f"| {program} | {shown} | " + " | ".join(by_tool.get(tool, "not run yet") for tool in TOOLS) + " |"
        )
    lines += [""]
    for made in sorted({(row["version"], row["device"], row["date"], row["revision"]) for row in document["rows"]}):
        lessons = {row["program"][:2] for row in document["rows"] if row["revision"] == made[3]}
        lines += [f"*Lessons {', '.join(sorted(lessons))}: {made[0]}, {made[1]}, {made[2]}, revision {made[3]}.*", ""]
    lines += ["Written by `python3 scripts/sanitize_lessons.py write` from what `... record` found on a GPU.", ""]
    for exception in UNSEEN:
        names = ", ".join(f"`{kernel}`" for kernel in exception.kernels)
        lines += [f"- {exception.program} under {exception.tool} without the kernels of {names}: {exception.why}."]
    for program in sorted(ON_PURPOSE):
        lines += [f"- {program} is not run: it is wrong on purpose."]
    return "\n".join(lines) + "\n"


def write(options: argparse.Namespace) -> int:
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(_BEGIN)
    right = before + _BEGIN + table(json.loads(options.file.read_text(encoding="utf-8"))) + _END + rest.split(_END)[1]
    if right == text:
        return 0
    if options.check:
        print(f"{PAGE} does not show what was recorded: run scripts/sanitize_lessons.py write", file=sys.stderr)
        return 1
    PAGE.write_text(right, encoding="utf-8")
    return 0


def main() -> int:
    parser, recording = record_and_write(__doc__, FILE)
    recording.add_argument("--only", metavar="NN", nargs="*", help="programs that begin so (all)")
    recording.add_argument("--jobs", type=int, default=8, help="programs at a time")
    recording.add_argument("--seconds", type=int, default=240, help="after which a program is ended")
    options = parser.parse_args()
    return record(options) if options.verb == "record" else write(options)


if __name__ == "__main__":
    sys.exit(main())

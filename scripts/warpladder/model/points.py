# SPDX-License-Identifier: MIT
"""Modelled times beside measured ones: runs the lessons' programs and the probe on the emulator."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ..core.console import CourseError
from ..core.paths import BUILD, RESULTS
from ..results.saved import Document

MEASURED = RESULTS / "h200" / "rungs.json"


PROBE = RESULTS / "h200" / "probe.json"


PROBE_LESSON = "probe"  # what stands where rungs have their lesson


@dataclass(frozen=True)
class Point:
    """One rung at one size. Times in microseconds."""

    lesson: str
    rung: str
    exponent: int
    measured: float
    spread: float  # of the measured time, as a share of it
    modelled: float
    limit: str = ""  # what holds the longest kernel up, "dram 87 %"

    @property
    def ratio(self) -> float:
        return self.modelled / self.measured


def load_measured(path: Path = MEASURED) -> Document:
    document: Document = json.loads(path.read_text(encoding="utf-8"))
    return document


def run_lesson(program: Path, exponent: int, block: int) -> tuple[dict[str, float], list[Document]]:
    """The modelled times of a lesson's rungs, and what its launches were limited by."""
    with tempfile.TemporaryDirectory() as folder:
        document, counters = Path(folder) / "document.json", Path(folder) / "counters.json"
        command = [str(program), "--n", f"2^{exponent}", "--block", str(block), "--json", str(document)]
        env = {**os.environ, "WARPLADDER_COUNTERS": str(counters), "WARPLADDER_DEVICE": "h200"}
        result = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
        if result.returncode != 0:
            raise CourseError(f"{program.name} failed: {result.stderr.strip() or result.stdout.strip()}")
        rows = json.loads(document.read_text(encoding="utf-8"))
        if rows["times"] != "modelled":
            raise CourseError(f"{program.name} was not run on the emulator")
        times = {row["id"]: row["median_us"] for row in rows["rows"] if row["kind"] != "cpu" and "median_us" in row}
        if not counters.exists():
            raise CourseError(f"{program.name} left no counters: was it built from this source?")
        launches = json.loads(counters.read_text(encoding="utf-8"))["launches"]
        return times, [{"kernel": one["kernel"], **one["model"]} for one in launches]


def limit_of(rung: str, launches: list[Document]) -> str:
    """What limits the longest launch of a rung's kernel for floats."""
    name = re.compile(rf"::{re.escape(rung)}(_alone)?<(.*\b)?float\b")
    own = [one for one in launches if name.search(one["kernel"])]
    if not own:
        return ""
    longest = max(own, key=lambda one: one["modelled_ns"])
    return f"{longest['limited_by']} {longest['percent']} %"


def collect(folder: Path, measured: Document, exponents: list[int]) -> list[Point]:
    missing = [lesson for lesson in measured["lessons"] if not (folder / lesson).is_file()]
    if missing:
        raise CourseError(f"{folder} has no {missing[0]}; run `./course test` first")
    jobs = [(lesson, exponent) for lesson in measured["lessons"] for exponent in exponents]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = pool.map(lambda job: run_lesson(folder / job[0], job[1], measured["block"]), jobs)
        points = []
        for (lesson, exponent), (times, launches) in zip(jobs, outcomes, strict=True):
            for rung, sizes in measured["lessons"][lesson].items():
                # The library's sum is in the table of every lesson: once is enough.
                again = rung == "cub" and lesson != min(measured["lessons"])
                if str(exponent) not in sizes or rung not in times or again:
                    continue
                median, spread = sizes[str(exponent)]
                limit = limit_of(rung, launches)
                points.append(Point(lesson, rung, exponent, median, spread, times[rung], limit))
    return points


def probe_program(preset: str) -> Path:
    """The program with the library's rows if it can be built, which takes a while the first time."""
    folder = BUILD / preset / "programs" / "model"
    if (BUILD / preset / "CMakeCache.txt").is_file():
        command = ["cmake", "--build", str(BUILD / preset), "--target", "model_probe_library"]
        if subprocess.run(command, capture_output=True, check=False).returncode == 0:
            return folder / "probe_library"
    return folder / "probe"


def collect_probe(program: Path, exponents: list[int]) -> list[Point]:
    """The kernels that the model was never calibrated with."""
    if not program.is_file():
        raise CourseError(f"{program} is missing; run `./course test` first")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "probe.json"
        env = {**os.environ, "WARPLADDER_DEVICE": "h200"}
        command = [str(program), str(out), str(max(exponents))]
        result = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
        if result.returncode != 0:
            raise CourseError(f"{program.name} failed: {result.stderr.strip()}")
        document = json.loads(out.read_text(encoding="utf-8"))
    if document["times"] != "modelled":
        raise CourseError(f"{program.name} was not run on the emulator")
    modelled = {(row["id"], row["exponent"]): row["us"] for row in document["rows"] if "us" in row}
    points = []
    for row in json.loads(PROBE.read_text(encoding="utf-8"))["rows"]:
        key = (row["id"], row.get("exponent", 0))
        if key in modelled and key[1] in exponents:
            points.append(Point(PROBE_LESSON, row["id"], key[1], row["us"], row["spread"], modelled[key]))
    return points

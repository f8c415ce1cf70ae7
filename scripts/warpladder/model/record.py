# SPDX-License-Identifier: MIT
"""`./course model --record`: measures the rungs of all lessons on a GPU and writes results/h200/rungs.json."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

from ..build import cmake
from ..build import lessons as lesson_build
from ..core.console import Console, CourseError
from ..core.paths import BUILD, ROOT
from ..results.saved import Document
from ..setup import machine, provision
from .points import MEASURED, load_measured

# What --record measures, and in how many runs of each program: two runs can differ by more than the samples of one.
EXPONENTS, SAMPLES, RUNS = (14, 16, 18, 20, 22, 24), 101, 3


def of_runs(runs: list[tuple[float, float]]) -> list[float]:
    """Median and spread of a rung from those of several runs. The spread is a run's, or how far the runs lie apart."""
    medians = [time for time, _ in runs]
    time = statistics.median(medians)
    spread = max(statistics.median(of_one for _, of_one in runs), (max(medians) - min(medians)) / time)
    return [round(time, 3), round(spread, 5)]


def measured_text(documents: list[Document]) -> str:
    """rungs.json from what the lesson programs wrote, a document for each run, lesson and size."""
    first = documents[0]
    if any(d["times"] != "measured" for d in documents):
        raise CourseError("--record needs a GPU: these times are modelled")
    runs: dict[tuple[str, str, str], list[tuple[float, float]]] = {}
    for d in sorted(documents, key=lambda d: (d["lesson"], d["n"])):
        for row in d["rows"]:
            if row["kind"] != "cpu" and "median_us" in row:
                key = (d["lesson"], row["id"], str(d["n"].bit_length() - 1))
                runs.setdefault(key, []).append((row["median_us"], row["spread"]))
    lessons: dict[str, dict[str, dict[str, list[float]]]] = {}
    for (lesson, rung, size), of_rung in runs.items():
        lessons.setdefault(lesson, {}).setdefault(rung, {})[size] = of_runs(of_rung)
    head = {
        "schema": 1,
        "kind": "rungs",
        "device": first["device"]["name"],
        "date": first["date"][:10],
        "revision": first["revision"],
        "command": "./course model --record --preset gpu",
        "type": first["type"],
        "block": first["block"],
        "times": "measured",
        "unit": "[median in us, spread as a share of it], L2 flushed before each sample",
        "runs": RUNS,
        "samples": SAMPLES,
        "exponents": sorted({d["n"].bit_length() - 1 for d in documents}),
    }
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    blocks = []
    for lesson, rungs in lessons.items():
        rows = ",\n".join(f"      {json.dumps(rung)}: {json.dumps(sizes)}" for rung, sizes in rungs.items())
        blocks.append(f"    {json.dumps(lesson)}: {{\n{rows}\n    }}")
    return "\n".join(["{", *lines, '  "lessons": {', ",\n".join(blocks), "  }", "}"]) + "\n"


def build_lessons(preset: str, use: str) -> Path:
    """The folder of the lesson programs, built."""
    env = machine.build_environment(provision.ensure_nvcc())
    jobs, settings = machine.default_jobs(), lesson_build.definitions(use)
    if not cmake.build(Console(), preset, "the lessons", jobs, env, target="lessons", definitions=settings):
        raise CourseError("the lessons were not built", exit_code=1)
    return BUILD / preset / "lessons"


def record_one(program: Path, exponent: int) -> Document:
    """What a lesson program measured at one size."""
    env = {**os.environ, "WARPLADDER_REVISION": machine.revision()}
    with tempfile.TemporaryDirectory() as out:
        file = Path(out) / "document.json"
        command = [str(program), "--n", f"2^{exponent}", "--reps", str(SAMPLES), "--json", str(file)]
        print(program.name, *command[1:5], flush=True)
        if not program.is_file() or subprocess.run(command, stdout=subprocess.DEVNULL, env=env).returncode != 0:
            raise CourseError(f"{program} is missing or failed")
        document: Document = json.loads(file.read_text(encoding="utf-8"))
    if document["times"] != "measured":
        raise CourseError("--record needs a GPU: these times are modelled (--preset gpu)")
    return document


def record(folder: Path) -> int:
    """Runs every lesson at every size, one after the other and all of that again, and writes rungs.json."""
    lessons = load_measured()["lessons"]
    documents = [record_one(folder / lesson, e) for _ in range(RUNS) for lesson in lessons for e in EXPONENTS]
    MEASURED.write_text(measured_text(documents), encoding="utf-8")
    print(f"written to {MEASURED.relative_to(ROOT)}")
    return 0

# SPDX-License-Identifier: MIT
"""Compare the emulator's modelled times with times measured on a GPU.

Runs the rungs of all lessons on the emulator at the sizes of results/h200/rungs.json, and the kernels of
tests/model/probe.cu (probe.json), and prints each modelled time beside the measured one. With --update the tables in
docs/emulator.md and the chart in results/emulator-h200 are replaced; with --check it fails if the model is worse than
the page promises. --calibrate shows what each constant comes from, --micro how well the model does on the kernels they
come from. --record, on a machine with a GPU, builds the lessons, measures the rungs there and writes rungs.json.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path

from ..build import cmake
from ..build import lessons as lesson_build
from ..core.console import Console, CourseError
from ..core.pages import replace_part
from ..core.paths import BUILD, RESULTS, ROOT, SCRIPTS
from ..setup import machine, provision
from . import calibration, contended, micro

PAGE = ROOT / "docs" / "emulator.md"
MEASURED = RESULTS / "h200" / "rungs.json"
PROBE = RESULTS / "h200" / "probe.json"
PROBE_LESSON = "probe"  # what stands where rungs have their lesson
CHART = RESULTS / "emulator-h200" / "model"
CLEAR = 0.05  # two rungs whose measured times differ by less have no order
EXPONENTS, SAMPLES = (14, 16, 18, 20, 22, 24), 21  # what --record measures
MOST_MEAN_ERROR, MOST_TIMES_OFF, MOST_WRONG = 0.25, 2.0, 0  # what --check lets pass; the last: pairs of rungs


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


@dataclass
class Judgement:
    mean_error: float  # geometric mean of how many times off, minus 1
    worst: Point
    pairs: int  # of rungs of one lesson, at one size, whose order is clear
    wrong: list[tuple[Point, Point]] = field(default_factory=list)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--preset", default="default", help="the build to use (default: %(default)s)")
    parser.add_argument("--sizes", help="powers of two, like 14,16,18 (default: all that were measured)")
    parser.add_argument(
        "--lessons", type=Path, metavar="DIR", help="where the lesson programs are (default: in the build)"
    )
    parser.add_argument(
        "--probe", type=Path, metavar="FILE", help="the program of tests/model/probe.cu (default: in the build)"
    )
    parser.add_argument("--check", action="store_true", help="fail if the model is worse than promised")
    parser.add_argument("--update", action="store_true", help="write the table into docs/emulator.md, and the chart")
    parser.add_argument("--calibrate", action="store_true", help="show what each constant comes from, and check it")
    parser.add_argument(
        "--micro", action="store_true", help="compare the micro-kernels instead (--update: on the page)"
    )
    parser.add_argument("--record", action="store_true", help="measure the rungs on this GPU (--preset gpu)")


def load_measured(path: Path = MEASURED) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def measured_text(documents: list[dict]) -> str:
    """rungs.json from what the lesson programs wrote, one document per lesson and size."""
    first = documents[0]
    if any(d["times"] != "measured" for d in documents):
        raise CourseError("--record needs a GPU: these times are modelled")
    lessons: dict[str, dict[str, dict[str, list[float]]]] = {}
    for d in sorted(documents, key=lambda d: (d["lesson"], d["n"])):
        for row in d["rows"]:
            if row["kind"] != "cpu" and "median_us" in row:
                sizes = lessons.setdefault(d["lesson"], {}).setdefault(row["id"], {})
                sizes[str(d["n"].bit_length() - 1)] = [round(row["median_us"], 3), round(row["spread"], 5)]
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


def record_one(program: Path, exponent: int) -> dict:
    """What a lesson program measured at one size."""
    env = {**os.environ, "WARPLADDER_REVISION": machine.revision()}
    with tempfile.TemporaryDirectory() as out:
        file = Path(out) / "document.json"
        command = [str(program), "--n", f"2^{exponent}", "--reps", str(SAMPLES), "--json", str(file)]
        print(program.name, *command[1:5], flush=True)
        if not program.is_file() or subprocess.run(command, stdout=subprocess.DEVNULL, env=env).returncode != 0:
            raise CourseError(f"{program} is missing or failed")
        document = json.loads(file.read_text(encoding="utf-8"))
    if document["times"] != "measured":
        raise CourseError("--record needs a GPU: these times are modelled (--preset gpu)")
    return document


def record(folder: Path) -> int:
    """Runs every lesson at every size, one after the other, and writes rungs.json."""
    documents = [record_one(folder / lesson, e) for lesson in load_measured()["lessons"] for e in EXPONENTS]
    MEASURED.write_text(measured_text(documents), encoding="utf-8")
    print(f"written to {MEASURED.relative_to(ROOT)}")
    return 0


def run_lesson(program: Path, exponent: int, block: int) -> tuple[dict[str, float], list[dict]]:
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


def limit_of(rung: str, launches: list[dict]) -> str:
    """What limits the longest launch of a rung's kernel for floats."""
    name = re.compile(rf"::{re.escape(rung)}(_alone)?<(.*\b)?float\b")
    own = [one for one in launches if name.search(one["kernel"])]
    if not own:
        return ""
    longest = max(own, key=lambda one: one["modelled_ns"])
    return f"{longest['limited_by']} {longest['percent']} %"


def collect(folder: Path, measured: dict, exponents: list[int]) -> list[Point]:
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


def judge(points: list[Point]) -> Judgement:
    errors = {point: abs(math.log(point.ratio)) for point in points}
    mean = math.exp(sum(errors.values()) / len(errors)) - 1
    judgement = Judgement(mean, max(errors, key=errors.__getitem__), 0)
    for a, b in combinations(points, 2):
        if a.lesson != b.lesson or a.exponent != b.exponent or "cub" in (a.rung, b.rung) or a.lesson == PROBE_LESSON:
            continue
        difference = abs(a.measured - b.measured) / min(a.measured, b.measured)
        if difference <= max(CLEAR, a.spread + b.spread):
            continue
        judgement.pairs += 1
        if (a.measured - b.measured) * (a.modelled - b.modelled) <= 0:
            judgement.wrong.append((a, b))
    return judgement


def brief(us: float) -> str:
    return f"{us:.3g}" if us < 1000 else f"{us:.0f}"


def table(points: list[Point]) -> str:
    exponents = sorted({point.exponent for point in points})
    heads = [f"2^{e}" for e in exponents]
    lines = [
        "| rung | " + " | ".join(heads) + f" | limited by, at 2^{exponents[-1]} |",
        "| --- |" + " ---: |" * len(heads) + " --- |",
    ]
    rungs: dict[tuple[str, str], dict[int, Point]] = {}
    for point in points:
        rungs.setdefault((point.lesson, point.rung), {})[point.exponent] = point
    for (lesson, rung), sizes in rungs.items():
        cells = [
            f"{brief(sizes[e].modelled)} / {brief(sizes[e].measured)} ({sizes[e].ratio:.2f})" if e in sizes else ""
            for e in exponents
        ]
        limit = sizes[exponents[-1]].limit if exponents[-1] in sizes else ""
        name = "CUB" if rung == "cub" else f"`{rung}`" if lesson == PROBE_LESSON else f"{lesson[:2]} `{rung}`"
        lines.append(f"| {name} | " + " | ".join(cells) + f" | {limit} |")
    return "\n".join(lines) + "\n"


def summary(judgement: Judgement, points: list[Point]) -> str:
    worst = judgement.worst
    off = max(worst.ratio, 1 / worst.ratio)
    wrong = len(judgement.wrong)
    text = (
        f"{len(points)} times: off by {100 * judgement.mean_error:.0f} % (geometric mean), the worst by {off:.2f} "
        f"times (`{worst.rung}` at 2^{worst.exponent})."
    )
    if worst.lesson == PROBE_LESSON:
        return text
    text += (
        f" Of {judgement.pairs} pairs of rungs of one lesson whose order "
        f"is clear (over {100 * CLEAR:.0f} % and over the spread apart), {wrong or 'none'} "
        f"{'comes' if wrong < 2 else 'come'} out in the wrong order"
    )
    if not wrong:
        return text + "."
    names: dict[tuple[str, str], list[str]] = {}
    for a, b in judgement.wrong:
        names.setdefault((a.rung, b.rung), []).append(f"2^{a.exponent}")
    return text + ": " + "; ".join(f"`{a}` and `{b}` at {', '.join(at)}" for (a, b), at in names.items()) + "."


def broken_promises(judgement: Judgement) -> list[str]:
    worst = judgement.worst
    found = []
    if judgement.mean_error > MOST_MEAN_ERROR:
        found.append(f"the mean error is {100 * judgement.mean_error:.0f} %")
    if max(worst.ratio, 1 / worst.ratio) > MOST_TIMES_OFF:
        found.append(f"{worst.rung} at 2^{worst.exponent} is {worst.ratio:.2f} times the measured time")
    if len(judgement.wrong) > MOST_WRONG:
        found.append(f"{len(judgement.wrong)} of {judgement.pairs} pairs of rungs are in the wrong order")
    return found


def publish(text: str, points: list[Point], python: str) -> None:
    """Writes the page and the data of the chart, and has the chart drawn by an interpreter that can."""
    PAGE.write_text(replace_part(PAGE.read_text(encoding="utf-8"), "model", text), encoding="utf-8")
    rows = ",\n".join("    " + json.dumps(asdict(point)) for point in points)
    data = CHART.with_suffix(".json")
    data.write_text(f'{{\n  "kind": "model",\n  "points": [\n{rows}\n  ]\n}}\n', encoding="utf-8")
    draw = [python, "-m", "warpladder.charts.model", str(data), str(MEASURED)]
    result = subprocess.run(draw, cwd=SCRIPTS, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise CourseError(f"the chart was not drawn: {result.stderr.strip()}")
    print(f"written to {PAGE.relative_to(ROOT)} and {CHART.relative_to(ROOT)}.svg")


def compare_micro(options: argparse.Namespace) -> int:
    text = micro.text(micro.compare(micro.modelled(options.preset), micro.measured()))
    print(text, end="")
    if options.update:
        PAGE.write_text(replace_part(PAGE.read_text(encoding="utf-8"), "micro", text), encoding="utf-8")
    return 0


def run(options: argparse.Namespace) -> int:
    if options.calibrate:
        return calibration.run()
    if options.micro:
        return compare_micro(options)
    if options.record:
        return record(options.lessons or build_lessons(options.preset, machine.RUN_GPU))
    measured = load_measured()
    known = measured["exponents"]
    try:
        exponents = [int(e) for e in options.sizes.split(",")] if options.sizes else known
    except ValueError:
        raise CourseError(f"--sizes {options.sizes}: wants powers of two, like 14,16") from None
    if unknown := [e for e in exponents if e not in known]:
        raise CourseError(f"nothing was measured at 2^{unknown[0]}; there are {', '.join(map(str, known))}")
    python = provision.find_charts_python() if options.update else ""
    if python is None:
        raise CourseError(provision.CHARTS_HELP, exit_code=3)
    points = collect(options.lessons or build_lessons(options.preset, machine.RUN_EMULATED), measured, exponents)
    program = options.probe or probe_program(options.preset)
    probe = collect_probe(program, exponents)
    judgements = [judge(points), judge(probe)]
    source = (
        f"Modelled / measured microseconds, and their ratio. Measured on {measured['device']}, {measured['date']}, "
        f"revision {measured['revision']}: `{measured['command']}`, {measured['type']}, blocks of {measured['block']}."
    )
    text = (
        f"{source}\n\nThe rungs. {summary(judgements[0], points)}\n\n{table(points)}\n"
        f"Kernels of `tests/model/probe.cu`, which no constant was taken from. {summary(judgements[1], probe)}\n\n"
        f"{table(probe)}\n{contended.table()}"
    )
    print(text, end="")
    if options.update:
        publish(text, points + probe, python)
    if options.check and (broken := [b for judgement in judgements for b in broken_promises(judgement)]):
        raise CourseError("; ".join(broken), exit_code=1)
    return 0

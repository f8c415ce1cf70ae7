# SPDX-License-Identifier: MIT
"""Runs the kernels of tests/timing_set on the emulator, and compares what it models with what was measured.

Of the set that is only judged no single kernel is printed: whoever changes the model must not look at it.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ..core.console import CourseError
from ..core.pages import replace_part
from ..core.paths import BUILD, RESULTS, SCRIPTS
from ..setup import machine, provision
from .judge_set import DRAM, L1_RATE, L2_RATE, Judgement, Point, Share, broken_promises, judge, steady
from .page import PAGE
from .timing_set import (
    HALVES,
    JUDGE,
    LEARN,
    PROGRAMS,
    RETIRED,
    SINGLE,
    Case,
    Kernel,
    Program,
    halves,
    listed,
    load_measured,
)

REPORT = RESULTS / "emulator-h200" / "timing_set.json"
Figures = dict[str, Any]
COUNTERS = (L1_RATE, L2_RATE, *DRAM)  # that the report has of each case, in this order

# How kernels were judged before the model was changed for what they showed: kept in the report, and told on the page.
JUDGED_SET = "exams"  # whose first half is learned from
AT_FIRST, JUDGED = f"{JUDGED_SET}_learned_judgement", f"{JUDGED_SET}_judgement"
JUDGEMENTS = {
    "first_judgement": "While the retired half of the set `first` was still judged only",
    "fresh_judgement": "While the set `fresh` was still judged only",
    "unseen_judgement": "While all of the set `unseen` was still judged only",
    "strangers_judgement": "While the set `strangers` was still judged only",
    "unseen_half_judgement": "When the second half of the set `unseen` was judged for the last time",
    "newcomers_learned_judgement": "When the half `learn` of the set `newcomers` was seen for the first time",
    "newcomers_judgement": "When the second half of the set `newcomers` was judged for the first time",
    "textbook_learned_judgement": "When the half `learn` of the set `textbook` was seen for the first time",
    "textbook_judgement": "When the second half of the set `textbook` was judged for the first time",
    "classroom_learned_judgement": "When the half `learn` of the set `classroom` was seen for the first time",
    "classroom_judgement": "When the second half of the set `classroom` was judged for the first time",
    "seminar_learned_judgement": "When the half `learn` of the set `seminar` was seen for the first time",
    "seminar_judgement": "When the second half of the set `seminar` was judged for the first time",
    "homework_learned_judgement": "When the half `learn` of the set `homework` was seen for the first time",
    "homework_judgement": "When the half `judge` of the set `homework` was judged for the first time",
    AT_FIRST: f"When the half `learn` of the set `{JUDGED_SET}` was seen for the first time",
    JUDGED: f"When the half `judge` of the set `{JUDGED_SET}` was judged for the first time",
}


def program(preset: str, of: Program) -> Path:
    """Built, if there is a build folder and it is not up to date."""
    file = BUILD / preset / "programs" / "model" / of.name
    if (BUILD / preset / "CMakeCache.txt").is_file():
        command = ["cmake", "--build", str(BUILD / preset), "--target", of.name]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise CourseError(f"{of.name} could not be built: {done.stdout.strip()[-500:]}")
    if not file.is_file():
        raise CourseError(f"{file} is missing; run `./course test` first", exit_code=3)
    return file


def kernels_of(file: Path) -> list[Kernel]:
    return listed(subprocess.run([str(file), "--list"], capture_output=True, text=True, check=True).stdout)


def emulated(file: Path, kernels: list[str]) -> list[tuple[Case, float, dict[str, Any]]]:
    """Of each case of these kernels: its modelled microseconds, and what the emulator says of the launch."""
    with tempfile.TemporaryDirectory() as folder:
        document, counters = Path(folder) / "times.json", Path(folder) / "counters.json"
        words = [word for kernel in kernels for word in ("--kernel", kernel)]
        environment = {**os.environ, "WARPLADDER_COUNTERS": str(counters), "WARPLADDER_DEVICE": "h200"}
        command = [str(file), *words, "--json", str(document)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if done.returncode != 0:
            raise CourseError(f"{file.name} failed: {done.stderr.strip()}")
        data = json.loads(document.read_text(encoding="utf-8"))
        if data["times"] != "modelled":
            raise CourseError(f"{file.name} was not run on the emulator")
        launches = json.loads(counters.read_text(encoding="utf-8"))["launches"]
    if len(launches) != len(data["rows"]):
        raise CourseError(f"{len(launches)} launches for {len(data['rows'])} cases: {', '.join(kernels)}")
    return [(Case.of(row), row["us"], launch) for row, launch in zip(data["rows"], launches, strict=True)]


def collect(preset: str, half: str | None = None) -> list[Point]:
    """Of all kernels that were measured, or of those of one half."""
    wanted = [of for of in PROGRAMS.values() if (of.measured.is_file() if half is None else half in of.halves)]
    return [point for of in wanted for point in collected(of, program(preset, of), half)]


def collected(of: Program, file: Path, half: str | None) -> list[Point]:
    measured = {Case.of(row): row for row in load_measured(of)["rows"]}
    known = halves(of) if of.split else {}

    def half_of(kernel: str) -> str:
        return known.get(kernel, of.halves[0])

    families: dict[str, list[str]] = {}
    for kernel in kernels_of(file):
        if half in (None, half_of(kernel.id)):
            families.setdefault(kernel.family, []).append(kernel.id)
    points = []
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for found in pool.map(lambda own: emulated(file, own), families.values()):
            for case, us, launch in found:
                if case not in measured:
                    raise CourseError(f"{case} was not measured: `python3 scripts/timing_set.py measure`, on a GPU")
                row, model = measured[case], launch["model"]
                here = {**launch["launch"], **launch["counters"]}
                limit = f"{model['limited_by']} {model['percent']} %"
                there = row.get("counters", {})
                times = (row["us"], row["spread"], us)
                points.append(Point(case, half_of(case.kernel), *times, limit, there, here, row.get("readings", {})))
    return points


def figures(judgement: Judgement) -> Figures:
    """What the report keeps of a half."""
    return {
        "kernels": judgement.kernels,
        "cases": judgement.cases,
        "mean_off": round(judgement.mean, 4),
        "within": [judgement.within.good, judgement.within.all],
        "worst": round(judgement.worst.off, 4),
        "pairs": [judgement.pairs.good, judgement.pairs.all],
        "counters": {name: [share.good, share.all] for name, share in judgement.counters.items()},
    }


def summary_table(by_half: dict[str, Figures]) -> str:
    halves = list(by_half.values())
    rows: dict[str, list[str]] = {
        "kernels, cases": [f"{half['kernels']}, {half['cases']}" for half in halves],
        "times off by (geometric mean)": [f"{half['mean_off']:.2f}×" for half in halves],
        "times within 1.5×": [str(Share(*half["within"])) for half in halves],
        "worst": [f"{half['worst']:.2f}×" for half in halves],
        "clear pairs of a family in the right order": [str(Share(*half["pairs"])) for half in halves],
    }
    for name in ("L1 hit rate", "L2 hit rate", "DRAM bytes"):
        right = "within 10 %" if name == "DRAM bytes" else "within 5 points"
        rows[f"kernels: {name} {right}"] = [str(Share(*half["counters"][name])) for half in halves]
    lines = ["| | " + " | ".join(by_half) + " |", "| --- |" + " ---: |" * len(by_half)]
    return "\n".join([*lines, *(f"| {name} | {' | '.join(cells)} |" for name, cells in rows.items())]) + "\n"


def page_part(report: dict[str, Any]) -> str:
    """What docs/emulator.md says of a report."""
    retired = {what: report[key] for key, what in JUDGEMENTS.items() if key in report}
    lines = [
        summary_table(report["halves"]),
        *_steadiness(report.get("steady", {})),
        *(
            f"{what}, its times were off by {before['mean_off']:.2f}×, "
            f"{Share(*before['within'])} of them within 1.5×, the worst by {before['worst']:.2f}×; "
            f"{Share(*before['pairs'])} of its pairs were in the right order. Of its kernels, {_counters_then(before)} "
            f"(revision {before['revision']}).\n"
            for what, before in retired.items()
        ),
        *(
            f"*Measured on {measured['device']}, {measured['date']}, revision {measured['revision']}: "
            f"`{measured['command']}`.*"
            for measured in report["measured"].values()
        ),
        f"*Modelled by revision {report['revision']}: `{report['command']}`.*\n",
    ]
    return "\n".join(lines)


def _steadiness(steady: dict[str, list[int]]) -> list[str]:
    if not any(of for _, of in steady.values()):
        return []
    shares = [str(Share(*share)) for share in steady.values()]
    return [
        "Of the kernels that were read several times, each reading agrees with the median, by the same rule, for "
        f"{shares[0]} in the L1 hit rate, for {shares[1]} in the L2 hit rate and for {shares[2]} in the DRAM bytes.\n"
    ]


def _counters_then(judged: Figures) -> str:
    shares = [str(Share(*share)) for share in judged["counters"].values()]
    return (
        f"{shares[0]} had the right L1 hit rate, {shares[1]} the right L2 hit rate and {shares[2]} the right DRAM bytes"
    )


def judgements_kept(before: dict[str, Any], points: list[Point]) -> dict[str, Figures]:
    """How kernels were judged at first, as the report that is there has it; those that it has no judgement of are
    judged now."""
    kept: dict[str, Figures] = {key: before[key] for key in JUDGEMENTS if key in before}
    own = halves(PROGRAMS[JUDGED_SET])
    for key, half in ((AT_FIRST, LEARN), (JUDGED, JUDGE)):
        if some := [] if key in kept else [point for point in points if own.get(point.case.kernel) == half]:
            kept[key] = {"revision": machine.revision(), **figures(judge(some))}
    return {key: kept[key] for key in JUDGEMENTS if key in kept}


def kernel_table(points: list[Point]) -> str:
    """Case by case: modelled / measured (ratio), what limits it, and hit rates and bytes here / there."""
    lines = ["| case | us | ratio | limited by | L1 % | L2 % | DRAM kB |", "| --- |" + " ---: |" * 6]
    for point in sorted(points, key=lambda p: (p.case.family, p.case.kernel, p.case.n, p.case.cache)):
        cells = [_beside(point, (L1_RATE,), 1), _beside(point, (L2_RATE,), 1), _beside(point, DRAM, 1000)]
        times = f"{point.modelled:.4g} / {point.measured:.4g} | {point.ratio:.2f}"
        lines.append(f"| {point.case.family}: {point.case} | {times} | {point.limit} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _beside(point: Point, names: tuple[str, ...], unit: float) -> str:
    def sum_of(counters: dict[str, float]) -> str:
        known = all(name in counters for name in names)
        return f"{sum(counters[name] for name in names) / unit:.0f}" if known else "-"

    return f"{sum_of(point.here)} / {sum_of(point.there)}"


def document(
    points: list[Point], judgements: dict[str, Judgement], measured: dict[str, Any], before: dict[str, Any]
) -> str:
    head = {
        "schema": "warpladder-timing-report/3",
        "revision": machine.revision(),
        "command": "python3 scripts/timing_set.py compare --update",
        "measured": {
            name: {key: one[key] for key in ("device", "date", "revision", "command")} for name, one in measured.items()
        },
        "halves": {half: figures(judgement) for half, judgement in judgements.items()},
        **judgements_kept(before, points),
        "steady": {name: [share.good, share.all] for name, share in steady(points).items()},
        "counters": COUNTERS,
    }
    rows = [
        {
            "half": point.half,
            **vars(point.case),
            "measured_us": point.measured,
            "modelled_us": point.modelled,
            "limit": point.limit,
            "measured": [point.there.get(name) for name in COUNTERS],
            "modelled": [point.here.get(name) for name in COUNTERS],
        }
        for point in points
    ]
    return _written(head, rows)


def _written(head: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)  # there are thousands of them
    start = json.dumps(head, indent=2)[: -len("\n}")]
    return f'{start},\n  "points": [\n{lines}\n  ]\n}}\n'


def draw(python: str) -> None:
    command = [python, "-m", "warpladder.charts.timing_set", str(REPORT)]
    done = subprocess.run(command, cwd=SCRIPTS, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CourseError(f"the chart could not be drawn: {done.stderr.strip()}")


def first_sight(preset: str) -> int:
    """Judges the half of the set that will be learned from, once, before anybody does; the other is not run."""
    before = json.loads(REPORT.read_text(encoding="utf-8"))
    if AT_FIRST in before:
        raise CourseError(f"seen before, by revision {before[AT_FIRST]['revision']}: {REPORT.name} has it")
    of = PROGRAMS[JUDGED_SET]
    points = collected(of, program(preset, of), LEARN)
    kept = judgements_kept(before, points)
    rows = before.pop("points")
    REPORT.write_text(_written({**before, **kept}, rows), encoding="utf-8")
    print(summary_table({"at first sight": kept[AT_FIRST]}), end="")
    return 0


def run(preset: str, half: str | None, update: bool, check: bool) -> int:
    if half and (update or check):
        raise CourseError("--update and --check take all kernels: leave --half out", exit_code=2)
    python = provision.find_charts_python() if update else ""
    if python is None:
        raise CourseError(provision.CHARTS_HELP, exit_code=3)
    points = collect(preset, half)
    own = {name: [point for point in points if point.half == name] for name in HALVES}
    judgements = {name: judge(some) for name, some in own.items() if some}
    if may_be_seen := own[LEARN] + own[RETIRED] + own[SINGLE]:
        print(kernel_table(may_be_seen))
    print(summary_table({name: figures(judgement) for name, judgement in judgements.items()}), end="")
    if (update or check) and JUDGE not in judgements:
        raise CourseError("the kernels to judge by are not measured: `python3 scripts/timing_set.py measure`, on a GPU")
    if update:
        before = json.loads(REPORT.read_text(encoding="utf-8"))
        measured = {name: load_measured(of) for name, of in PROGRAMS.items()}
        text = document(points, judgements, measured, before)
        REPORT.write_text(text, encoding="utf-8")
        page = replace_part(PAGE.read_text(encoding="utf-8"), "timing-set", page_part(json.loads(text)))
        PAGE.write_text(page, encoding="utf-8")
        draw(python)
    broken = broken_promises(judgements[JUDGE]) if check else []
    if broken:
        raise CourseError("; ".join(broken))
    return 0

# SPDX-License-Identifier: MIT
"""Measures the kernels of tests/timing_set on this machine's GPU: their times, and Nsight Compute's counters.

The program sets the cache up before each launch and lets the profiler see that launch alone, so Nsight Compute must not
touch the cache itself. That holds for metrics that it gets in one pass only: where it takes several it repeats the
launch, and the second finds what the first left. So metrics of the caches are asked for in groups of one pass each.

What the caches do is not the same each time: it depends on where in physical memory the arrays lie, and on what else
the GPU does meanwhile. So these metrics are read several times, by the same program started anew: a row keeps every
reading, and the median of them among its counters.
"""

from __future__ import annotations

import csv
import datetime
import json
import os
import re
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ..core.console import CourseError
from ..core.paths import BUILD, ROOT
from ..setup import machine
from .judge_set import L2_RATE, Readings
from .timing_set import JUDGE, PROGRAMS, Case, Program, halves

# What depends on what the caches hold: in one pass, whatever the case. The hit rate of L2 is not among them, since it
# takes two passes: it is worked out from what was hit in one and what was asked for in another, both as the cache was.
HIT, SECTORS, OF_SMS = "lts__t_sectors_lookup_hit.sum", "lts__t_sectors.sum", "lts__t_sectors_srcunit_tex.sum"
CACHES = (
    (SECTORS, OF_SMS, "dram__bytes_read.sum", "dram__bytes_write.sum"),
    (HIT,),
    ("l1tex__t_sector_hit_rate.pct", "l1tex__t_sectors.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", "gpu__time_duration.sum"),
)  # fmt: skip
# What does not: in as many passes as it takes, and of one launch of each kernel only.
OTHERS = (
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "smsp__inst_executed.sum",
    "smsp__thread_inst_executed.sum",
    "smsp__inst_executed_pipe_alu.sum",
    "smsp__inst_executed_pipe_fma.sum",
    "smsp__inst_executed_pipe_fp64.sum",
    "smsp__inst_executed_pipe_xu.sum",
    "smsp__inst_executed_pipe_lsu.sum",
    "smsp__inst_issued.sum",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "sm__cycles_active.avg",
    "sm__cycles_active.max",
    "sm__cycles_active.min",
    "launch__registers_per_thread",
    "launch__shared_mem_per_block_static",
    "launch__occupancy_limit_registers",
    "launch__waves_per_multiprocessor",
)
Run = Callable[[Sequence[str]], "subprocess.CompletedProcess[str]"]


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def find_ncu() -> str:
    found = shutil.which("ncu") or next(iter(sorted(Path("/opt/nvidia/nsight-compute").glob("*/ncu"))), None)
    if not found:
        raise CourseError("Nsight Compute (ncu) was not found", exit_code=3)
    return str(found)


def gpu_facts() -> tuple[str, str, str]:
    """Name, driver and compute capability ("90")."""
    try:
        asked = _run(["nvidia-smi", "--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader"])
    except OSError:
        asked = None
    if not asked or asked.returncode != 0 or not asked.stdout.strip():
        raise CourseError("nvidia-smi lists no GPU; this command measures on one", exit_code=3)
    name, driver, capability = (word.strip() for word in asked.stdout.splitlines()[0].split(","))
    return name, driver, capability.replace(".", "")


def build(of: Program, capability: str, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / of.name
    library = ("timing.cpp", "flushing.cpp", "device.cpp", "reading.cu")
    sources = [*of.sources, *(ROOT / "common" / "library" / name for name in library)]
    flags = ["-std=c++20", "-O3", "-lineinfo", "-I.", "-gencode", f"arch=compute_90,code=sm_{capability}"]
    flags += ["-Xcompiler", "-O1", "--threads", "0"]  # what runs on the host only checks
    done = _run(["nvcc", *flags, *map(str, sources), "-o", str(program)])
    if done.returncode != 0:
        raise CourseError(f"nvcc failed: {done.stderr.strip()}", exit_code=1)
    return program


class Profiler:
    """Asks Nsight Compute for metrics of the cases of a program."""

    def __init__(self, ncu: str, program: Path, folder: Path, sample: str, run: Run = _run) -> None:
        self._ncu, self._program, self._folder, self._sample, self._run = ncu, program, folder, sample, run
        self.left_out: list[str] = []  # metrics that this ncu does not know

    def _profile(self, metrics: Sequence[str], words: Sequence[str]) -> tuple[bool, str]:
        command = [self._ncu, "--clock-control", "none", "--cache-control", "none", "--profile-from-start", "off"]
        command += ["--force-overwrite", "--metrics", ",".join(metrics), "-o", str(self._folder / "report")]
        done = self._run([*command, str(self._program), "--profile", *words])
        text = done.stdout + done.stderr
        return done.returncode == 0 and "==ERROR==" not in text, text

    def known(self, metrics: Sequence[str]) -> tuple[list[str], int]:
        """Those of the metrics that this ncu knows, and in how many passes it gets them."""
        asked = list(metrics)
        while asked:
            good, text = self._profile(asked, ["--quick", "--kernel", self._sample, "--json", os.devnull])
            if good:
                passes = [int(number) for number in re.findall(r"- (\d+) pass", text)]
                return asked, max(passes, default=1)
            # It names what it does not know, with or without what follows the dot.
            errors = "\n".join(line for line in text.splitlines() if "rror" in line or "ailed" in line)
            unknown = [metric for metric in asked if re.search(rf"\b{re.escape(metric.partition('.')[0])}\b", errors)]
            if not unknown:
                raise CourseError(f"ncu failed: {text.strip()[-800:]}", exit_code=1)
            self.left_out += unknown
            asked = [metric for metric in asked if metric not in unknown]
        return [], 0

    def groups_of_one_pass(self, metrics: Sequence[str]) -> Iterator[list[str]]:
        asked, passes = self.known(metrics)
        if passes <= 1:
            if asked:
                yield asked
            return
        if len(asked) == 1:
            raise CourseError(f"ncu takes {passes} passes for {asked[0]}, so it cannot be had of a warm cache")
        middle = (len(asked) + 1) // 2
        yield from self.groups_of_one_pass(asked[:middle])
        yield from self.groups_of_one_pass(asked[middle:])

    def values(self, metrics: Sequence[str], words: Sequence[str]) -> list[tuple[Case, dict[str, float]]]:
        """The metrics of every case that the program runs with these options."""
        listing = self._folder / "cases.json"
        good, text = self._profile(metrics, [*words, "--json", str(listing)])
        if not good:
            raise CourseError(f"ncu failed: {text.strip()[-800:]}", exit_code=1)
        page = ["--page", "raw", "--csv", "--print-units", "base"]
        shown = self._run([self._ncu, "--import", str(self._folder / "report.ncu-rep"), *page])
        found = read_raw(shown.stdout, metrics)
        cases = [Case.of(row) for row in json.loads(listing.read_text(encoding="utf-8"))["rows"]]
        if len(found) != len(cases):
            raise CourseError(f"ncu saw {len(found)} launches of {len(cases)} cases", exit_code=1)
        return list(zip(cases, found, strict=True))


def read_raw(text: str, metrics: Sequence[str]) -> list[dict[str, float]]:
    """The rows of Nsight Compute's raw page: names, then units, then a row for each launch."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    rows = list(csv.reader(lines[start:]))
    if not rows:
        return []
    columns = {metric: rows[0].index(metric) for metric in metrics if metric in rows[0]}
    found = []
    for row in rows[2:]:
        values = {metric: row[at].replace(",", "") for metric, at in columns.items()}
        found.append({metric: float(value) for metric, value in values.items() if re.fullmatch(r"[\d.eE+-]+", value)})
    return found


def timed(program: Path, folder: Path) -> tuple[list[dict[str, Any]], str]:
    """The rows of the cases whose results were right, and what the program says of the others."""
    file = folder / "times.json"
    file.unlink(missing_ok=True)
    done = _run([str(program), "--json", str(file)])
    if not file.is_file():
        raise CourseError(f"{program.name} failed: {done.stderr.strip()}", exit_code=1)
    data = json.loads(file.read_text(encoding="utf-8"))
    if data["times"] != "measured":
        raise CourseError(f"{program.name} ran on the emulator, not on a GPU", exit_code=3)
    return data["rows"], done.stderr.strip()


def profiled(
    profiler: Profiler,
    rows: list[dict[str, Any]],
    others: Sequence[str],
    until: float,
    say: Callable[[str], None],
    readings: int = 1,
) -> None:
    """Puts the counters that are missing into the rows of the cases; begins with no further group after `until`.
    `others`: the kernels of which those are asked for that do not depend on the caches. `readings`: how many there are
    to be of those that do."""
    by_case = {Case.of(row): row for row in rows}
    for row in rows:
        row.setdefault("counters", {})
        take_apart(row)

    def in_time(metrics: Sequence[str]) -> bool:
        there_is = time.monotonic() <= until
        if not there_is:
            say(f"no time left for {', '.join(metrics)}")
        return there_is

    def ask(metrics: Sequence[str], words: Sequence[str]) -> Iterator[tuple[dict[str, Any], dict[str, float]]]:
        begun = time.monotonic()
        for case, values in profiler.values(metrics, words):
            if case in by_case:  # else its result was wrong
                yield by_case[case], values
        say(f"{', '.join(metrics)}: {time.monotonic() - begun:.0f} s")

    def had(metrics: Sequence[str]) -> int:
        return max((len(row["readings"].get(metric, ())) for row in rows for metric in metrics), default=0)

    lacking = [(had(metrics), metrics) for metrics in CACHES if had(metrics) < readings]
    groups = [(there, group) for there, metrics in lacking for group in profiler.groups_of_one_pass(metrics)]
    for turn in range(readings):
        for group in (group for there, group in groups if there <= turn and in_time(group)):
            for row, values in ask(group, []):
                for metric, value in values.items():
                    row["readings"].setdefault(metric, []).append(value)
    missing = not any(metric in row["counters"] for metric in OTHERS for row in rows)
    known, passes = profiler.known(OTHERS) if others and missing else ([], 0)
    if known and in_time(known):
        say(f"{passes} passes for what does not depend on the caches")
        for row, values in ask(known, ["--once", *(word for kernel in others for word in ("--kernel", kernel))]):
            row["counters"].update(values)
    for row in rows:
        put_together(row)
    say(f"not known here: {', '.join(profiler.left_out) or 'none'}")


def take_apart(row: dict[str, Any]) -> None:
    """What was read once only is the first reading of what may be read again."""
    counters, readings = row["counters"], row.setdefault("readings", {})
    counters.pop(L2_RATE, None)
    readings.pop(L2_RATE, None)
    for metric in (metric for metrics in CACHES for metric in metrics if metric in counters):
        value = counters.pop(metric)
        readings.setdefault(metric, [value])


def put_together(row: dict[str, Any]) -> None:
    """The medians, and the readings where there are several."""
    readings: Readings = row.pop("readings")
    if rates := rates_of_l2(readings):
        readings[L2_RATE] = rates
    medians = {metric: statistics.median(values) for metric, values in readings.items()}
    row["counters"] = {**medians, **row["counters"]}
    if several := {metric: values for metric, values in readings.items() if len(values) > 1}:
        row["readings"] = several


def may_be_seen(of: Program, kernels: set[str]) -> list[str]:
    """Those of which counters say why a time is what it is: nobody looks into what is judged."""
    half_of = halves(of) if JUDGE in of.halves else {}
    return sorted(kernel for kernel in kernels if half_of.get(kernel) != JUDGE)


def rates_of_l2(readings: Readings) -> list[float]:
    """L2's hit rate, where the multiprocessors ask for a good part of its sectors: of a launch that hardly uses memory
    most are other units', and not the same in the pass that counts the hits."""
    of_sms = statistics.median(readings.get(OF_SMS, [0]))
    both = list(zip(readings.get(HIT, ()), readings.get(SECTORS, ()), strict=False))
    if not all(of_sms * 4 >= sectors > 0 for _, sectors in both):
        return []
    return [min(100.0, round(100 * hits / sectors, 2)) for hits, sectors in both]


def continued(file: Path) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """What was measured before, without counters that are no longer asked for."""
    data = json.loads(file.read_text(encoding="utf-8"))
    wanted = {metric for metrics in (*CACHES, OTHERS) for metric in metrics}
    for row in data["rows"]:
        for kept in ("counters", "readings"):
            row[kept] = {name: value for name, value in row.get(kept, {}).items() if name in wanted}
    facts = {key: data[key] for key in ("device", "driver", "date", "revision", "command", "ncu") if key in data}
    return data["rows"], facts


def document(rows: list[dict[str, Any]], facts: dict[str, str]) -> str:
    """A case in a line: what changed from one run to another can be seen."""
    head = {"schema": "warpladder-timing-set/1", **facts, "times": "measured"}
    lines = ",\n".join("    " + json.dumps(row) for row in rows)
    start = json.dumps(head, indent=2)[: -len("\n}")]
    return f'{start},\n  "rows": [\n{lines}\n  ]\n}}\n'


def measured_anew(
    program: Path, folder: Path, name: str, driver: str, which: str, revision: str | None
) -> tuple[list[dict[str, Any]], dict[str, str], str]:
    facts = {
        "device": name,
        "driver": driver,
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "revision": revision or machine.revision(),
        "command": f"python3 scripts/timing_set.py measure --set {which}",
    }
    rows, wrong = timed(program, folder)
    return rows, facts, wrong


def measure(
    which: str,
    output: Path | None,
    before: Path | None,
    counters: bool,
    seconds: float,
    say: Callable[[str], None],
    revision: str | None = None,
    readings: int = 1,
) -> None:
    """`revision`: that of the sources, where git does not know it."""
    of = PROGRAMS[which]
    output = output or of.measured
    name, driver, capability = gpu_facts()
    ncu = find_ncu() if counters else ""
    folder = BUILD / "timing-set"
    begun = time.monotonic()
    program = build(of, capability, folder)
    say(f"built in {time.monotonic() - begun:.0f} s")
    wrong = ""
    if before:
        rows, facts = continued(before)
    else:
        rows, facts, wrong = measured_anew(program, folder, name, driver, which, revision)
    say(f"{len(rows)} cases, {time.monotonic() - begun:.0f} s since the start")
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(document(rows, facts), encoding="utf-8")  # if the profiler fails, the times are there
    if counters:
        facts["ncu"] = _run([ncu, "--version"]).stdout.strip().splitlines()[-1]
        try:
            others = may_be_seen(of, {row["kernel"] for row in rows})
            profiled(Profiler(ncu, program, folder, of.sample), rows, others, begun + seconds, say, readings)
        finally:
            output.write_text(document(rows, facts), encoding="utf-8")
    say(f"written: {output}, {time.monotonic() - begun:.0f} s since the start")
    if wrong:
        raise CourseError(wrong, exit_code=1)

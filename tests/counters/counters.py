#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counters of the emulator against those of Nsight Compute, micro-kernel by micro-kernel.

counters.py metrics                      the names that Nsight Compute is asked for, from counters.def
counters.py convert --raw ... --output   Nsight Compute's CSV pages -> the JSON that is committed
counters.py compare PROGRAM              run it on the emulator; exit code 1 if a counter that must agree does not
counters.py table PROGRAM [--update]     the same as tables; --update writes them into docs/emulator.md
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
DEF = ROOT / "emulator" / "counters" / "counters.def"
RECORDED = Path(__file__).with_name("h200.json")
PAGE = ROOT / "docs" / "emulator.md"

# What depends on the instructions that ptxas chooses, not on memory: bounded, not equal.
INSTRUCTIONS = re.compile(r"_inst_executed\.sum$|_thread_inst_executed(_pred_on)?\.sum$")
BRANCHES = re.compile(r"branch_targets")
RATIO = (0.5, 1.75)  # instructions here / there, of each kernel
BRANCHES_APART = 3  # per warp
# Recorded beside the counters: the same counted by the hardware instead of the patched code, and what explains others.
EXTRA = [
    "smsp__inst_executed.sum",
    "smsp__thread_inst_executed.sum",
    "smsp__thread_inst_executed_pred_on.sum",
    "smsp__sass_inst_executed_op_branch.sum",
    "smsp__sass_inst_executed_op_global_ld.sum",
    "smsp__sass_inst_executed_op_global_st.sum",
    "smsp__sass_inst_executed_op_global_atom.sum",
    "smsp__sass_inst_executed_op_global_red.sum",
    "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum",
    "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_atom.sum",
    "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_red.sum",
    "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "smsp__sass_thread_inst_executed_op_inter_thread_communication_pred_on.sum",
]
# Counters that Nsight Compute derives from its counts per instruction: it gives them with the section SourceCounters,
# some under another name, and does not know them as metrics.
RAW_NAME = {
    "smsp__sass_sectors_mem_global_ideal.sum": "memory_l2_theoretical_sectors_global_ideal",
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal.sum": "memory_l1_wavefronts_shared_ideal",
}
DERIVED = [
    "derived__memory_l1_wavefronts_shared_excessive",
    "derived__memory_l2_theoretical_sectors_global_excessive",
    "memory_l1_wavefronts_shared",
    "memory_l2_theoretical_sectors_global",
]


class Difference(NamedTuple):
    """A micro-kernel of which the GPU counts something else, mostly as ptxas makes another program; what is here."""

    kernel: str
    reason: str
    here: dict[str, int]


_LOCAL = "smsp__sass_{}_mem_local_op_{}.sum".format
_ADDED_UP = "ptxas adds the lanes' values up first (`REDUX`), so that one lane of 32 makes the atomic"
_SELECTS = "ptxas keeps the array in registers and selects: no local memory is touched"
# Nothing else may differ, and these values may not change; the page shows them.
DIFFERENCES = [
    Difference("red int, 1 address", _ADDED_UP, {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum": 256}),
    Difference(
        "shared atomic int, 1 word",
        _ADDED_UP,
        {
            "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum": 256,
            "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum": 256,
            "derived__memory_l1_wavefronts_shared_excessive": 248,
        },
    ),
    Difference(
        "shared atomic float, 32 words",
        "the GPU has no such instruction: ptxas makes a loop of load and compare-and-swap (`ATOMS.CAST.SPIN`),"
        " which turns more often when warps meet",
        {
            "smsp__sass_inst_executed_op_shared_ld.sum": 0,
            "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum": 0,
            "smsp__sass_data_bytes_mem_shared_op_ld.sum": 0,
            "smsp__sass_inst_executed_op_shared_atom.sum": 8,
            "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum": 8,
            "smsp__sass_data_bytes_mem_shared_op_atom.sum": 1024,
            "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum": 8,
            "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal.sum": 8,
        },
    ),
    Difference(
        "shared load 128 odd lanes, packed",
        "no program of ptxas's: Nsight Compute's counter in the code says three passes per warp, the hardware's own"
        " (`l1tex__data_pipe_lsu_wavefronts_mem_shared`) two, as here; with all lanes on, both say two",
        {
            "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum": 16,
            "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum": 16,
            "derived__memory_l1_wavefronts_shared_excessive": 0,
        },
    ),
] + [
    Difference(
        kernel,
        _SELECTS,
        {
            "smsp__sass_inst_executed_op_local_ld.sum": 8,
            _LOCAL("l1tex_t_sectors_pipe_lsu", "ld"): sectors,
            _LOCAL("data_bytes", "ld"): loaded,
            "smsp__sass_inst_executed_op_local_st.sum": 64,
            _LOCAL("l1tex_t_sectors_pipe_lsu", "st"): 1024,
            _LOCAL("data_bytes", "st"): 1024,  # all lanes at the same place of their own array
        },
    )
    for kernel, sectors, loaded in (("local array, same index", 32, 32), ("local array, own index", 256, 1024))
]


def table_of_counters() -> dict[str, str]:
    """Name -> meaning of every counter that is summed over instructions."""
    rows = re.findall(r'^COUNTER\(\w+, "([^"]+)", "[^"]*", "([^"]*)"\)', DEF.read_text(), re.MULTILINE)
    return dict(rows)


def comparable() -> list[str]:
    """The counters that Nsight Compute has too."""
    return [n for n in table_of_counters() if not n.startswith("warpladder__")]


def asked() -> list[str]:
    return [n for n in comparable() if n not in RAW_NAME and n not in DERIVED] + EXTRA


def number(text: str) -> int | None:
    text = text.replace(",", "")
    try:
        return round(float(text))
    except ValueError:
        return None


def read_raw(path: Path) -> list[dict[str, int]]:
    """One entry per launch of the raw page: the metrics that are numbers."""
    lines = [x for x in path.read_text().splitlines() if x.startswith('"')]
    rows = list(csv.reader(lines))
    head, body = rows[0], rows[1:]
    launches = []
    for row in body:
        if not row[0].isdigit():  # the row of units
            continue
        values = {name: number(cell) for name, cell in zip(head, row, strict=True)}
        launches.append({name: v for name, v in values.items() if v is not None})
    return launches


def convert(options: argparse.Namespace) -> int:
    names = options.names.read_text().splitlines()
    launches = read_raw(options.raw)
    if len(launches) != len(names):
        print(f"counters: {len(launches)} launches in {options.raw.name}, {len(names)} names", file=sys.stderr)
        return 1
    wanted = list(dict.fromkeys(comparable() + EXTRA + DERIVED))
    raw = {n: RAW_NAME.get(n, n) for n in wanted}
    recorded = [n for n in wanted if any(raw[n] in values for values in launches)]
    for name in wanted:
        if name not in recorded:
            print(f"counters: not recorded: {name}")
    kernels = []
    for name, values in zip(names, launches, strict=True):
        counters = {n: values[raw[n]] for n in recorded if values.get(raw[n])}
        kernels.append({"name": name, "counters": counters})
    head = {"schema": "warpladder-recorded-counters/1", "device": options.device, "ncu": options.ncu}
    head["recorded"] = sorted(recorded)
    lines = ",\n".join("    " + json.dumps(k) for k in kernels)
    text = json.dumps(head, indent=2)[:-2] + ',\n  "kernels": [\n' + lines + "\n  ]\n}\n"
    json.loads(text)
    options.output.write_text(text)
    print(f"counters: {len(kernels)} kernels, {len(recorded)} metrics -> {options.output}")
    return 0


def emulated(program: Path) -> list[dict[str, Any]]:
    """The program's micro-kernels as the emulator counts them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "counters.json"
        env = {k: v for k, v in os.environ.items() if not k.startswith("WARPLADDER_")}
        env["WARPLADDER_COUNTERS"] = str(path)
        done = subprocess.run([program], env=env, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"counters: {program.name} failed\n{done.stderr}")
        names = done.stdout.splitlines()
        launches = json.loads(path.read_text())["launches"]
    if len(names) != len(launches):
        raise SystemExit(f"counters: {len(launches)} launches, {len(names)} names")

    def warps(launch: dict[str, Any]) -> int:
        grid, block = (math.prod(int(n) for n in launch[key]) for key in ("grid", "block"))
        return grid * -(-block // 32)

    return [{"name": n, "counters": x["counters"], "warps": warps(x)} for n, x in zip(names, launches, strict=True)]


class Pair(NamedTuple):
    """One counter of one kernel, and how many warps that has."""

    kernel: str
    counter: str
    there: int
    here: int
    warps: int

    def difference(self) -> Difference | None:
        return next((d for d in DIFFERENCES if d.kernel == self.kernel), None)

    def kind(self) -> str:
        if INSTRUCTIONS.search(self.counter):
            return "instructions"
        return "branches" if BRANCHES.search(self.counter) else "memory"

    def state(self) -> str:
        """equal, near (of instructions and branches), explained or wrong."""
        difference = self.difference()
        if self.kind() != "memory":
            if self.here == self.there:
                return "equal"
            if self.kind() == "branches":
                near = abs(self.here - self.there) <= BRANCHES_APART * self.warps
            else:
                near = RATIO[0] <= self.here / max(1, self.there) <= RATIO[1]
            return "near" if near else "explained" if difference else "wrong"
        if difference and self.counter in difference.here:  # and only then: an entry that is not needed is wrong
            right = self.here == difference.here[self.counter] != self.there
            return "explained" if right else "wrong"
        return "equal" if self.here == self.there else "wrong"


def pairs(program: Path) -> tuple[list[Pair], list[str]]:
    """Every counter of every kernel that was recorded; the names of the kernels that were not."""
    if not RECORDED.exists():
        raise SystemExit(f"counters: {RECORDED.name} is missing; scripts/record_counters.sh makes it on a GPU")
    document = json.loads(RECORDED.read_text())
    missing = [n for n in comparable() if n not in document["recorded"]]
    if missing:
        raise SystemExit(f"counters: not in {RECORDED.name}: {', '.join(missing)}")
    recorded = {k["name"]: k["counters"] for k in document["kernels"]}
    ours = emulated(program)
    if [k["name"] for k in ours if k["name"] in recorded] != list(recorded):
        raise SystemExit("counters: the micro-kernels have changed since they were recorded; record them again")
    found = [
        Pair(k["name"], name, recorded[k["name"]].get(name, 0), k["counters"][name], k["warps"])
        for k in ours
        if k["name"] in recorded
        for name in comparable()
    ]
    return found, [k["name"] for k in ours if k["name"] not in recorded]


def compare(options: argparse.Namespace) -> int:
    found, unrecorded = pairs(options.program)
    states: dict[tuple[str, str], int] = {}
    for p in found:
        key = (p.kind(), p.state())
        states[key] = states.get(key, 0) + 1
        if p.state() == "wrong":
            print(f"FAIL  {p.kernel}: {p.counter}: {p.there} on the GPU, {p.here} here")
    for d in DIFFERENCES:
        print(f"differs: {d.kernel}: {d.reason}")
    for name in unrecorded:
        print(f"not recorded yet: {name}")
    for kind, meaning in (
        ("memory", "must be equal"),
        ("instructions", f"here / there must be within {RATIO[0]} and {RATIO[1]}"),
        ("branches", f"at most {BRANCHES_APART} per warp apart"),
    ):
        counts = [f"{states[kind, s]} {s}" for s in ("equal", "near", "explained", "wrong") if (kind, s) in states]
        print(f"{kind} ({meaning}): {', '.join(counts)}")
    return int(any(p.state() == "wrong" for p in found) or not found)


# The columns of the page: heading, counters that are added up.
COLUMNS = {
    "global requests": "l1tex__t_requests_pipe_lsu_mem_global",
    "sectors": "l1tex__t_sectors_pipe_lsu_mem_global",
    "different": "smsp__sass_sectors_mem_global.sum",
    "ideal": "smsp__sass_sectors_mem_global_ideal",
    "tags": "smsp__sass_l1tex_tags_mem_global",
    "bytes": "smsp__sass_data_bytes_mem_global",
    "shared requests": "smsp__sass_inst_executed_op_shared",
    "wavefronts": "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum",
    "ideal ": "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal",
    "bytes ": "smsp__sass_data_bytes_mem_shared",
    "local sectors": "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local",
    "branches": "smsp__sass_branch_targets.sum",
    "divergent": "smsp__sass_branch_targets_threads_divergent",
    "warp instructions": "smsp__sass_inst_executed.sum",
}


def cell(there: int, here: int) -> str:
    if there == here:
        return str(here) if here else ""
    return f"{here} / {there}"


def row_of(kernel: str, found: list[Pair]) -> str:
    cells = []
    for prefix in COLUMNS.values():
        parts = [p for p in found if p.counter.startswith(prefix)]
        cells.append(cell(sum(p.there for p in parts), sum(p.here for p in parts)))
    instructions = next(p for p in found if p.counter == "smsp__sass_inst_executed.sum")
    cells.append(f"{instructions.here / instructions.there:.2f}")
    memory = [p for p in found if p.kind() == "memory"]
    equal = sum(p.state() == "equal" for p in memory)
    note = next((i for i, d in enumerate(DIFFERENCES, 1) if d.kernel == kernel), None)
    cells.append(f"{equal} of {len(memory)}" + (f" ({note})" if note else ""))
    return f"| {kernel} | " + " | ".join(cells) + " |"


def counter_rows(found: list[Pair]) -> list[str]:
    rows = []
    for name in comparable():
        of = [p for p in found if p.counter == name]
        seen = sum(p.there != 0 for p in of)
        states = [sum(p.state() == s for p in of) for s in ("equal", "near", "explained")]
        rows.append(f"| `{name}` | {seen} | " + " | ".join(str(n) if n else "" for n in states) + " |")
    return rows


def page(program: Path) -> str:
    """The Markdown between the markers."""
    recorded = json.loads(RECORDED.read_text())
    found, unrecorded = pairs(program)
    kernels: dict[str, list[Pair]] = {}
    for p in found:
        kernels.setdefault(p.kernel, []).append(p)
    lines = [
        f"Recorded on {recorded['device'].split(',')[0]} with Nsight Compute {recorded['ncu'].split()[1]}:"
        f" {len(kernels)} micro-kernels. For each counter, the kernels in which it is not zero on the GPU, in which it"
        " is equal here, differs within the bounds above, and differs for a reason below:",
        "",
        "| counter | not zero | equal | near | explained |",
        "| --- | ---: | ---: | ---: | ---: |",
        *counter_rows(found),
        "",
        "Where memory counters differ, and why:",
        "",
        *(f"{i}. *{d.kernel}*: {d.reason}." for i, d in enumerate(DIFFERENCES, 1)),
        "",
        "Kernel by kernel. One number: both count the same. Two: here / on the GPU. The last columns: warp instructions"
        " here divided by those of the GPU, and how many memory counters are equal.",
        "",
        "| micro-kernel | " + " | ".join(c.strip() for c in COLUMNS) + " | ratio | equal |",
        "| --- |" + " ---: |" * (len(COLUMNS) + 2),
        *(row_of(kernel, of) for kernel, of in kernels.items()),
    ]
    if unrecorded:
        lines += ["", "Not recorded yet, and so not compared: " + "; ".join(unrecorded) + "."]
    return "\n".join(lines)


def names() -> str:
    """The table of counters as Markdown."""
    rows = re.findall(r'^(?:COUNTER|LAUNCH)\(\w+, "([^"]+)", "([^"]*)", "([^"]*)"\)', DEF.read_text(), re.MULTILINE)
    return "\n".join(
        ["| counter | unit | meaning |", "| --- | --- | --- |"] + [f"| `{n}` | {u} | {m} |" for n, u, m in rows]
    )


def put(text: str, marker: str, content: str) -> str:
    """The text with what stands between two markers replaced."""
    begin, end = f"<!-- {marker}:begin -->", f"<!-- {marker}:end -->"
    start, stop = text.find(begin), text.find(end)
    if start < 0 or stop < start:
        raise SystemExit(f"counters: {PAGE.name} has no {begin} and {end} to write between")
    return text[: start + len(begin)] + f"\n{content}\n" + text[stop:]


def table(options: argparse.Namespace) -> int:
    comparison = page(options.program)
    old = PAGE.read_text()
    new = put(put(old, "counter-names", names()), "counters", comparison)
    if options.check:
        if new != old:
            print(f"FAIL: the tables in {PAGE.name} are not what `counters.py table --update` writes")
        return int(new != old)
    if options.update:
        PAGE.write_text(new)
        print(f"written to {PAGE.relative_to(ROOT)}")
    else:
        print(comparison)
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("metrics").set_defaults(run=lambda _: print(",".join(asked())))
    one = verbs.add_parser("convert")
    for option in ("--raw", "--names", "--output"):
        one.add_argument(option, type=Path, required=True)
    one.add_argument("--device", default="")
    one.add_argument("--ncu", default="")
    one.set_defaults(run=convert)
    one = verbs.add_parser("compare")
    one.add_argument("program", type=Path)
    one.set_defaults(run=compare)
    one = verbs.add_parser("table")
    one.add_argument("program", type=Path)
    one.add_argument("--update", action="store_true", help="write it into docs/emulator.md")
    one.add_argument("--check", action="store_true", help="fail if docs/emulator.md holds another one")
    one.set_defaults(run=table)
    options = parser.parse_args()
    return options.run(options) or 0


if __name__ == "__main__":
    sys.exit(main())

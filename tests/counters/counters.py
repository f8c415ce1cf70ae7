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
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DEF = ROOT / "emulator" / "observe" / "counters.def"
RECORDED = Path(__file__).with_name("h200.json")
PAGE = ROOT / "docs" / "emulator.md"

# What depends on the instructions that ptxas chooses, not on memory: reported, and only bounded.
INSTRUCTIONS = re.compile(r"_inst_executed\.sum$|_thread_inst_executed(_pred_on)?\.sum$|branch_targets")
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
# Counted per instruction; their sum has another name where it has one at all.
RAW_NAME = {
    "smsp__sass_sectors_mem_global_ideal.sum": "memory_l2_theoretical_sectors_global_ideal",
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal.sum": "memory_l1_wavefronts_shared_ideal",
}
EXTRA += [
    "memory_l1_wavefronts_shared",
    "memory_l1_wavefronts_shared_ideal",
    "memory_l2_theoretical_sectors_global",
    "memory_l2_theoretical_sectors_global_ideal",
    "derived__memory_l2_theoretical_sectors_global_excessive",
]
# What differs, and why: kernels, counters (patterns), reason. The page tells them too.
DIFFERENCES: list[tuple[str, str, str]] = []


def table_of_counters() -> dict[str, str]:
    """Name -> meaning of every counter that is summed over instructions."""
    rows = re.findall(r'^COUNTER\(\w+, "([^"]+)", "[^"]*", "([^"]*)"\)', DEF.read_text(), re.MULTILINE)
    return dict(rows)


def asked() -> list[str]:
    own = [n for n in table_of_counters() if not n.startswith("warpladder__")]
    return own + EXTRA


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
    back = {raw: name for name, raw in RAW_NAME.items()}
    recorded = [n for n in asked() if any(n in values for values in launches)]
    for name in asked():
        if name not in recorded:
            print(f"counters: not recorded: {name}")
    kernels = []
    for name, values in zip(names, launches, strict=True):
        counters = {back.get(n, n): values[n] for n in recorded if values.get(n)}
        kernels.append({"name": name, "counters": counters})
    head = {"schema": "warpladder-recorded-counters/1", "device": options.device, "ncu": options.ncu}
    head["recorded"] = sorted({back.get(n, n) for n in recorded})
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
    return [{"name": n, "counters": x["counters"]} for n, x in zip(names, launches, strict=True)]


def known_difference(kernel: str, counter: str) -> str:
    """Why a counter of a kernel may differ, or nothing: DIFFERENCES lists every exception there is."""
    for kernels, counters, why in DIFFERENCES:
        if re.fullmatch(kernels, kernel) and re.search(counters, counter):
            return why
    return ""


def pairs(program: Path) -> list[tuple[str, str, int, int]]:
    """Kernel, counter, recorded, emulated: for every counter that was recorded."""
    if not RECORDED.exists():
        raise SystemExit(f"counters: {RECORDED.name} is missing; scripts/record_counters.sh makes it on a GPU")
    document = json.loads(RECORDED.read_text())
    recorded = document["kernels"]
    ours = emulated(program)
    if [k["name"] for k in recorded] != [k["name"] for k in ours]:
        raise SystemExit("counters: the micro-kernels have changed since they were recorded; record them again")
    names = [n for n in table_of_counters() if n in document["recorded"]]
    return [
        (theirs["name"], name, theirs["counters"].get(name, 0), mine["counters"][name])
        for theirs, mine in zip(recorded, ours, strict=True)
        for name in names
    ]


def compare(options: argparse.Namespace) -> int:
    exact = differ = explained = reported = 0
    for kernel, counter, there, here in pairs(options.program):
        if INSTRUCTIONS.search(counter):
            reported += 1
        elif here == there:
            exact += 1
        elif known_difference(kernel, counter):
            explained += 1
        else:
            differ += 1
            print(f"FAIL  {kernel}: {counter}: {there} on the GPU, {here} here")
    print(f"memory counters: {exact} equal, {explained} differ for a reason that is written down, {differ} differ")
    print(f"instruction and branch counters: {reported}, of other instructions (PTX here, machine code there)")
    return 1 if differ or not exact else 0


# The columns of the page: heading, counters that are added up.
COLUMNS = {
    "global requests": "l1tex__t_requests_pipe_lsu_mem_global",
    "global sectors": "l1tex__t_sectors_pipe_lsu_mem_global",
    "ideal": "smsp__sass_sectors_mem_global_ideal",
    "tags": "smsp__sass_l1tex_tags_mem_global",
    "shared wavefronts": "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum",
    "ideal ": "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal",
    "local sectors": "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local",
    "warp instructions": "smsp__sass_inst_executed.sum",
    "branches": "smsp__sass_branch_targets.sum",
    "divergent": "smsp__sass_branch_targets_threads_divergent",
}


def cell(there: int, here: int) -> str:
    if there == here:
        return str(here) if here else ""
    return f"{here} / {there}"


def page(program: Path) -> str:
    """The Markdown between the markers."""
    recorded = json.loads(RECORDED.read_text())
    kernels: dict[str, dict[str, tuple[int, int]]] = {}
    for kernel, counter, there, here in pairs(program):
        kernels.setdefault(kernel, {})[counter] = (there, here)
    lines = [
        f"Recorded on {recorded['device'].split(',')[0]} with Nsight Compute {recorded['ncu'].split()[1]}.",
        "One number: both count the same. Two: here / on the GPU.",
        "",
        "| micro-kernel | " + " | ".join(c.strip() for c in COLUMNS) + " |",
        "| --- |" + " ---: |" * len(COLUMNS),
    ]
    for kernel, counters in kernels.items():
        cells = []
        for prefix in COLUMNS.values():
            found = [v for name, v in counters.items() if name.startswith(prefix)]
            cells.append(cell(sum(t for t, _ in found), sum(h for _, h in found)))
        lines.append(f"| {kernel} | " + " | ".join(cells) + " |")
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
    for option in ("--raw", "--source", "--names", "--output"):
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

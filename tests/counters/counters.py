#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counters of the emulator against those of Nsight Compute, micro-kernel by micro-kernel.

  counters.py metrics                      the names that Nsight Compute is asked for, from counters.def
  counters.py convert --raw ... --output   Nsight Compute's CSV pages -> the JSON that is committed
  counters.py compare PROGRAM              run it on the emulator and compare; exit code 1 if a counter that must agree does not
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
BEGIN, END = "<!-- counters:begin -->", "<!-- counters:end -->"

# What depends on the instructions that ptxas chooses, not on memory: reported, and only bounded.
INSTRUCTIONS = re.compile(r"_inst_executed\.sum$|_thread_inst_executed(_pred_on)?\.sum$|branch_targets")
# Recorded beside the counters: the same thing counted by the hardware instead of the patched code, and what explains others.
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
# Counted per instruction only; the raw page shows their sum under another name.
RAW_NAME = {
    "smsp__sass_sectors_mem_global_ideal.sum": "memory_l2_theoretical_sectors_global_ideal",
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal.sum": "memory_l1_wavefronts_shared_ideal",
}


def table_of_counters() -> dict[str, str]:
    """Name -> meaning of every counter that is summed over instructions."""
    rows = re.findall(r'^COUNTER\(\w+, "([^"]+)", "[^"]*", "([^"]*)"\)', DEF.read_text(), re.MULTILINE)
    return dict(rows)


def asked() -> list[str]:
    own = [n for n in table_of_counters() if not n.startswith(("warpladder__", "derived__")) and n not in RAW_NAME]
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
        values = {name: number(cell) for name, cell in zip(head, row)}
        launches.append({name: v for name, v in values.items() if v is not None and "__" in name or name in RAW_NAME.values()})
    return launches


def convert(options: argparse.Namespace) -> int:
    names = options.names.read_text().splitlines()
    launches = read_raw(options.raw)
    if len(launches) != len(names):
        print(f"counters: {len(launches)} launches in {options.raw.name}, {len(names)} names", file=sys.stderr)
        return 1
    wanted = set(asked()) | set(RAW_NAME.values()) | {"derived__memory_l1_wavefronts_shared_excessive"}
    back = {raw: name for name, raw in RAW_NAME.items()}
    kernels = []
    for name, values in zip(names, launches):
        counters = {back.get(k, k): v for k, v in values.items() if k in wanted}
        kernels.append({"name": name, "counters": dict(sorted(counters.items()))})
    missing = sorted(n for n in asked() if not any(n in k["counters"] for k in kernels))
    for name in missing:
        print(f"counters: not recorded: {name}")
    head = {"schema": "warpladder-recorded-counters/1", "device": options.device, "ncu": options.ncu}
    lines = ",\n".join("    " + json.dumps(k) for k in kernels)
    text = json.dumps(head, indent=2)[:-2] + ',\n  "kernels": [\n' + lines + "\n  ]\n}\n"
    json.loads(text)
    options.output.write_text(text)
    print(f"counters: {len(kernels)} kernels, {len(wanted)} metrics -> {options.output}")
    return 0


def emulated(program: Path) -> list[dict[str, Any]]:
    """The program's micro-kernels as the emulator counts them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "counters.json"
        env = {k: v for k, v in os.environ.items() if not k.startswith("WARPLADDER_")}
        env["WARPLADDER_COUNTERS"] = str(path)
        names = subprocess.run([program], env=env, check=True, capture_output=True, text=True).stdout.splitlines()
        launches = json.loads(path.read_text())["launches"]
    assert len(names) == len(launches), "a micro-kernel is one launch"
    return [{"name": n, "counters": x["counters"]} for n, x in zip(names, launches)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("metrics")
    one = verbs.add_parser("convert")
    for option in ("--raw", "--source", "--names", "--output"):
        one.add_argument(option, type=Path)
    one.add_argument("--device", default="")
    one.add_argument("--ncu", default="")
    options = parser.parse_args()
    if options.verb == "metrics":
        print(",".join(asked()))
        return 0
    return convert(options)


if __name__ == "__main__":
    sys.exit(main())

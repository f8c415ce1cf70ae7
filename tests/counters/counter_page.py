# SPDX-License-Identifier: MIT
"""The tables of docs/emulator.md: the counters, and how far they agree with the GPU's."""

from __future__ import annotations

import json
import re
from pathlib import Path

from counter_differences import DIFFERENCES
from counter_names import DEF, ROOT, comparable
from counter_pairs import RECORDED, Pair, pairs

PAGE = ROOT / "docs" / "emulator.md"
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


def table_of_names() -> str:
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

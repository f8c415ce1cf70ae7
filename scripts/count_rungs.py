# SPDX-License-Identifier: MIT
"""Writes the table of counters into the chapter of lesson 07: what each rung of the histogram does to shared memory.

python3 scripts/count_rungs.py          counted by the emulator (needs build/default with it)
python3 scripts/count_rungs.py --ncu    prints what a GPU counts (needs build/gpu and Nsight Compute)
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from warpladder.core.pages import replace_part  # noqa: E402
from warpladder.core.paths import BUILD, LESSONS  # noqa: E402

LESSON = "07_vote_and_match"
RUNGS = ("hist_global", "hist_shared", "hist_warp", "hist_vector", "hist_match", "hist_lanes", "hist_wide")
INPUTS = ("uniform", "constant")
SIZE = "2^16"
GLOBAL, REQUESTS = "warpladder__atomics_mem_global.sum", "smsp__sass_inst_executed_op_shared_atom.sum"
PASSES = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"
COLUMNS = (
    "rung",
    *(f"{what}, {input_}" for input_ in INPUTS for what in ("atomics in L2", "in shared memory", "passes")),
)


def last_launch(launches: Iterable[dict[str, Any]], rung: str) -> dict[str, int]:
    """The counters of the timed launch: the last one of this kernel."""
    found = [launch["counters"] for launch in launches if f"::{rung}<" in launch["kernel"]]
    if not found:
        raise SystemExit(f"count_rungs: {rung} was not launched")
    counters: dict[str, int] = found[-1]
    return counters


def counted(program: Path, rung: str, input_: str) -> dict[str, int]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "counters.json"
        words = ["--n", SIZE, "--reps", "1", "--input", input_, "--rung", rung]
        environment = {**os.environ, "WARPLADDER_COUNTERS": str(file)}
        subprocess.run([str(program), *words], env=environment, check=True, stdout=subprocess.DEVNULL)
        return last_launch(json.loads(file.read_text(encoding="utf-8"))["launches"], rung)


def table(rows: dict[str, list[dict[str, int]]]) -> str:
    lines = ["| " + " | ".join(COLUMNS) + " |", "| --- |" + " ---: |" * (len(COLUMNS) - 1)]
    for rung, found in rows.items():
        cells = [str(counters[name]) for counters in found for name in (GLOBAL, REQUESTS, PASSES)]
        lines.append("| " + " | ".join([f"`{rung}`", *cells]) + " |")
    note = f"*Counted by the emulator, {SIZE} samples of 4 bytes, 256 bins, `python3 scripts/count_rungs.py`.*"
    return "\n".join([*lines, "", note])


def last_of_ncu(text: str, rung: str) -> dict[str, int]:
    """The metrics of the last launch of this kernel, from Nsight Compute's CSV."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    found: dict[str, dict[str, int]] = {}
    for row in csv.DictReader(lines[start:]):
        if rung in row["Kernel Name"]:
            found.setdefault(row["ID"], {})[row["Metric Name"]] = round(float(row["Metric Value"].replace(",", "")))
    if not found:
        raise SystemExit(f"count_rungs: Nsight Compute saw no {rung}")
    return list(found.values())[-1]


def counted_by_ncu(program: Path, rung: str, input_: str) -> dict[str, int]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "ncu.csv"
        words = ["ncu", "--clock-control", "none", "--csv", "--log-file", str(file)]
        words += ["--kernel-name", f"regex:{rung}", "--metrics", f"{REQUESTS},{PASSES},{SECTORS}"]
        words += [str(program), "--n", SIZE, "--reps", "1", "--input", input_, "--rung", rung]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        return last_of_ncu(file.read_text(encoding="utf-8"), rung)


def by_ncu() -> int:
    """The shared-memory counters of the chapter's table as a GPU counts them."""
    program = BUILD / "gpu" / "lessons" / LESSON
    if not program.is_file():
        raise SystemExit(f"count_rungs: {program} is not built: `./course run 07 --preset gpu` builds it")
    print("| rung | input | requests | passes | sectors of red |")
    print("| --- | --- | ---: | ---: | ---: |")
    for rung in RUNGS:
        for input_ in INPUTS:
            seen = counted_by_ncu(program, rung, input_)
            cells = [str(seen.get(name, "-")) for name in (REQUESTS, PASSES, SECTORS)]
            print("| " + " | ".join([f"`{rung}`", input_, *cells]) + " |", flush=True)
    return 0


def main() -> int:
    if sys.argv[1:] == ["--ncu"]:
        return by_ncu()
    if len(sys.argv) > 1:
        print("count_rungs: it takes --ncu and nothing else", file=sys.stderr)
        return 2
    program = BUILD / "default" / "lessons" / LESSON
    if not program.is_file():
        raise SystemExit(f"count_rungs: {program} is not built: `./course run 07` builds it")
    chapter = LESSONS / LESSON / "README.md"
    text = table({rung: [counted(program, rung, input_) for input_ in INPUTS] for rung in RUNGS})
    chapter.write_text(replace_part(chapter.read_text(encoding="utf-8"), "counters", f"\n{text}\n"), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

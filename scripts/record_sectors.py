# SPDX-License-Identifier: MIT
"""Writes into chapter 11 how many accesses each table needs for a key, as the emulator counts them.

python3 scripts/record_sectors.py                      (needs build/default/lessons/11_hash_table with the emulator)
python3 scripts/record_sectors.py --check [PROGRAM]    is what the chapter says still what is counted?
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from warpladder.core.pages import replace_part  # noqa: E402
from warpladder.core.paths import LESSONS  # noqa: E402
from warpladder.core.recording import Recording  # noqa: E402

CHAPTER = LESSONS / "11_hash_table" / "README.md"
RECORDING = Recording(
    "record_sectors", "11_hash_table", CHAPTER, "other sectors are counted now: run it without --check"
)
N = 1 << 14
# Of each rung: parts of the names of its kernels, for filling and for finding.
RUNGS = {
    "linear": (("put_each<false, lesson11::Table<1u",), "find_each<lesson11::Table<1u"),
    "tile": (("put_each_by_tile<",), "find_each_by_tile<"),
    "sector": (
        ("put_each<false, lesson11::Table<4u, lesson11::NextBucket",),
        "find_each<lesson11::Table<4u, lesson11::NextBucket",
    ),
    "in_flight": (("put_several<false, 4u",), "find_several<4u"),
    "pair": (("put_several<false, 2u, lesson11::Table<8u, lesson11::SecondChoice",), "find_several<2u"),
    "halves": (
        ("put_each<false, lesson11::Table<4u, lesson11::OtherHalf",),
        "find_each<lesson11::Table<4u, lesson11::OtherHalf",
    ),
    "tags": (("put_each<false, lesson11::TagTable",), "find_each<lesson11::TagTable"),
    "bulk": (("count_parts", "spread_pairs", "put_pairs<"), ""),
}
LOADS = ("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",)
READ = ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",)
WRITTEN = tuple(f"l1tex__t_sectors_pipe_lsu_mem_global_op_{kind}.sum" for kind in ("st", "atom", "red"))


def counted(program: Path) -> list[dict[str, Any]]:
    """Of every kernel its last launch: the one that is timed, over all keys."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "counters.json"
        command = [str(program), "--n", str(N), "--reps", "1"]
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, "WARPLADDER_COUNTERS": str(file)})
        launches = json.loads(file.read_text(encoding="utf-8"))["launches"]
    return list({launch["kernel"]: launch for launch in launches}.values())


def per_key(launches: list[dict[str, Any]], kernels: tuple[str, ...], names: tuple[str, ...]) -> float:
    total = 0
    for part in kernels:
        found = [launch for launch in launches if part in launch["kernel"]]
        if len(found) != 1:
            raise SystemExit(f"record_sectors: {len(found)} kernels are called {part}")
        total += sum(found[0]["counters"][name] for name in names)
    return total / N


def table(launches: list[dict[str, Any]]) -> str:
    lines = [
        "| rung | fill: loads of a warp for 32 keys | sectors read | written | find: loads of a warp | sectors read |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for rung, (fills, find) in RUNGS.items():
        cells = [32 * per_key(launches, fills, LOADS), *(per_key(launches, fills, names) for names in (READ, WRITTEN))]
        if find:
            cells += [32 * per_key(launches, (find,), LOADS), per_key(launches, (find,), READ)]
        words = [f"{cell:.2f}" for cell in cells] + ["-"] * (5 - len(cells))
        lines.append(f"| `{rung}` | " + " | ".join(words) + " |")
    command = "`python3 scripts/record_sectors.py`"
    note = f"*Sectors for one key, counted on the emulator at n 2^14 and load factor 0.8, {command}.*"
    return "\n".join(["", *lines, "", note, ""])


def page(program: Path) -> str:
    return replace_part(CHAPTER.read_text(encoding="utf-8"), "sectors", table(counted(program)))


def main() -> int:
    return RECORDING.make(sys.argv[1:], page)


if __name__ == "__main__":
    sys.exit(main())

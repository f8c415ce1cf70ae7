#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A row of the instruction table that lacks a column, or names a value that does not exist, does not compile.

Compiles emulator/ptx/table.cpp against tables in which one row was changed; the table as it is must compile.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROW = 'INSTRUCTION(not_, "not", "pred b16 b32 b64", "", "d, a", "d = ~a", '
COLUMNS = ["Typed", "Own", "None", "Arithmetic", "Next", "Integers"]


def compiles(compiler: str, table: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "ptx").mkdir()
        (Path(folder) / "ptx" / "instructions.def").write_text(table, encoding="utf-8")
        command = [compiler, "-std=c++20", "-fsyntax-only", f"-I{folder}", f"-I{ROOT / 'emulator'}",
                   str(ROOT / "emulator" / "ptx" / "table.cpp")]  # fmt: skip
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("compiler", nargs="?", default="c++")
    compiler = parser.parse_args().compiler
    table = (ROOT / "emulator" / "ptx" / "instructions.def").read_text(encoding="utf-8")
    whole = ROW + ", ".join(COLUMNS) + ")"
    if whole not in table or not compiles(compiler, table):
        print("the table as it is does not compile, or the row that this test changes is another now")
        return 1
    changed = {"without its last column": COLUMNS[:-1], "with an empty column": ["", *COLUMNS[1:]]}
    changed["that says it has no result, against its syntax"] = ["None", *COLUMNS[1:]]
    for i, name in enumerate(("result", "others", "counted", "cost", "flow", "uniform")):
        changed[f"with a {name} that does not exist"] = [*COLUMNS[:i], "Nonsense", *COLUMNS[i + 1 :]]
    taken = [how for how, columns in changed.items()
             if compiles(compiler, table.replace(whole, ROW + ", ".join(columns) + ")"))]  # fmt: skip
    print("\n".join(f"the compiler takes a row {how}" for how in taken) or f"{len(changed)} wrong rows do not compile")
    return 1 if taken else 0


if __name__ == "__main__":
    sys.exit(main())

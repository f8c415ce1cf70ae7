#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every header of common/ and its rooms has a test beside it that includes it before anything else.

So each has its tests, and each is known to compile alone without compiling it once more.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def first_include(test: Path) -> str:
    match = re.search(r'^#include [<"](.*)[>"]', test.read_text(), re.MULTILINE)
    return match.group(1) if match else ""


def main() -> int:
    folder = ROOT / "common"
    found = (p for p in folder.rglob("*") if p.suffix in (".hpp", ".cuh"))
    headers = sorted(p for p in found if p.parent != folder / "exercise")  # run with every exercise
    wrong = []
    for header in headers:
        name = header.relative_to(ROOT)
        tests = [t for end in ("test.cpp", "test.cu") if (t := header.with_suffix(f".{end}")).exists()]
        if not tests:
            wrong.append(f"{name}: has no {header.stem}.test.cpp or .test.cu")
        wrong += [
            f"{t.relative_to(ROOT)}: includes {first_include(t)} before {name}"
            for t in tests
            if first_include(t) != str(name)
        ]
    print("\n".join(wrong) or f"{len(headers)} headers, each with a test that includes it first")
    return 1 if wrong or not headers else 0


if __name__ == "__main__":
    sys.exit(main())

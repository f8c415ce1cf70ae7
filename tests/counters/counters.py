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
import sys
from pathlib import Path

from counter_differences import DIFFERENCES
from counter_names import DERIVED, EXTRA, RAW_NAME, ROOT, asked, comparable
from counter_page import PAGE, page, put, table_of_names
from counter_pairs import BRANCHES_APART, RATIO, pairs


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


def table(options: argparse.Namespace) -> int:
    comparison = page(options.program)
    old = PAGE.read_text()
    new = put(put(old, "counter-names", table_of_names()), "counters", comparison)
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

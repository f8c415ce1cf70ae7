#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the litmus shapes on the emulator's weak memory and compares what came out with what PTX allows.

What the model (model.py) forbids may never come out. What it allows and sequential consistency does not must come out
for some seed, or be listed as hidden, with a reason, where the shape is written.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from model import Outcome, allowed, conceivable
from sequential import sequential
from shape import BARRIERS, GLOBAL, REASONS, RMW, SCOPES, SHARED, Op, Shape, read_shapes

HERE = Path(__file__).resolve().parent
KINDS = ("R", "W", *RMW, "F", *BARRIERS)
ORDERS = ("weak", "relaxed", "acquire", "release", "acq_rel", "sc", "volatile")
LEAST_SHAPES = 40
BEGIN, END = "<!-- litmus:begin -->\n", "<!-- litmus:end -->\n"


@dataclass
class Verdict:
    shape: Shape
    forbidden: set[Outcome]
    weak: set[Outcome]
    shown: dict[Outcome, int] = field(default_factory=dict)

    @property
    def missing(self) -> set[Outcome]:
        return self.weak - set(self.shown)

    def problems(self) -> list[str]:
        text = self.shape.outcome_text
        found = [f"shows what PTX forbids: {text(outcome)}" for outcome in sorted(self.forbidden & set(self.shown))]
        if not self.shape.hidden:
            found += [f"never shows what PTX allows: {text(outcome)}" for outcome in sorted(self.missing)]
        elif not self.missing:
            found.append(f"hides nothing, though {', '.join(self.shape.hidden)} is given as the reason")
        return [f"{self.shape.title}: {problem}" for problem in found]


def line_of(shape: Shape, seeds: int) -> str:
    """The shape as litmus.cu reads it."""
    blocks = max(thread.block for thread in shape.threads) // shape.cluster * shape.cluster + shape.cluster
    warps = max(thread.warp for thread in shape.threads) + 1
    numbers = [blocks, warps, shape.cluster, seeds, len(shape.threads)]
    for thread in shape.threads:
        numbers += [thread.block, thread.warp, thread.lane, len(thread.ops)]
        for op in thread.ops:
            numbers += numbers_of(op)
    return " ".join(map(str, numbers))


def numbers_of(op: Op) -> list[int]:
    values = [10 + int(value[1:]) if value.startswith("r") else int(value) for value in op.values]
    place = (GLOBAL + SHARED).index(op.place) if op.place else 0
    head = [KINDS.index(op.kind), ORDERS.index(op.sem), SCOPES.index(op.scope), place]
    return [*head, *(values + [0, 0])[:2]]


def run(program: Path, shapes: list[Shape], seeds: int, memory: str) -> list[dict[Outcome, int]]:
    """How often each outcome came out, by shape."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("WARPLADDER_")} | {"WARPLADDER_MEMORY": memory}
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "shapes"
        table.write_text("\n".join(line_of(shape, seeds) for shape in shapes) + "\n")
        done = subprocess.run([program, table], env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{program}: exit code {done.returncode}\n{done.stderr[-4000:]}")
    shown: list[dict[Outcome, int]] = [{} for _ in shapes]
    for line in done.stdout.splitlines():
        number, count, *values = map(int, line.split())
        shape = shapes[number]
        left = dict(zip(GLOBAL, values[-3:], strict=True))
        outcome = (*values[:-3], *(left[place] for place in shape.finals))
        shown[number][outcome] = shown[number].get(outcome, 0) + count
    return shown


def judge(shapes: list[Shape], shown: list[dict[Outcome, int]]) -> list[Verdict]:
    verdicts = []
    for shape, outcomes in zip(shapes, shown, strict=True):
        may, strong = allowed(shape), sequential(shape)
        if not strong <= may:
            sys.exit(f"{shape.title}: the model forbids what sequential consistency gives: {sorted(strong - may)}")
        verdicts.append(Verdict(shape, conceivable(shape) - may, may - strong, outcomes))
        if strangers := set(outcomes) - conceivable(shape):
            sys.exit(f"{shape.title}: an outcome that nothing could give: {sorted(strangers)}")
    return verdicts


# ---- the table in docs/emulator.md


def table(verdicts: list[Verdict], seeds: int) -> str:
    lines = [
        "| shape | threads | forbidden | weak and allowed | shown | not shown, because of |",
        "| --- | --- | ---: | ---: | ---: | --- |",
    ]
    for v in verdicts:
        shown = len(v.weak & set(v.shown))
        why = ", ".join(v.shape.hidden) or ""
        where = v.shape.where if v.shape.where[0].isalpha() else f"blocks {v.shape.where}"
        lines.append(f"| {v.shape.name} | {where} | {len(v.forbidden)} | {len(v.weak)} | {shown} | {why} |")
    weak = sum(len(v.weak) for v in verdicts)
    shown = sum(len(v.weak & set(v.shown)) for v in verdicts)
    forbidden = sum(len(v.forbidden) for v in verdicts)
    bad = sum(len(v.forbidden & set(v.shown)) for v in verdicts)
    lines.append(f"| {len(verdicts)} shapes | | {forbidden}, shown: {bad} | {weak} | {shown} | |")
    used = {name for v in verdicts for name in v.shape.hidden}
    reasons = [f"- *{name}*: {why}." for name, why in REASONS.items() if name in used]
    command = f"*Outcomes by shape, {seeds} seeds each: `python3 tests/litmus/check_litmus.py PROGRAM --update`.*"
    return "\n".join([*lines, "", "Not shown:", "", *reasons, "", command]) + "\n"


def update(page: Path, text: str) -> None:
    old = page.read_text()
    head, _, rest = old.partition(BEGIN)
    _, _, tail = rest.partition(END)
    page.write_text(head + BEGIN + text + END + tail)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path, help="litmus.cu, built for the emulator")
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--shape", default="", help="only shapes with this in their title")
    parser.add_argument("--strong", action="store_true", help="with strong memory: nothing weak may come out")
    parser.add_argument("--verbose", action="store_true", help="print every outcome")
    parser.add_argument("--page", type=Path, default=HERE.parents[1] / "docs" / "emulator.md")
    parser.add_argument("--update", action="store_true", help="write the table into the page")
    return parser.parse_args()


def main() -> int:
    options = parse()
    shapes = [shape for shape in read_shapes(HERE / "shapes.txt") if options.shape in shape.title]
    if len({shape.title for shape in shapes}) != len(shapes) or (len(shapes) < LEAST_SHAPES and not options.shape):
        sys.exit(f"{len(shapes)} shapes, with different titles: at least {LEAST_SHAPES} are wanted")
    memory = "strong" if options.strong else "weak"
    verdicts = judge(shapes, run(options.program, shapes, options.seeds, memory))
    if options.strong:
        problems = [f"{v.shape.title}: {v.weak & set(v.shown)}" for v in verdicts if v.weak & set(v.shown)]
    else:
        problems = [problem for verdict in verdicts for problem in verdict.problems()]
    if options.verbose:
        for v in verdicts:
            for outcome, count in sorted(v.shown.items()):
                kind = "FORBIDDEN" if outcome in v.forbidden else "weak" if outcome in v.weak else "sequential"
                print(f"{v.shape.title}: {v.shape.outcome_text(outcome)}: {kind}, {count} times")
    for problem in problems:
        print(problem)
    print(f"{len(shapes)} shapes, {options.seeds} seeds each: {len(problems)} problems")
    if options.update and not problems:
        update(options.page, table(verdicts, options.seeds))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

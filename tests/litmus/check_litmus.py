#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the litmus shapes on the emulator's weak memory and compares what came out with what PTX allows.

What the model (ptx_model.py) forbids may never come out. What it allows and sequential consistency does not must come
out for some seed, or be listed as hidden, with a reason, where the shape is written.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from ptx_model import Outcome, allowed, conceivable
from random_shapes import random_shapes
from sequential import sequential
from shape import BARRIERS, GLOBAL, REASONS, RMW, SCOPES, SHARED, Op, Shape, read_shapes

HERE = Path(__file__).resolve().parent
KINDS = ("R", "W", *RMW, "F", *BARRIERS)
ORDERS = ("weak", "relaxed", "acquire", "release", "acq_rel", "sc", "volatile")
LEAST_SHAPES = 40
MOST_IN_CELL = 2  # outcomes that the table spells out
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
        if self.shape.name.startswith("random"):
            return ["\n  ".join([problem, self.shape.title, *self.shape.lines]) for problem in found]
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


# ---- the table in docs/litmus.md


def cell(shape: Shape, outcomes: set[Outcome]) -> str:
    if len(outcomes) > MOST_IN_CELL:
        return f"{len(outcomes)} outcomes"
    return "; ".join(f"`{shape.outcome_text(outcome)}`" for outcome in sorted(outcomes))


def table(verdicts: list[Verdict], seeds: int) -> str:
    lines = [
        "| shape | threads | forbidden, never shown | weak, shown | weak, not shown |",
        "| --- | --- | --- | --- | --- |",
    ]
    for v in verdicts:
        where = v.shape.where if v.shape.where[0].isalpha() else f"blocks {v.shape.where}"
        hidden = f"{cell(v.shape, v.missing)} (*{', '.join(v.shape.hidden)}*)" if v.missing else ""
        cells = [v.shape.name, where, cell(v.shape, v.forbidden), cell(v.shape, v.weak & set(v.shown)), hidden]
        lines.append(f"| {' | '.join(cells)} |")
    sums = [
        sum(map(len, sets))
        for sets in zip(*((v.forbidden, v.weak - v.missing, v.missing) for v in verdicts), strict=True)
    ]
    lines.append(f"| all {len(verdicts)} | | {' | '.join(f'{n} outcomes' for n in sums)} |")
    used = {name for v in verdicts for name in v.shape.hidden}
    reasons = [f"- *{name}*: {why}." for name, why in REASONS.items() if name in used]
    command = f"*{seeds} seeds for each: `python3 tests/litmus/check_litmus.py PROGRAM --update`.*"
    return "\n".join([*lines, "", "Why some are not shown:", "", *reasons, "", command]) + "\n"


def page_with(page: Path, text: str) -> str:
    head, _, rest = page.read_text().partition(BEGIN)
    _, _, tail = rest.partition(END)
    return head + BEGIN + text + END + tail


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path, help="litmus.cu, built for the emulator")
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--shape", default="", help="only shapes with this in their title")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="N drawn shapes instead")
    parser.add_argument("--strong", action="store_true", help="with strong memory: nothing weak may come out")
    parser.add_argument("--verbose", action="store_true", help="print every outcome")
    parser.add_argument("--page", type=Path, default=HERE.parents[1] / "docs" / "litmus.md")
    parser.add_argument("--update", action="store_true", help="write the table into the page")
    parser.add_argument("--check-page", action="store_true", help="fail if the page's table is another one")
    return parser.parse_args()


def main() -> int:
    options = parse()
    shapes = [shape for shape in read_shapes(HERE / "shapes.txt") if options.shape in shape.title]
    if options.random:
        shapes = random_shapes(options.random)
    elif len({shape.title for shape in shapes}) != len(shapes) or (len(shapes) < LEAST_SHAPES and not options.shape):
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
    if problems:
        return 1
    page = page_with(options.page, table(verdicts, options.seeds))
    if options.update:
        options.page.write_text(page)
    elif options.check_page and page != options.page.read_text():
        sys.exit(f"{options.page} has another table: run {Path(__file__).name} --update")
    return 0


if __name__ == "__main__":
    sys.exit(main())

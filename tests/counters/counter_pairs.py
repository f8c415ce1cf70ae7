# SPDX-License-Identifier: MIT
"""Each counter of each micro-kernel, as the GPU counted it and as the emulator does."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from counter_differences import DIFFERENCES, Difference
from counter_names import comparable

RECORDED = Path(__file__).with_name("h200.json")
# What depends on the instructions that ptxas chooses, not on memory: bounded, not equal.
INSTRUCTIONS = re.compile(r"_inst_executed\.sum$|_thread_inst_executed(_pred_on)?\.sum$")
BRANCHES = re.compile(r"branch_targets")
RATIO = (0.5, 1.75)  # instructions here / there, of each kernel
BRANCHES_APART = 3  # per warp


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

    def warps(launch: dict[str, Any]) -> int:
        grid, block = (math.prod(int(n) for n in launch[key]) for key in ("grid", "block"))
        return grid * -(-block // 32)

    return [{"name": n, "counters": x["counters"], "warps": warps(x)} for n, x in zip(names, launches, strict=True)]


class Pair(NamedTuple):
    """One counter of one kernel, and how many warps that has."""

    kernel: str
    counter: str
    there: int
    here: int
    warps: int

    def difference(self) -> Difference | None:
        return next((d for d in DIFFERENCES if d.kernel == self.kernel), None)

    def kind(self) -> str:
        if INSTRUCTIONS.search(self.counter):
            return "instructions"
        return "branches" if BRANCHES.search(self.counter) else "memory"

    def state(self) -> str:
        """equal, near (of instructions and branches), explained or wrong."""
        difference = self.difference()
        if self.kind() != "memory":
            if self.here == self.there:
                return "equal"
            if self.kind() == "branches":
                near = abs(self.here - self.there) <= BRANCHES_APART * self.warps
            else:
                near = RATIO[0] <= self.here / max(1, self.there) <= RATIO[1]
            return "near" if near else "explained" if difference else "wrong"
        if difference and self.counter in difference.here:  # and only then: an entry that is not needed is wrong
            right = self.here == difference.here[self.counter] != self.there
            return "explained" if right else "wrong"
        return "equal" if self.here == self.there else "wrong"


def pairs(program: Path) -> tuple[list[Pair], list[str]]:
    """Every counter of every kernel that was recorded; the names of the kernels that were not."""
    if not RECORDED.exists():
        raise SystemExit(f"counters: {RECORDED.name} is missing; scripts/record_counters.sh makes it on a GPU")
    document = json.loads(RECORDED.read_text())
    missing = [n for n in comparable() if n not in document["recorded"]]
    if missing:
        raise SystemExit(f"counters: not in {RECORDED.name}: {', '.join(missing)}")
    recorded = {k["name"]: k["counters"] for k in document["kernels"]}
    ours = emulated(program)
    if [k["name"] for k in ours if k["name"] in recorded] != list(recorded):
        raise SystemExit("counters: the micro-kernels have changed since they were recorded; record them again")
    found = [
        Pair(k["name"], name, recorded[k["name"]].get(name, 0), k["counters"][name], k["warps"])
        for k in ours
        if k["name"] in recorded
        for name in comparable()
    ]
    return found, [k["name"] for k in ours if k["name"] not in recorded]

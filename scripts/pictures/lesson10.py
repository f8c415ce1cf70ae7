# SPDX-License-Identifier: MIT
"""Lesson 10: the lanes of a warp over time, from runs of the emulator, and warps that copy or compute."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .svg import Picture

RUNS = Path(__file__).resolve().parent / "lanes_run.json"  # written by scripts/record_lanes.py
LEFT, RIGHT, LANE = 84.0, 776.0, 27.0


def _runs(kernel: str) -> list[dict[str, Any]]:
    runs: list[dict[str, Any]] = json.loads(RUNS.read_text(encoding="utf-8"))["runs"]
    return [run for run in runs if run["kernel"] == kernel]


def _panel(p: Picture, top: float, run: dict[str, Any], columns: int, fills: dict[int, str]) -> None:
    """A row for each lane, a column for each piece of the run. `fills`: by a piece's first instruction."""
    step = (RIGHT - LEFT) / columns
    pieces: list[list[int]] = run["pieces"]
    for lane in range(run["lanes"]):
        p.text(24, top + lane * LANE + 17, f"lane {lane}", size=12)
    last = {lane: max(i for i, piece in enumerate(pieces) if piece[2] >> lane & 1) for lane in range(run["lanes"])}
    for i, (first, end, lanes, times) in enumerate(pieces):
        x = LEFT + i * step
        for lane in range(run["lanes"]):
            runs_now = lanes >> lane & 1
            ended = i > last[lane] and not run["hangs"]
            fill = fills.get(first, "work") if runs_now else "plain" if ended else "idle"
            label = f"{first}–{end}" if runs_now else ""
            p.box(x + 1, top + lane * LANE, step - 2, LANE - 4, fill, label, size=11, round_by=1, dashed=ended)
        often = "for ever" if run["hangs"] and i == len(pieces) - 1 else f"{times} times" if times > 1 else ""
        p.text(x + step / 2, top + run["lanes"] * LANE + 11, often, size=11, anchor="middle", colour="note")


def parting() -> str:
    usual, other = _runs("part_and_meet")
    columns = max(len(run["pieces"]) for run in (usual, other))
    p = Picture(
        376,
        "Lanes part and meet again",
        "Two runs of a kernel of four lanes on the emulator, from left to right. Even lanes go one way and odd lanes "
        "another, one after the other. At the barrier all four are together. In the first run they go on together, "
        "in the second one after the other.",
    )
    part, meet = usual["pieces"][0][1], usual["pieces"][-1][0]
    p.text(24, 32, f"Four lanes part at instruction {part} and meet at {meet}, the barrier", size=15, bold=True)
    even = [piece for piece in usual["pieces"] if piece[2] == 0b0101]
    fills = {piece[0]: "second" for piece in even}
    fills |= {piece[0]: "result" for piece in other["pieces"] if piece[0] >= meet}
    p.text(24, 62, "the usual order", size=12.5, bold=True)
    _panel(p, 72, usual, columns, fills)
    p.text(24, 214, "another that is allowed: behind the barrier nothing keeps them together", size=12.5, bold=True)
    _panel(p, 224, other, columns, fills)
    p.legend(24, 356, [("work", "odd lanes' way, and all"), ("second", "even lanes' way"), ("idle", "not their turn")])
    p.text(776, 357, "numbers: instructions of the kernel", size=12, anchor="end", colour="note")
    return p.svg()


def lock() -> str:
    before, since = _runs("lanes_take_a_lock")
    columns = max(len(run["pieces"]) for run in (before, since))
    p = Picture(
        388,
        "A lock inside a warp, before Volta and since",
        "Two runs of a kernel of four lanes that take the same lock, from left to right. In lock step lane 0 has the "
        "lock and waits for the others, which try for ever. With program counters of their own lane 0 gets its turn, "
        "gives the lock back, and the next lane has it.",
    )
    holds, tries = since["pieces"][1:3]  # lane 0, which has left the loop; the others
    said = f"{tries[0]}–{tries[1]} tries, {holds[0]}–{holds[1]} holds it and gives it back"
    p.text(24, 32, f"Four lanes take a lock: {said}", size=15, bold=True)
    fills = {holds[0]: "result"}
    p.text(24, 62, "one program counter: lane 0 has the lock, and never gets its turn", size=12.5, bold=True)
    _panel(p, 72, before, columns, fills)
    p.text(
        24,
        214,
        "one for each lane: lanes that tried in vain let the one go first that has the lock",
        size=12.5,
        bold=True,
    )
    _panel(p, 224, since, columns, fills)
    p.legend(
        24,
        368,
        [("work", "tries"), ("result", "has the lock"), ("idle", "not its turn"), ("plain", "has ended")],
        step=130,
    )
    p.text(776, 369, "numbers: instructions of the kernel", size=12, anchor="end", colour="note")
    return p.svg()


def apart() -> str:
    p = Picture(
        250,
        "One warp copies, the others compute",
        "Time goes to the right. Above: all warps copy a tile, wait at a barrier, compute, wait again. Below: a warp "
        "copies tile after tile without a pause, and the others compute each tile when it is there.",
    )
    p.text(24, 32, "The same tiles, copied and computed", size=15, bold=True)
    p.text(24, 66, "all warps", size=12.5)
    x = 150.0
    for tile in range(3):
        p.box(x, 50, 100, 24, "second", f"copy {tile}", round_by=1)
        p.box(x + 100, 50, 100, 24, "work", f"compute {tile}", round_by=1)
        p.line(x + 100, 44, x + 100, 80, "wait", thick=2.5)
        p.line(x + 200, 44, x + 200, 80, "wait", thick=2.5)
        x += 206
    p.text(24, 126, "the one", size=12.5)
    p.text(24, 160, "the others", size=12.5)
    for tile in range(4):
        p.box(150 + tile * 104, 110, 100, 24, "second", f"copy {tile}", round_by=1)
        p.box(254 + tile * 104, 144, 100, 24, "work", f"compute {tile}", round_by=1)
        p.arrow(250 + tile * 104, 130, 258 + tile * 104, 148, "result")
        if tile < 2:
            p.arrow(354 + tile * 104, 144, 362 + tile * 104, 132, "wait")
    p.legend(24, 200, [("second", "copies"), ("work", "computes"), ("wait", "a barrier that all wait at")])
    p.text(
        24,
        230,
        "Arrows: “full”, from the warp that copies; “empty”, from those that compute. Here with two slots.",
        size=12.5,
        colour="note",
    )
    return p.svg()


PICTURES = {"parting": parting, "lock": lock, "apart": apart}

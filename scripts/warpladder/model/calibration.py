# SPDX-License-Identifier: MIT
"""Where the constants of the modelled clock come from: rows of results/h200/micro.json and memory.json.

`./course model --calibrate` prints each constant of emulator/devices/h200_timing.def beside what the recorded times of
the micro-kernels (tests/model/micro.cu) say, and fails where the two differ by more than they may.
"""

from __future__ import annotations

from ..core.console import CourseError
from .constants import derive
from .rows import MICRO, Rows

MOST_OFF = 0.06  # the constants are rounded
NOT_FROM_ROWS = {
    "calibrated": "a mark, no time",
    "issue_per_cycle": "four schedulers",
    "branch_latency": "by hand",
    "attempt_ns": "lesson 06's contention, stack_versioned",
    "contention": "lesson 06, where all want one word",
    "mask_sync_latency": "lesson 07's votes: a match of equal values; a redux and a branch",
    "parting_latency": "lesson 10's costs: two and four ways, beside one",
    "l1_lines_per_cycle": "the half of tests/timing_set to learn from",
    "l2_load_line_ns": "the half of tests/timing_set to learn from",
    "row_ns": "tests/timing_set: gather_large and gather_small",
    "block_turnover": "tests/timing_set: room_200_kib and words_copied_1024",
    "warp_sync_latency": "lessons/04_warp_shuffle/latencies",
    "peer_gbps": "published, not measured here: see its row",
    "peer_ns": "published, not measured here: see its row",
    "host_gbps": "published, not measured here: see its row",
    "host_ns": "published, not measured here: see its row",
}


def run() -> int:
    rows = Rows()
    found, there = derive(rows), rows.gpu.timing
    wrong = [name for name in there if name not in found and name not in NOT_FROM_ROWS]
    print(f"{'constant':24} {'model':>8} {'rows':>9}  from")
    for name, value in there.items():
        if name in NOT_FROM_ROWS:
            print(f"{name:24} {value:8g} {'':>9}  {NOT_FROM_ROWS[name]}")
        elif name in found:
            measured, source = found[name]
            print(f"{name:24} {value:8g} {measured:9.4g}  {source}")
            if abs(value / measured - 1) > MOST_OFF:
                wrong.append(name)
    if wrong:
        raise CourseError(f"not what {MICRO.name} says: {', '.join(wrong)}", exit_code=1)
    return 0

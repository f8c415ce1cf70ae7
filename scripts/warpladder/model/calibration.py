# SPDX-License-Identifier: MIT
"""Where the constants of the modelled clock come from: rows of results/h200/micro.json.

`./course model --calibrate` prints each constant of emulator/devices/h200_timing.def beside what the recorded times of
the micro-kernels (tests/model/micro.cu) say, and fails where the two differ by more than they may.
"""

from __future__ import annotations

import json
import math
import re

from ..core.console import CourseError
from ..core.paths import RESULTS, ROOT

MICRO = RESULTS / "h200" / "micro.json"
DEFINITIONS = ROOT / "emulator" / "devices" / "h200_timing.def"
CLOCK = 1.98  # cycles in a nanosecond
MOST_OFF = 0.06  # the constants are rounded
NOT_FROM_ROWS = {
    "calibrated": "a mark, no time",
    "issue_per_cycle": "four schedulers",
    "branch_latency": "by hand",
    "warp_sync_latency": "lessons/04_warp_shuffle/latencies",
}


class Rows:
    def __init__(self) -> None:
        self.rows = json.loads(MICRO.read_text(encoding="utf-8"))["rows"]

    def us(self, id: str, **wanted: int) -> float:
        """The first row with these parameters; `clean` and `kept` are absent unless wanted."""
        for row in self.rows:
            marks = {k: row.get(k, 0) for k in ("clean", "kept")}
            if row["id"] == id and all(
                {**row, **marks}.get(k) == v for k, v in {"clean": 0, "kept": 0, **wanted}.items()
            ):
                return row["us"]
        raise CourseError(f"{MICRO.name} has no row {id} {wanted}")

    def slope(self, id: str, by: str, few: int, many: int, **wanted: int) -> float:
        """Nanoseconds for each more of `by`."""
        return 1e3 * (self.us(id, **{by: many}, **wanted) - self.us(id, **{by: few}, **wanted)) / (many - few)

    def chain(self, id: str) -> float:
        """Cycles of one step of a chain: 256 steps in a round."""
        return CLOCK * self.slope(id, "rounds", 4, 12, chains=1) / 256


def read_time(row: dict, gbps: float, sharpness: float, first: float, shares: tuple[float, float]) -> float:
    """Microseconds that the model gives a row `read`: timing/model.cpp for this one kernel."""
    fit, latency = 1056, 765 / CLOCK / 1e3
    blocks, megabytes = row["blocks"], row["bytes"] / 1e6
    fills = max(1, blocks / fit)
    rounds = row["bytes"] / (blocks * row["width"] * row["in_flight"] * 256)
    dirty = 0 if row.get("clean") else shares[row["streaming"]]
    dram = (megabytes + dirty * min(megabytes, 62.91456)) / gbps * 1e3
    path = max(0, rounds * fills - 1) * latency
    memory = (path**sharpness + dram**sharpness) ** (1 / sharpness)
    starts = (blocks - blocks / fills) * 0.6e-3
    before = 2.752 + latency + (first + 60) / CLOCK / 1e3 + blocks / fills * 0.6e-3
    return before + (memory**3 + starts**3) ** (1 / 3)


def fit_reads(r: Rows, shares: tuple[float, float], bus: float = 4800) -> tuple[float, float, float]:
    """dram_gbps, memory_sharpness and first_read_latency with the least squares of the errors' logarithms."""
    different = {json.dumps({k: v for k, v in x.items() if k not in ("us", "spread")}): x for x in reversed(r.rows)}
    rows = [x for x in different.values() if x["id"] == "read"]

    def cost(at: list[float]) -> float:
        return sum(math.log(read_time(x, min(at[0], bus), at[1], at[2], shares) / x["us"]) ** 2 for x in rows)

    at, step = [4475.0, 1.3, 700.0], [200.0, 0.2, 100.0]
    while max(s / a for s, a in zip(step, at, strict=True)) > 1e-3:
        for i in range(len(at)):
            tries = [[*at[:i], at[i] + s, *at[i + 1 :]] for s in (step[i], -step[i])]
            best = min(tries, key=cost)
            if cost(best) < cost(at):
                at = best
            else:
                step[i] /= 2
    return min(at[0], bus), at[1], at[2]


def derive(r: Rows) -> dict[str, tuple[float, str]]:
    """Constant -> value, rows."""
    one = {"blocks": 1, "threads": 256}
    empty = 1e3 * r.us("empty", **one)
    kernel = (1e3 * r.us("empty", **one, launches=3) - empty) / 2
    event = empty - kernel
    wide = {"width": 16, "in_flight": 4, "blocks": 1056}
    atomics = {"blocks": 132, "addresses": 1, "result": 0, "same_value": 0, "rounds": 1}

    def dirty(streaming: int, size: int) -> float:
        more = r.us("read", **wide, streaming=streaming, bytes=size)
        more -= r.us("read", **wide, streaming=streaming, bytes=size, clean=1)
        return more * 4800e3 / min(size, 62914560)

    def atomic(type: int) -> float:
        more = r.us("atomics", **{**atomics, "rounds": 3}, type=type, lanes=1) - r.us(
            "atomics", **atomics, type=type, lanes=1
        )
        return 1e3 * more / (2 * 132 * 8)

    shares = (sum(dirty(0, b) for b in (17301504, 86507520, 190316544)) / 3, dirty(1, 86507520))
    gbps, sharpness, first_read = fit_reads(r, shares)
    chain = CLOCK * r.slope("atomic_chain", "rounds", 16, 80, type=0)
    ticket = {"blocks": 132, "threads": 256}
    fenced = r.slope("tickets_fenced", "rounds", 1, 9, **ticket) - r.slope("tickets", "rounds", 1, 9, **ticket)
    first = [CLOCK * (1e3 * r.us(k, rounds=1, **one) - empty) for k in ("tickets", "fences")]
    rest = [CLOCK * r.slope(k, "rounds", 1, 9, **one) for k in ("tickets", "fences")]
    barrier = {t: CLOCK * r.slope("barriers", "rounds", 32, 160, blocks=1, threads=t) for t in (256, 1024)}
    per_warp = (barrier[1024] - barrier[256]) / 24
    shared = {s: CLOCK * r.slope("shared_loads", "rounds", 8, 40, width=4, step=s, blocks=1) / 8 for s in (1, 32)}
    round_of_loads = CLOCK * 1e3 * (r.us("read", width=4, in_flight=1, blocks=132, bytes=50282496) - empty / 1e3)
    cas = {
        b: CLOCK * r.slope("shared_atomics", "rounds", 1, 5, type=1, one_address=1, blocks=b, threads=256)
        for b in (1, 1056)
    }
    return {
        "kernel_ns": (kernel, "empty: two launches more"),
        "event_ns": (event, "empty, less kernel_ns (events with nothing between: 1280)"),
        "memset_ns": (1e3 * r.us("memset_empty", bytes=4) - empty, "memset_empty, less empty"),
        "memcpy_ns": (1e3 * r.us("memcpy", bytes=4) - event, "memcpy of 4 bytes, less event_ns"),
        "block_ns": (r.slope("empty", "blocks", 8448, 67584, threads=256), "empty: 8448 and 67584 blocks"),
        "copy_gbps": (2 / r.slope("memcpy", "bytes", 786432, 50331648), "memcpy: 0.8 and 50 MB"),
        "l2_gbps": (
            17301504 / 1e3 / (r.us("read_l2", **wide, bytes=17301504) - r.us("empty", blocks=1056, threads=256)),
            "read_l2 of 17 MB, less empty of as many blocks",
        ),
        "dirty_share": (shares[0], "read, flushed less clean: mean of 17, 87 and 190 MB"),
        "dirty_share_streaming": (shares[1], "the same with streaming loads, 87 MB (17: 0.42, 190: 0.56)"),
        "dram_latency": (
            round_of_loads / (50282496 / (132 * 1024)) - 20,
            "read: a round of one load, 132 blocks, less 20 for its loop (a chase alone: 665)",
        ),
        "l2_latency": (CLOCK * r.slope("chase_l2", "steps", 256, 1024, bytes=1048576) - 8, "chase_l2, less 8"),
        "first_access_latency": (
            sum(a - b for a, b in zip(first, rest, strict=True)) / 2,
            "tickets, fences: the first round, less a later one",
        ),
        "atomic_latency": (chain - 8, "atomic_chain, less 8"),
        "fence_latency": (CLOCK * fenced, "tickets_fenced less tickets, 132 blocks"),
        "float_atomic_ns": (atomic(1), "atomics, floats, one lane of each warp"),
        "integer_atomic_ns": (atomic(0), "atomics, integers, one lane of each warp"),
        "arithmetic_latency": (r.chain("float_fma"), "float_fma"),
        "special_latency": (r.chain("special"), "special"),
        "shared_latency": (shared[1] - 12, "shared_loads, less three operations"),
        "shared_pass_latency": ((shared[32] - shared[1]) / 31, "shared_loads: 32 ways less none"),
        "cluster_latency": (
            CLOCK * r.slope("cluster_loads", "rounds", 16, 80, cluster=8) - 14,
            "cluster_loads, clusters of 8, less 14 for the address",
        ),
        "shuffle_latency": (r.chain("shuffle"), "shuffle"),
        "vote_latency": (r.chain("vote") - 4, "vote, less the comparison"),
        "redux_latency": (r.chain("redux"), "redux"),
        "match_latency": (r.chain("match"), "match"),
        "barrier_per_warp": (per_warp, "barriers: 256 and 1024 threads"),
        "barrier_latency": (barrier[256] - 8 * per_warp - 2, "barriers of 256 threads, less 2 for the loop"),
        "cluster_barrier_latency": (
            CLOCK * r.slope("cluster_barriers", "rounds", 1, 8, cluster=8, blocks=16) - 5,
            "cluster_barriers, clusters of 8, less 5",
        ),
        "shared_cas_latency": (cas[1] / 256, "shared_atomics, floats, one block"),
        "shared_cas_cycles": (cas[1056] / 2048, "the same, all multiprocessors full"),
        "shared_per_cycle": (
            32 * 32 * 8 / (CLOCK * r.slope("shared_loads", "rounds", 8, 40, width=4, step=32, blocks=528)),
            "shared_loads, 32 ways, 32 warps",
        ),
        "barrier_cycles": (
            CLOCK * r.slope("barriers", "rounds", 32, 160, blocks=1056, threads=256) / 64,
            "barriers of 256 threads, all multiprocessors full",
        ),
        "dram_gbps": (gbps, "least squares over the 64 rows `read`, held to what the bus can do"),
        "memory_sharpness": (sharpness, "the same"),
        "first_read_latency": (first_read, "the same"),
    }


def defined() -> dict[str, str]:
    return dict(re.findall(r"^TIME\((\w+), ([^)]+)\)", DEFINITIONS.read_text(encoding="utf-8"), re.MULTILINE))


def run() -> int:
    found, there = derive(Rows()), defined()
    wrong = [name for name in there if name not in found and name not in NOT_FROM_ROWS]
    print(f"{'constant':24} {'model':>8} {'rows':>9}  from")
    for name, value in there.items():
        if name in NOT_FROM_ROWS:
            print(f"{name:24} {value:>8} {'':>9}  {NOT_FROM_ROWS[name]}")
        elif name in found:
            measured, source = found[name]
            print(f"{name:24} {value:>8} {measured:9.4g}  {source}")
            if abs(float(value) / measured - 1) > MOST_OFF:
                wrong.append(name)
    if wrong:
        raise CourseError(f"not what {MICRO.name} says: {', '.join(wrong)}", exit_code=1)
    return 0

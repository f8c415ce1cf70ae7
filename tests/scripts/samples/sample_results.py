# SPDX-License-Identifier: MIT
"""Made-up results in the shape of real ones, for the tests of charts and tables. No number here was measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from warpladder.results import saved

# Lesson -> rungs as (id, fixed us, GB/s at full speed); None: integers only.
LADDER: dict[str, list[tuple[str, float, float | None]]] = {
    "01_naive_atomic": [("global_atomic", 3, 2.3), ("shared_atomic", 3, 88)],
    "02_shared_memory_tree": [("interleaved", 4, 640), ("strided", 4, 910), ("sequential", 4, 1080)],
    "03_divergence_free": [
        ("first_add_on_load", 4, 1900),
        ("grid_stride", 5, 2450),
        ("last_warp", 5, 2470),
        ("unrolled", 5, 2480),
        ("vector_load", 5, 4100),
    ],
    "04_warp_shuffle": [
        ("shuffle_down", 4.5, 2500),
        ("shuffle_xor", 4.5, 2500),
        ("shuffle_block", 4.5, 2620),
        ("shuffle_vector", 4.5, 4180),
        ("redux", 4.5, None),
    ],
    "05_cooperative_groups": [
        ("tile_reduce", 4.5, 4190),
        ("coalesced", 4.5, 3900),
        ("last_block", 4.0, 4390),
        ("grid_sync", 5.5, 4380),
        ("cluster", 4.2, 4400),
        ("async_copy", 3.8, 4528),
    ],
}
BUS, ROOF = 4814.304, 4500.0


def _row(id_: str, kind: str, us: float, n: int, idea: str = "") -> dict[str, Any]:
    samples = [round(us * (1 + 0.004 * step), 3) for step in (-2, -1, 0, 1, 2)]
    return {
        "id": id_,
        "idea": idea or f"the idea of {id_}",
        "kind": kind,
        "samples_us": samples,
        "median_us": us,
        "spread": 0.004,
        "slow_samples": 0,
        "gbps": 4 * n / us / 1e3,
        "ok": True,
        "expected": 1.0,
        "actual": 1.0,
        "error": 0.0,
        "bound": 0.001,
    }


def _us(fixed: float, gbps: float, n: int, speed: float) -> float:
    return fixed + 4 * n / (gbps * speed) / 1e3


def document(
    lesson: str,
    type_: str = "f32",
    n: int = 1 << 26,
    only: str = "",
    speed: float = 1.0,
    **more: Any,  # noqa: ANN401
) -> dict[str, Any]:
    """What a lesson program writes."""
    rows = [_row("cpu_1_thread", "cpu", 4 * n / 9.1e3, n, "one CPU core, one loop")]
    rows += [_row("cpu_16_threads", "cpu", 30 + 4 * n / 96e3, n, "all CPU cores")]
    for id_, fixed, gbps in LADDER[lesson]:
        if only and id_ != only:
            continue
        if gbps is None and type_ == "f32":
            skipped = "it adds integers only (--type i32)"
            rows.append({"id": id_, "idea": f"the idea of {id_}", "kind": "rung", "skipped": skipped})
        else:
            rows.append(_row(id_, "rung", _us(fixed + 0.3 * (type_ == "i32"), gbps or 4180, n, speed), n))
    rows.append(_row("cub", "library", _us(6.6, 4530, n, speed), n, "cub::DeviceReduce::Sum"))
    device = {"name": "NVIDIA H200", "sm": 90, "multiprocessors": 132, "bus_gbps": BUS * speed}
    return {
        "schema": 1,
        "lesson": lesson,
        "type": type_,
        "n": n,
        "seed": 1,
        "block": 256,
        "date": "2026-01-02T03:04:05Z",
        "revision": "abc1234",
        "backend": "gpu",
        "times": "measured",
        "flush": "clean",
        "device": device,
        "roof": {"read_gbps": ROOF * speed, "copy_gbps": 4277 * speed},
        "rows": rows,
        **more,
    }


def experiment(lesson: str = "04_warp_shuffle") -> dict[str, Any]:
    latencies = {
        "id": "chain",
        "title": "Latency of one step",
        "unit": "cycles",
        "columns": ["what", "32 threads", "1024 threads"],
        "rows": [["__shfl_xor_sync", 24.03, 32.1], ["__match_any_sync", 369.2, None]],
    }
    base = document("01_naive_atomic")
    kept = {key: base[key] for key in ("schema", "date", "revision", "backend", "times", "flush", "device")}
    return {**kept, "kind": "experiment", "lesson": lesson, "name": "latencies", "tables": [latencies]}


def lock_free() -> list[dict[str, Any]]:
    """Lesson 06: what its program and its curves over the threads write."""
    locks = ["locked_tas", "locked_backoff", "locked_ticket"]
    ids = {
        "stack": ["stack_versioned", "stack_warp", *locks],
        "queue": ["queue_linked", "queue_ring", "queue_ring_warp", "queue_ring_word", *locks],
        "map": ["map_thread", "map_tile", *locks],
    }
    tables = []
    for family, mixes in {
        "stack": ("push", "half", "bursts"),
        "queue": ("push", "half", "bursts"),
        "map": ("insert", "find", "mixed"),
    }.items():
        for place, mix in enumerate(mixes):
            columns = ["threads", "counter", *ids[family]]
            rows: list[list[Any]] = []
            for threads in (1, 32, 256, 2048, 16384, 270336):
                counter = min(900.0, 1.5 * threads**0.8)
                free = [min(3.0 * 4**i, 0.7 * threads**0.6 * (i + 1)) for i, id_ in enumerate(ids[family])]
                locked = [None if threads > 1e5 else 0.9 / (i + 1) / threads**0.2 for i in range(len(free))]
                cells = [
                    b if id_.startswith("locked") else a for a, b, id_ in zip(free, locked, ids[family], strict=True)
                ]
                rows.append([str(threads), *[cell and cell * (1 + 0.3 * place) for cell in (counter, *cells)]])
            title = f"One {family}, {mix}"
            tables.append(
                {"id": f"{family}_{mix}", "title": title, "unit": "million/s", "columns": columns, "rows": rows}
            )
    rates = {
        "id": "rates",
        "title": "Operations per second",
        "unit": "",
        "columns": ["rung", "operations", "us", "million/s", "x previous", "x counter"],
        "rows": [["counter", 1e6, 500.0, 2000.0, None, 1.0], ["stack_versioned", 1e6, 5000.0, 200.0, None, 0.1]],
    }
    kept = {key: value for key, value in experiment("06_lock_free").items() if key not in ("name", "tables")}
    return [
        {**kept, "name": "contention", "tables": tables, "part": "experiment"},
        {**kept, "name": "structures", "tables": [rates], "part": "experiment"},
    ]


def families() -> dict[str, Any]:
    """What a lesson of families writes: a table and an array, with a rung that was skipped."""
    kept = {key: value for key, value in experiment("07_vote_and_match").items() if key not in ("name", "tables")}
    skipped = {
        "id": "hist_lanes",
        "idea": "a counter for each lane",
        "kind": "rung",
        "skipped": "it is made for 256 bins",
    }
    n = 1 << 20
    parts = [
        {
            "family": "histogram",
            "about": "histogram",
            "n": n,
            "chosen": {"sample": "u32", "bins": "64"},
            "rows": [_row("cpu_1_thread", "cpu", 4000, n), _row("hist_global", "rung", 80, n), skipped]
            + [_row("hist_best", "rung", 8, n), _row("cub", "library", 16, n)],
        },
        {
            "family": "select",
            "about": "compaction",
            "n": n,
            "chosen": {"keep": "50"},
            "rows": [_row("cpu_1_thread", "cpu", 900, n), _row("sel_atomic", "rung", 90, n)],
        },
    ]
    more = {"kind": "families", "seed": 1, "block": 256, "roof": {"read_gbps": ROOF, "copy_gbps": ROOF - 100}}
    return {**kept, **more, "families": parts, "part": "families"}


def documents(types: tuple[str, ...] = ("f32", "i32"), speed: float = 1.0, **more: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """A whole run: ladder, experiment, sweep."""
    found = []
    for type_ in types:
        found += [{**document(lesson, type_, speed=speed, **more), "part": "ladder"} for lesson in LADDER]
    found.append({**experiment(), **more, "part": "experiment"})
    mains = [("01_naive_atomic", "global_atomic")] + [
        (lesson, [id_ for id_, _, gbps in rungs if gbps][-1]) for lesson, rungs in LADDER.items()
    ]
    for type_ in types:
        for lesson, rung in mains:
            top = rung == "async_copy"
            if not top and type_ != "f32":
                continue
            last = 27 if rung == "global_atomic" else 31
            for exponent in range(10, last, 1 if top else 2):
                only = "" if top and exponent == 20 else rung  # there the whole lesson is run
                swept = document(lesson, type_, 1 << exponent, only, speed, **more)
                found.append({**swept, "part": "sweep"})
    return found


def write(folder: Path, found: list[dict[str, Any]] | None = None, command: str = "./course run --publish") -> Path:
    path = folder / saved.NAME
    saved.save(path, saved.collect(documents() if found is None else found, command))
    return path

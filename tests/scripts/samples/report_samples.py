# SPDX-License-Identifier: MIT
"""The data of a report, as small as it can be and still have everything in it."""

from __future__ import annotations

from typing import Any

from warpladder.report import gather, steps

_INST, _THREADS = "smsp__sass_inst_executed.sum", "smsp__sass_thread_inst_executed_pred_on.sum"
_SECTORS, _IDEAL = "smsp__sass_sectors_mem_global.sum", "smsp__sass_sectors_mem_global_ideal.sum"
TRACE = """trace of send<<<2, 1>>>, schedule random:11, weak memory
    1  b0 t0    store weak         message      0 -> 42          stale.cu:19      message = value;
    2  b1 t0    load weak          message      0 (stale: newest is 42)  stale.cu:23      received[1] = message;
    3  b1 t0    fence acq_rel.gpu
end after 3 steps, schedule random:11, weak memory
"""
FINDING: dict[str, Any] = {
    "check": "race",
    "id": "race-shared",
    "severity": "error",
    "count": 32,
    "title": "race in shared memory",
    "kernel": "sum(int*)",
    "what": "s[32]",
    "why": "no __syncthreads() lies between",
    "cure": "__syncthreads()",
    "accesses": [
        {"who": "thread (0,0,0)", "does": "reads 7", "where": "sum.cu:5", "file": "/tmp/sum.cu", "line": 5},
        {"who": "thread (32,0,0)", "does": "writes 0", "where": "sum.cu:4", "file": "/tmp/sum.cu", "line": 4},
    ],
}
_ALL = 0xFFFFFFFF
_STORES = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"


def sample(
    name: str = "scatter(float*)", line: str = "  out[8 * i] = i;", file: str = "/tmp/scatter.cu", lines: int = 3
) -> dict[str, Any]:
    counters = {_INST: 10, _THREADS: 300, _SECTORS: 32, _IDEAL: 4, _STORES: 1}
    store = {
        "at": 0,
        "space": "global",
        "kind": "store",
        "bytes": 4,
        "pieces": 32,
        "ideal": 4,
        "block": [0, 0, 0],
        "warp": 0,
    }
    banks = {**store, "at": 1, "space": "shared", "kind": "load", "pieces": 32, "ideal": 1}
    kernel = {
        "name": name,
        "grid": [2, 1, 1],
        "block": [64, 1, 1],
        "failed": False,
        "launches": 3,
        "model": {"modelled_ns": 2500, "limited_by": "dram", "percent": 80, "alone_ns": {"dram": 2000, "issue": 20},
            "because": "it is busy", "what_if": [{"without": "conflicts", "modelled_ns": 9, "file": file, "line": 2}]},
        "figures": {
            "launch__grid_size": 2, "launch__block_size": 64, "launch__registers_per_thread": 20,
            "launch__shared_mem_per_block": 0, "warpladder__resident_blocks": 4224,
            "warpladder__footprint_sectors_read": 8, "warpladder__footprint_sectors_written": 64,
        },
        "counters": counters,
        "files": [file],
        "lines": [[0, number, counters] for number in range(2, lines + 1)],
        "picture_files": [file],
        "instructions": [[0, 2, 2, 64, "st.global.f32 [%rd1], %f1;"], [0, 3, 2, 48, "ld.shared.f32 %f1, [%r1];"]],
        "requests": [
            {**store, "mask": _ALL, "addresses": [4096 + 32 * lane for lane in range(32)]},
            {**banks, "mask": _ALL, "addresses": [128 * lane for lane in range(32)]},
        ],
        "warps": [{"block": [0, 0, 0], "warp": 0, "total": 9, "steps": [[0, _ALL, _ALL], [1, 0xFFFF, 0xFF]]}],
    }  # fmt: skip
    failed = {
        **kernel,
        "name": "failed(" + "unsigned long, " * 30 + "int)",
        "failed": True,
        "model": None,
        "lines": [],
        "files": [],
        "requests": [],
        "warps": [],
    }
    return {
        "device": gather.device("h200"),
        "kernels": [kernel, failed],
        "sources": {file: {"text": ["__global__ void f() {", *[line] * (lines - 1)]}},
        "counters": gather.meanings(),
        "traces": steps.traces(TRACE),
        "findings": [FINDING, {**FINDING, "accesses": FINDING["accesses"][:1], "severity": "remark", "count": 1}],
    }

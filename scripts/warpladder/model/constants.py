# SPDX-License-Identifier: MIT
"""Each constant of the modelled clock out of the rows of the micro-kernels, and a word on which rows these are.

Most are a slope between two rows. Where operations around the one that is meant had to be subtracted by hand, the word
says how many cycles they take.
"""

from __future__ import annotations

from . import reads
from .rows import Rows

Found = dict[str, tuple[float, str]]  # constant -> value, rows
_ONE = {"blocks": 1, "threads": 256}


def derive(r: Rows) -> Found:
    return {**on_a_stream(r), **memory(r), **second_level(r), **atomics(r), **chains(r), **blocks(r)}


def on_a_stream(r: Rows) -> Found:
    empty = 1e3 * r.us("empty", **_ONE)
    more = [1e3 * r.us("empty", **_ONE, launches=n) - empty for n in (2, 3)]
    kernel = (more[0] + more[1] / 2) / 2
    event = empty - kernel
    few, many = 64 * r.gpu.multiprocessors, 512 * r.gpu.multiprocessors
    return {
        "kernel_ns": (kernel, "empty: one and two launches more, for each: mean of both"),
        "event_ns": (event, "empty, less kernel_ns (events with nothing between: 1280)"),
        "memset_ns": (1e3 * r.us("memset_empty", bytes=4) - empty, "memset_empty, less empty"),
        "memcpy_ns": (1e3 * r.us("memcpy", bytes=4) - event, "memcpy of 4 bytes, less event_ns"),
        "block_ns": (r.slope("empty", "blocks", few, many, threads=256), f"empty: {few} and {many} blocks"),
        "copy_gbps": (2 / r.slope("memcpy", "bytes", 786432, 50331648), "memcpy: 0.8 and 50 MB"),
    }


def memory(r: Rows) -> Found:
    gpu, full = r.gpu, r.gpu.resident(256)
    wide = {"width": 16, "in_flight": 4, "blocks": full}
    small, middle, large = 17301504, 86507520, 190316544  # bytes

    def dirty(streaming: int, size: int) -> float:
        more = r.us("read", **wide, streaming=streaming, bytes=size, dirty=1)
        more -= r.us("read", **wide, streaming=streaming, bytes=size)
        return more * 1e3 * gpu.timing["dram_gbps"] / min(size, gpu.profile["l2_bytes"])

    shares = (sum(dirty(0, size) for size in (small, middle, large)) / 3, dirty(1, middle))
    fitted = reads.fit(r, shares)
    few, size = gpu.multiprocessors, 50282496
    loads = r.us("read", width=4, in_flight=1, blocks=few, bytes=size) - r.us("empty", **_ONE)
    rounds = size / (few * reads.THREADS * 4)
    first = [gpu.clock * 1e3 * (r.us(k, rounds=1, **_ONE) - r.us("empty", **_ONE)) for k in ("tickets", "fences")]
    later = [r.cycles(k, "rounds", 1, 9, **_ONE) for k in ("tickets", "fences")]
    hits = r.us("read_l2", **wide, bytes=small) - r.us("empty", blocks=full, threads=256)
    return {
        "l2_gbps": (small / 1e3 / hits, "read_l2 of 17 MB, less empty of as many blocks"),
        "dirty_share": (shares[0], "read, flushed less clean: mean of 17, 87 and 190 MB"),
        "dirty_share_streaming": (shares[1], "the same with streaming loads, 87 MB (17: 0.42, 190: 0.56)"),
        "dram_latency": (
            gpu.clock * 1e3 * loads / rounds - 20,
            f"read: a round of one load, {few} blocks, less 20 for its loop (a chase alone: 665)",
        ),
        "l2_latency": (r.cycles("chase_l2", "steps", 256, 1024, bytes=1048576) - 8, "chase_l2, less 8"),
        "first_access_latency": (
            sum(a - b for a, b in zip(first, later, strict=True)) / 2,
            "tickets, fences: the first round, less a later one",
        ),
        "dram_gbps": (
            fitted.gbps,
            f"least squares over the {len(r.of('read'))} rows `read`, held to what the bus can do",
        ),
        "memory_sharpness": (fitted.memory_sharpness, "the same"),
        "first_read_latency": (fitted.first_read_latency, "the same"),
    }


def second_level(r: Rows) -> Found:
    """What the L2 cache takes for stores and for atomics; rows `kept` have a launch in them that is not hidden."""
    full = r.gpu.resident(256)
    warps, launch = full * 8, r.us("empty", **_ONE, kept=1)

    def stored(step: int, fill: int, sectors: int, **wanted: int) -> float:
        """Nanoseconds for each sector."""
        slope = r.slope("strided_write", "rounds", 8, 32, step=step, fill=fill, **wanted)
        return slope / (warps * sectors)

    def counted(blocks: int, **wanted: int) -> float:
        """Nanoseconds for each lane."""
        us = r.us("bins", type=0, skew=0, blocks=blocks, **wanted, kept=1) - launch
        return 1e3 * us / (blocks * 256 * 8)

    def cycles(result: int) -> float:
        return counted(full, result=result, bins=1 << 20, step=1) * r.gpu.clock * r.gpu.multiprocessors

    alone = (stored(32, 1, 32) + stored(32, 1, 32, kept=1)) / 2
    return {
        "l2_store_ns": (stored(1, 0, 4), "strided_write side by side"),
        "l2_word_ns": (stored(8, 1, 32), "strided_write, a word of each sector"),
        "l2_store_line_ns": (alone, "strided_write, a word of each line: mean of clean and kept"),
        "slice_atomic_ns": (
            counted(r.gpu.multiprocessors, result=0, bins=8, step=8),
            "bins: eight sectors side by side, less a launch",
        ),
        "atomic_cycles": (cycles(0), "bins: a million, less a launch"),
        "atomic_result_cycles": (cycles(1), "the same with results"),
        "l1_latency": (r.cycles("reread_chain", "rounds", 64, 320) - 16, "reread_chain, less 16 for the address"),
    }


def atomics(r: Rows) -> Found:
    blocks, warps = r.gpu.multiprocessors, 8

    def on_one_address(type: int) -> float:
        """Nanoseconds for each lane, one of each warp."""
        alone = {"blocks": blocks, "addresses": 1, "result": 0, "same_value": 0, "type": type, "lanes": 1}
        return r.slope("atomics", "rounds", 1, 3, **alone) / (blocks * warps)

    ticket = {"blocks": blocks, "threads": 256}
    fenced = r.cycles("tickets_fenced", "rounds", 1, 9, **ticket) - r.cycles("tickets", "rounds", 1, 9, **ticket)
    full = r.gpu.resident(256)
    cas = {
        some: r.cycles("shared_atomics", "rounds", 1, 5, type=1, one_address=1, blocks=some, threads=256)
        for some in (1, full)
    }
    return {
        "atomic_latency": (r.cycles("atomic_chain", "rounds", 16, 80, type=0) - 8, "atomic_chain, less 8"),
        "fence_latency": (fenced, f"tickets_fenced less tickets, {blocks} blocks"),
        "float_atomic_ns": (on_one_address(1), "atomics, floats, one lane of each warp"),
        "integer_atomic_ns": (on_one_address(0), "atomics, integers, one lane of each warp"),
        "shared_cas_latency": (cas[1] / 256, "shared_atomics, floats, one block"),
        "shared_cas_cycles": (cas[full] / r.gpu.profile["max_threads_per_sm"], "the same, all multiprocessors full"),
    }


def chains(r: Rows) -> Found:
    """One operation after the other."""
    one = {"width": 4, "blocks": 1}
    ways = {step: r.cycles("shared_loads", "rounds", 8, 40, step=step, **one) / 8 for step in (1, 32)}
    return {
        "arithmetic_latency": (r.chain("float_fma"), "float_fma"),
        "special_latency": (r.chain("special"), "special"),
        "shared_latency": (ways[1] - 12, "shared_loads, less three operations"),
        "shared_pass_latency": ((ways[32] - ways[1]) / 31, "shared_loads: 32 ways less none"),
        "cluster_latency": (
            r.cycles("cluster_loads", "rounds", 16, 80, cluster=8) - 14,
            "cluster_loads, clusters of 8, less 14 for the address",
        ),
        "shuffle_latency": (r.chain("shuffle"), "shuffle"),
        "vote_latency": (r.chain("vote") - 4, "vote, less the comparison"),
        "redux_latency": (r.chain("redux"), "redux"),
        "match_latency": (r.chain("match"), "match"),
    }


def blocks(r: Rows) -> Found:
    """Barriers, and what a multiprocessor does at most."""
    alone = {t: r.cycles("barriers", "rounds", 32, 160, blocks=1, threads=t) for t in (256, 1024)}
    per_warp = (alone[1024] - alone[256]) / 24
    some, full = 4 * r.gpu.multiprocessors, r.gpu.resident(256)
    conflicts = r.cycles("shared_loads", "rounds", 8, 40, width=4, step=32, blocks=some)
    crowded = r.cycles("barriers", "rounds", 32, 160, blocks=full, threads=256)
    return {
        "barrier_per_warp": (per_warp, "barriers: 256 and 1024 threads"),
        "barrier_latency": (alone[256] - 8 * per_warp - 2, "barriers of 256 threads, less 2 for the loop"),
        "cluster_barrier_latency": (
            r.cycles("cluster_barriers", "rounds", 1, 8, cluster=8, blocks=16) - 5,
            "cluster_barriers, clusters of 8, less 5",
        ),
        "shared_per_cycle": (32 * 32 * 8 / conflicts, "shared_loads, 32 ways, 32 warps"),
        "barrier_cycles": (
            crowded / r.gpu.profile["max_warps_per_sm"],
            "barriers of 256 threads, all multiprocessors full",
        ),
    }

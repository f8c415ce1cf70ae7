# SPDX-License-Identifier: MIT
"""Lesson 00: the parts of a GPU, who is who in a grid, coalesced and scattered loads, loads in flight."""

from __future__ import annotations

from .svg import Picture


def anatomy() -> str:
    p = Picture(
        470,
        "The parts of a GPU",
        "On the left the host: a CPU with its own memory. A bus leads to the device. The device has DRAM, called "
        "global memory, an L2 cache that all share, and many multiprocessors. One multiprocessor is drawn large: four "
        "schedulers, each with registers and with the warps whose instructions it issues, and below them one piece of "
        "fast memory that is shared memory and L1 cache.",
    )
    p.text(24, 32, "Host and device", size=15, bold=True)
    p.box(24, 52, 128, 394, "plain")
    p.text(88, 74, "host", bold=True, anchor="middle")
    p.box(40, 92, 96, 150, "idle", "CPU")
    p.box(40, 330, 96, 98, "idle")
    p.text(88, 372, "host", size=12, anchor="middle")
    p.text(88, 390, "memory", size=12, anchor="middle")
    p.line(88, 242, 88, 330, "faint", thick=3)
    p.line(152, 379, 214, 379, "faint", thick=5)
    p.text(183, 366, "bus", size=12, anchor="middle", colour="note")

    p.box(214, 52, 562, 394, "plain")
    p.text(230, 74, "device: the GPU", bold=True)
    _multiprocessor(p, 232, 92, 334, 206)
    for row in range(3):
        for column in range(3):
            p.box(586 + column * 60, 116 + row * 50, 52, 42, "idle", "SM")
    p.text(671, 104, "and many more of them", size=12, anchor="middle", colour="note")
    p.text(671, 284, "SM: multiprocessor", size=12, anchor="middle", colour="note")
    p.arrow(399, 298, 399, 322)
    p.arrow(671, 292, 671, 322)
    p.box(232, 322, 528, 40, "second", "L2 cache: one for all multiprocessors", size=13)
    p.arrow(495, 362, 495, 386)
    p.box(232, 386, 528, 44, "third", "DRAM: global memory", size=13)
    return p.svg()


def _multiprocessor(p: Picture, x: float, y: float, width: float, height: float) -> None:
    p.box(x, y, width, height, "plain", dashed=True)
    p.text(x + 12, y + 20, "one multiprocessor (SM), enlarged", size=12.5, bold=True)
    part = (width - 24 - 3 * 8) / 4
    for k in range(4):
        left = x + 12 + k * (part + 8)
        p.box(left, y + 32, part, 24, "work", "scheduler", size=11)
        for w in range(3):
            p.box(left, y + 62 + w * 18, part, 15, "idle", "warp", size=10)
        p.box(left, y + 122, part, 30, "result", "registers", size=11)
    p.box(x + 12, y + 160, width - 24, 34, "fourth", "shared memory and L1 cache", size=12)


def grid() -> str:
    p = Picture(
        330,
        "Grid, block, warp, thread",
        "A grid of four blocks with 64 threads each. Block 2 is drawn large: it has two warps of 32 threads. Thread 37 "
        "of block 2 is lane 5 of warp 1, and its number in the whole grid is 2 times 64 plus 37, which is 165.",
    )
    p.text(24, 32, "saxpy<<<4, 64>>>: a grid of 4 blocks, 64 threads in each", size=15, bold=True)
    for b in range(4):
        p.box(24 + b * 190, 52, 182, 40, "second" if b == 2 else "idle", f"block {b}: threads 0 to 63")
    p.line(404, 92, 24, 134, "faint")
    p.line(586, 92, 776, 134, "faint")
    p.box(24, 134, 752, 122, "plain")
    p.text(36, 154, "block 2 (blockIdx.x is 2, blockDim.x is 64)", size=12.5, bold=True)
    for w in range(2):
        top = 166 + w * 42
        p.text(36, top + 18, f"warp {w}", size=12)
        fills = ["wait" if (w, lane) == (1, 5) else "work" for lane in range(32)]
        labels = [str(w * 32 + lane) for lane in range(32)]
        p.cells(90, top, 19, fills, labels, gap=2, height=26, text_size=9.5)
    p.text(24, 284, "threadIdx.x is 37: lane 5 of warp 1. Its number in the whole grid:", size=13)
    p.text(24, 310, "blockIdx.x * blockDim.x + threadIdx.x  =  2 * 64 + 37  =  165", size=13, mono=True)
    return p.svg()


def coalescing() -> str:
    p = Picture(
        390,
        "Coalesced and scattered loads",
        "Above: 32 lanes read 32 floats in a row. They lie in four sectors of 32 bytes, and every byte that is fetched "
        "is used. Below: 32 lanes read floats that are 8 apart. Each lies in a sector of its own: 32 sectors are "
        "fetched, and of each 4 bytes are used.",
    )
    left, cell = 24.0, 23.5
    p.text(24, 32, "x[i]: 32 lanes read neighbours", size=15, bold=True)
    _lanes(p, left, 46, cell)
    for s in range(4):
        p.box(left + s * 8 * cell, 96, 8 * cell - 3, 26, "work", f"sector {s}: 32 bytes", size=11.5)
    for lane in range(32):
        x = left + lane * cell + cell / 2 - 1
        p.line(x, 68, x, 96, "work", thick=1)
    p.text(24, 146, "4 sectors for 128 bytes: coalesced. All that is fetched is used.", size=12.5, colour="note")

    p.text(24, 196, "x[8 * i]: every eighth element", size=15, bold=True)
    _lanes(p, left, 210, cell)
    for lane in range(32):
        x = left + lane * cell
        p.line(x + cell / 2 - 1, 232, x + 2, 262, "wait", thick=1)
        p.box(x, 262, cell - 3, 26, "idle", round_by=0)
        p.box(x, 262, (cell - 3) / 8 + 1, 26, "wait", round_by=0)
    p.text(
        24, 312, "32 sectors for the same 128 bytes: 1024 bytes are fetched, and an eighth of them is used.", size=12.5
    )
    p.legend(24, 348, [("work", "used"), ("wait", "used, 4 bytes of each sector"), ("idle", "fetched for nothing")])
    p.text(24, 376, "A sector, 32 bytes, is the smallest piece that memory gives.", size=12.5, colour="note")
    return p.svg()


def _lanes(p: Picture, left: float, top: float, cell: float) -> None:
    p.cells(left, top, cell - 3, ["plain"] * 32, [str(lane) for lane in range(32)], gap=3, height=22, text_size=9.5)


def little() -> str:
    p = Picture(
        350,
        "Loads in flight",
        "Above: one warp asks for 128 bytes, waits for the latency, asks again. Three loads take three latencies. "
        "Below: eight warps ask one after the other without waiting for each other. In the time of three latencies 24 "
        "loads come back. The bytes in flight are the bandwidth times the latency.",
    )
    left, width = 110.0, 222.0
    p.text(24, 32, "One warp: nothing happens while it waits", size=15, bold=True)
    _waiting(p, left, 48, width, 0, "one warp")
    p.text(24, 104, "Eight warps: while one waits, others ask", size=15, bold=True)
    for w in range(8):
        _waiting(p, left, 120 + w * 20, width, w, f"warp {w}")
    p.arrow(left, 294, 788, 294, "faint")
    p.text(788, 312, "time", size=12, anchor="end", colour="note")
    p.legend(24, 312, [("work", "the load is issued"), ("idle", "it is in flight"), ("result", "the bytes arrive")])
    p.text(24, 340, "Little's law: bytes in flight = bandwidth × latency. More in flight, more bandwidth.", size=12.5)
    return p.svg()


def _waiting(p: Picture, left: float, top: float, width: float, warp: int, name: str) -> None:
    p.text(24, top + 12, name, size=12)
    late = warp * 9.0
    for load in range(3):
        x = left + late + load * (width - 26)
        p.box(x, top, 10, 15, "work", round_by=0)
        p.box(x + 10, top, width - 50, 15, "idle", round_by=0)
        p.box(x + width - 40, top, 10, 15, "result", round_by=0)


PICTURES = {"anatomy": anatomy, "grid": grid, "coalescing": coalescing, "little": little}

# SPDX-License-Identifier: MIT
"""The chart of the timing set: modelled against measured time, a dot for each case, by kind of kernel and by half.

python -m warpladder.charts.timing_set REPORT.json draws it beside that file.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from matplotlib import pyplot

from . import base

# Some hundred families are more than anybody tells apart: by what their kernels have in common.
KINDS = {
    "streams and strides": (
        "stream strided transpose stencil convolution relax blur sample layout text life fourier"
        " channels median widen grey encode wave particles recursive bytes words apart columns every same"
        " runs few room with several some fields packing own windows running weights"
        " adam pooling dilation dither wavelet boltzmann march radio flux minimiser beamform"
        " vectors hops flips grids convolve copies turns layouts images stencils"
        " erosions gradients pyramids rotations jacobis bitmaps"
        " axpys strides transposing records convs stencilled updates movers flipped meshes blurs",
        base.SKY,
        "o",
    ),
    "sums, scans and sorts": (
        "dot axis scan sort compact normalise rounds radix merge prefix extreme segments layer"
        " winner topmost loss moments order rows shell scans sieves sorting rowwise totals"
        " sums prefixes orders filters softmaxes norms unions uniques dotting rowcols compacts scanning bitonics"
        " reduced runsums sorters rownorms",
        base.GREEN,
        "s",
    ),
    "products and arithmetic": (
        "product matvec bodies batched units chance local factor paths attention numbers octets halves noise bits"
        " align rays checksum thomas triangular small binomial hamming alone busy"
        " householder quantised cosine cyclic orbit polygon"
        " aes implied queens viterbi skinning dispersion kinetics elements gemm gemv packs inner worlds"
        " products matvecs batches dots draws eigens splines pendulums convnets gemms matmuls nbodies montecarlos"
        " tileprods vecprods smallbatch brutes",
        base.ORANGE,
        "^",
    ),
    "atomics and tables": (
        "atomics histogram hash lookup banks contend means tone components bloom groups deposit"
        " raster spectrum scoring bins hashes tallies lookups groupings equalise histos tables bincounts hashfills",
        base.VERMILION,
        "D",
    ),
    "irregular": (
        "gather sparse graph fractal uneven latency lists frontier triplets blocked ranks triangles molecules anywhere"
        " embedding joins kdtree forest routes lempel lidar boxes indirect spmv walks"
        " picks sparses graphs spmms traversals forces tokens gathering fractals rowsparse breadth sparsemats crawls",
        base.PURPLE,
        "v",
    ),
}


def kind_of(family: str) -> str:
    return next(kind for kind, (families, _, _) in KINDS.items() if family in families.split())


def draw(report: dict[str, Any], path: Path) -> None:
    with pyplot.rc_context(base.STYLE):
        _draw(report, path)


def _draw(report: dict[str, Any], path: Path) -> None:
    points, halves, measured = report["points"], report["halves"], list(report["measured"].values())
    device = measured[0]["device"]
    title = f"Modelled times of kernels that are no rungs, beside the {device.removeprefix('NVIDIA ')}'s"
    subtitle = f"{sum(half['kernels'] for half in halves.values())} kernels, {len(points)} cases; off by " + ", ".join(
        f"{half['mean_off']:.2f}× ({name})" for name, half in halves.items()
    )
    footer = (
        f"across: measured, {device}, {', '.join(one['date'] + ' (' + one['revision'] + ')' for one in measured)}  ·  "
        f"up: modelled by the emulator, revision {report['revision']}, not measured"
    )
    figure, axes = base.titled(6.6, title, subtitle, footer, left=0.85, right=0.3)
    times = [time for point in points for time in (point["measured_us"], point["modelled_us"])]
    ends = (0.7 * min(times), 1.4 * max(times))
    axes.fill_between(ends, [e / 1.5 for e in ends], [e * 1.5 for e in ends], color=base.PALE, alpha=0.6, lw=0)
    axes.plot(ends, ends, color=base.GREY, lw=0.8)
    for kind, (_, colour, marker) in KINDS.items():
        for half in halves:
            own = [p for p in points if p["half"] == half and kind_of(p["family"]) == kind]
            filled = half == "judge"
            axes.scatter(
                [p["measured_us"] for p in own],
                [p["modelled_us"] for p in own],
                s=20,
                marker=marker,
                facecolors=colour if filled else "none",
                edgecolors=colour,
                alpha=0.85,
                lw=0 if filled else 0.9,
                label=kind if filled else None,
            )
    axes.scatter([], [], s=20, facecolors="none", edgecolors=base.GREY, lw=0.9, label="empty: learned from")
    base.beside_measured(axes, ends, "modelled, µs (grey: within 1.5 times)")
    base.save(figure, path)


def main(report: Path) -> None:
    draw(json.loads(report.read_text(encoding="utf-8")), report.with_suffix(""))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

# SPDX-License-Identifier: MIT
"""Writes what programs print, and what was measured, into the chapter of lesson 00.

python3 scripts/record_first_steps.py                      (needs build/default with the emulator, and nvcc)
python3 scripts/record_first_steps.py --check [PROGRAM]    is it what is written there? Without what must be compiled.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from warpladder.core.console import CourseError  # noqa: E402
from warpladder.core.pages import replace_part  # noqa: E402
from warpladder.core.paths import BUILD, LESSONS, RESULTS, ROOT  # noqa: E402
from warpladder.model.constants import derive  # noqa: E402
from warpladder.model.rows import Rows  # noqa: E402
from warpladder.results import saved, tables  # noqa: E402

Part = Callable[[Path], str]  # what stands between two markers, by the lesson's program
LESSON = "00_first_steps"
CHAPTER = LESSONS / LESSON / "README.md"
BUILT = BUILD / "default" / "lessons" / LESSON
PROFILED = "scale_loop"  # a kernel of tests/timing_set whose counters Nsight Compute recorded
SIZE = 1 << 21
THREADS = 256  # in a block of the micro-kernel `read`
METRICS = {
    "gpu__time_duration.sum": "how long the kernel ran, in ns",
    "launch__registers_per_thread": "registers of a thread",
    "sm__warps_active.avg.pct_of_peak_sustained_active": "achieved occupancy: warps that are there, in % of what fits",
    "smsp__inst_executed.sum": "instructions, counted once for a warp",
    "smsp__thread_inst_executed.sum": "the same, counted for each lane that takes part",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum": "loads from global memory, counted once for a warp",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": "sectors of 32 bytes that those loads touch",
    "lts__t_sectors_srcunit_tex.sum": "sectors that go between L1 and L2, in both directions",
    "dram__bytes_read.sum": "bytes that come from DRAM",
}


def run(*words: str, **more: str) -> str:
    done = subprocess.run(words, env={**os.environ, **more}, capture_output=True, text=True, cwd=ROOT)
    return done.stdout + done.stderr


def block(command: str, text: str) -> str:
    return f"```text\n$ {command}\n{text.strip()}\n```"


def emulated(*words: str) -> str:
    """The annotated source of a program, without the legend and what the program prints."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "annotated.txt"
        subprocess.run(words, env={**os.environ, "WARPLADDER_ANNOTATE": str(file)}, check=True, capture_output=True)
        return file.read_text(encoding="utf-8")


def kernel_of(text: str, name: str) -> str:
    """What an annotated source says of one kernel, from its head to its last line of a file."""
    parts = [part for part in re.split(r"\n\n", text) if re.match(rf"(\w+::)*{name}\(", part)]
    if not parts:
        raise SystemExit(f"record_first_steps: the annotated source has no kernel {name}")
    lines = [line for line in parts[0].splitlines() if "no line of the source" not in line]
    return "\n".join(line for line in lines if not re.fullmatch(r" +executed +lanes +line \| *", line))


def by_hand(program: Path) -> str:
    return block("./course run 00.by_hand", run(f"{program}.by_hand"))


def annotated(program: Path) -> str:
    command = f"./course emulate --annotate build/default/lessons/{LESSON}.by_hand"
    return block(command, kernel_of(emulated(f"{program}.by_hand"), "saxpy"))


def rung(name: str) -> Part:
    def text(program: Path) -> str:
        words = ["--n", "2^20", "--reps", "1", "--rung", name]
        command = f"./course emulate --annotate build/default/lessons/{LESSON} {' '.join(words)}"
        return block(command, kernel_of(emulated(str(program), *words), name))

    return text


def out_of_bounds(_: Path) -> str:
    """The program without its test of the index, as a student would try it: it must be compiled."""
    source = (LESSONS / LESSON / "by_hand.cu").read_text(encoding="utf-8")
    without = source.replace("  if (i < n) out[i] =", "  out[i] =")
    assert without != source
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "by_hand.cu"
        file.write_text(without, encoding="utf-8")
        text = run(str(ROOT / "course"), "emulate", str(file))
    lines = [line for line in text.splitlines() if "compiling" not in line]
    return "\n".join(["```text", *lines, "```"])


def markdown(header: list[str], rows: list[list[str]], left: int = 1) -> str:
    rule = ["---" if column < left else "---:" for column in range(len(header))]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (header, rule, *rows))


def distances(_: Path) -> str:
    """Where data can be, and how far away that is."""
    rows = Rows()
    gpu, found = rows.gpu, {name: value for name, (value, _) in derive(rows).items()}
    shared = found["shared_per_cycle"] * 128 * gpu.clock * gpu.multiprocessors
    best = max(row["bytes"] / row["us"] / 1e3 for row in rows.of("read") if "dirty" not in row)
    kib, mib, gib = 1 << 10, 1 << 20, 1 << 30
    profile = gpu.profile
    sizes = (profile["shared_per_sm"] / kib, profile["l2_bytes"] / mib, profile["global_memory_bytes"] / gib)
    lines = [
        ("registers", "one thread", "256 KiB on each SM", found["arithmetic_latency"], None),
        ("shared memory", "the threads of a block", f"{sizes[0]:.0f} KiB on each SM", found["shared_latency"], shared),
        ("L1 cache", "the threads on an SM", "a part of the same", found["l1_latency"], None),
        ("L2 cache", "all threads", f"{sizes[1]:.0f} MiB", found["l2_latency"], found["l2_gbps"]),
        ("global memory (DRAM)", "all threads, and copies", f"{sizes[2]:.0f} GiB", found["dram_latency"], best),
    ]
    cells = [
        [name, who, size, f"{cycles:.0f}", f"{cycles / gpu.clock:.0f}", f"{gbps:.0f}" if gbps else "-"]
        for name, who, size, cycles, gbps in lines
    ]
    header = ["memory", "who sees it", "how much", "latency, cycles", "latency, ns", "bandwidth of all SMs, GB/s"]
    note = f"*Measured on NVIDIA H200 ({gpu.multiprocessors} SMs), from results/h200/micro.json and memory.json."
    return markdown(header, cells, 3) + f"\n\n{note} Latency of registers: of an operation on them.*"


def hiding(_: Path) -> str:
    """GB/s by the warps on each multiprocessor, from the micro-kernels that read 50 MB."""
    rows = Rows()
    sms = rows.gpu.multiprocessors
    cells = []
    for blocks in (1, 2, 4, 8):
        rates = []
        for width, loads in ((4, 1), (4, 4), (16, 1), (16, 4)):
            wanted = {"width": width, "in_flight": loads, "streaming": 0, "blocks": blocks * sms}
            fitting = [r for r in rows.of("read") if all(r[k] == v for k, v in wanted.items()) and "dirty" not in r]
            row = max((r for r in fitting if r["bytes"] < 60e6), key=lambda r: r["bytes"])
            rates.append(f"{row['bytes'] / row['us'] / 1e3:.0f}")
        cells.append([str(blocks * THREADS // 32), *rates])
    header = ["warps on each SM", "4 bytes, 1 load", "4 bytes, 4 loads", "16 bytes, 1 load", "16 bytes, 4 loads"]
    note = "*GB/s, measured on NVIDIA H200, from results/h200/micro.json: up to 50 MB are read from DRAM.*"
    return markdown(header, cells, 1) + f"\n\n{note}"


def profiled(_: Path) -> str:
    """What Nsight Compute counted, from the recorded set."""
    document = json.loads((RESULTS / "h200" / "timing_set.json").read_text(encoding="utf-8"))
    wanted = (PROFILED, SIZE, "cold")
    row = next(r for r in document["rows"] if (r["kernel"], r["n"], r["cache"]) == wanted)
    cells = [[f"`{name}`", f"{row['counters'][name]:.15g}", meaning] for name, meaning in METRICS.items()]
    table = markdown(["metric", "value", "what it is"], cells, 1).replace("| ---: | ---: |", "| ---: | --- |")
    version = re.sub(r" \(.*", "", document["ncu"])
    return (
        table + f"\n\n*Measured on {document['device']} with Nsight Compute, {version}, `{PROFILED}` of "
        f"tests/timing_set, n = 2^21, cold L2 cache, {document['date']}, revision {document['revision']}.*"
    )


def modelled(what: str) -> Part:
    def text(_: Path) -> str:
        return "\n".join(tables.table(saved.load(RESULTS / "emulator-h200"), f"{LESSON} {what}"))

    return text


PARTS: dict[str, Part] = {
    "distances": distances,
    "by-hand": by_hand,
    "saxpy-modelled": modelled("saxpy"),
    "rungs-modelled": modelled("experiments.rungs"),
    "strides-modelled": modelled("experiments.strides"),
    "chunks": rung("chunks"),
    "grid-stride": rung("grid_stride"),
    "hiding": hiding,
    "occupancy-modelled": modelled("experiments.occupancy"),
    "registers-modelled": modelled("experiments.registers"),
    "annotated": annotated,
    "profiled": profiled,
}
COMPILED: dict[str, Part] = {"out-of-bounds": out_of_bounds}


def written(page: str, parts: dict[str, Part], program: Path) -> str:
    for name, text in parts.items():
        page = replace_part(page, name, text(program))
    return page


def main() -> int:
    words = sys.argv[1:]
    if words and (words[0] != "--check" or len(words) > 2):
        print("record_first_steps: it takes --check, a program behind it, and nothing else", file=sys.stderr)
        return 2
    program = Path(words[1]) if len(words) == 2 else BUILT
    if not program.is_file() or not Path(f"{program}.by_hand").is_file():
        print(f"record_first_steps: build {program} and {program.name}.by_hand first", file=sys.stderr)
        return 2
    page = CHAPTER.read_text(encoding="utf-8")
    try:
        new = written(page, PARTS if words else {**PARTS, **COMPILED}, program)
    except CourseError as error:
        print(f"record_first_steps: {error}", file=sys.stderr)
        return 1
    if not words:
        CHAPTER.write_text(new, encoding="utf-8")
    elif new != page:
        other = [b for a, b in zip(page.splitlines(), new.splitlines(), strict=False) if a != b]
        print(f"record_first_steps: the chapter must be written again, at: {other[:1]}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""The constants of the model stand in emulator/devices alone; what is computed from them follows when they change."""

from __future__ import annotations

import ast
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from warpladder.core import devices
from warpladder.core.paths import ROOT, SCRIPTS
from warpladder.model import calibration, constants, micro, reads
from warpladder.model.reads import Reading, ReadModel
from warpladder.model.rows import DEVICE, Gpu, Rows

ROW = {"blocks": 2112, "bytes": 1 << 28, "width": 16, "in_flight": 2, "streaming": 1, "dirty": 1}
GPU = Gpu()


def reading(gpu: Gpu) -> Reading:
    return Reading(gpu.timing["dram_gbps"], gpu.timing["memory_sharpness"], gpu.timing["first_read_latency"])


def us(gpu: Gpu, **row: float) -> float:
    shares = (gpu.timing["dirty_share"], gpu.timing["dirty_share_streaming"])
    return ReadModel(gpu, shares).us({**ROW, **row}, reading(gpu))


def test_no_constant_of_the_emulator_stands_in_a_script_again() -> None:
    def telling(value: float) -> bool:  # a small number means many things
        return value > 100 or value != int(value)

    defined = {*devices.timing(DEVICE).values(), *devices.profile(DEVICE).values(), GPU.clock, GPU.resident(256)}
    powers = {2**i for i in range(8, 17)}  # threads, and what is made of them
    copies = {
        f"{file.name}:{node.lineno}: {node.value}"
        for file in (SCRIPTS / "warpladder" / "model").glob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and telling(node.value)
        for scale in (1, 1e3, 1e6, 1e-3, 1e-6)
        if any(node.value == pytest.approx(scale * value) for value in defined - powers if telling(value))
        and node.value not in powers
    }
    assert copies == set()


@pytest.mark.parametrize("name", ["event_ns", "kernel_ns", "block_ns", "dram_latency", "dirty_share_streaming"])
def test_the_fit_follows_the_emulators_constants(name: str) -> None:
    assert us(replace(GPU, timing={**GPU.timing, name: 2 * GPU.timing[name]})) > us(GPU)


@pytest.mark.parametrize("name", ["sm_clock_khz", "multiprocessors", "l2_bytes"])
def test_the_fit_follows_the_profile(name: str) -> None:
    half = replace(GPU, profile={**GPU.profile, name: GPU.profile[name] // 2})
    assert us(half) < us(GPU) if name == "l2_bytes" else us(half) > us(GPU)


def test_another_clock_gives_other_cycles() -> None:
    slow = Gpu(profile={**GPU.profile, "sm_clock_khz": GPU.profile["sm_clock_khz"] // 2})
    here, there = constants.chains(Rows())["shuffle_latency"][0], constants.chains(Rows(slow))["shuffle_latency"][0]
    assert there == pytest.approx(here / 2)


def test_definitions_are_read_as_c_writes_them(tmp_path: Path) -> None:
    (tmp_path / "toy.def").write_text("FIELD(id, \"toy\")\nFIELD(l2_bytes, 62'914'560)\nFIELD(shared, 228 * 1024)\n")
    assert devices.profile("toy", tmp_path) == {"l2_bytes": 62914560, "shared": 233472}
    shutil.copy(devices.FOLDER / "t4_timing.def", tmp_path / "toy_timing.def")
    assert devices.timing("toy", tmp_path).keys() <= devices.timing(DEVICE).keys()
    assert devices.timing(DEVICE)["calibrated"] == 1.0


@pytest.mark.parametrize("id", [id for id in devices.known() if id != DEVICE])
def test_what_was_not_measured_here_names_its_source(id: str) -> None:
    rows = [line for line in (devices.FOLDER / f"{id}_timing.def").read_text().splitlines() if line.startswith("TIME(")]
    assert rows[0].startswith("TIME(calibrated, false)")
    of_a_machine = r"gpu-benches: gpu-[\w-]+/\w+\.txt, .|clock: 1980 / \d+ MHz|.*github\.com/\w"
    source = re.compile(rf"\) +// ({of_a_machine}|none: .|the data sheet: .|PCI Express \d x\d+: .)")
    for row in rows[1:]:
        assert source.search(row), row


T = GPU.timing
ON_THE_PAGE = {
    r"that begin, one after the other \| ([\d.]+) ns each": T["block_ns"],
    r"\| instructions \| ([\d.]+) per cycle": T["issue_per_cycle"],
    r"wavefronts, shuffles, votes \| ([\d.]+) per cycle": T["shared_per_cycle"],
    r"one in ([\d.]+) cycles and multiprocessor": T["barrier_cycles"],
    r"\| `dram` \|.*\| ([\d.]+) GB/s": T["dram_gbps"],
    r"\| `l2` \|.*\| ([\d.]+) GB/s": T["l2_gbps"],
    r"floats ([\d.]+) ns per lane": T["float_atomic_ns"],
    r"integers ([\d.]+) per lane": T["integer_atomic_ns"],
    r"([\d.]+) cycles for an exchange": T["atomic_latency"],
    r"([\d.]+) for a release": T["fence_latency"] + T["l2_latency"],
    r"([\d.]+) cycles each in one block": T["shared_cas_latency"],
    r"in one block, ([\d.]+) per multiprocessor": T["shared_cas_cycles"],
    r"a shuffle takes ([\d.]+) cycles": T["shuffle_latency"],
    r"a barrier ([\d.]+) \+": T["barrier_latency"],
    r"a barrier [\d.]+ \+ ([\d.]+)\s+per warp": T["barrier_per_warp"],
    r"a load ([\d.]+) from DRAM": T["dram_latency"],
    r"from DRAM, ([\d.]+) from L2": T["l2_latency"],
    r"([\d.]+) from another block": T["cluster_latency"],
    r"\(([\d.]+); with streaming loads": T["dirty_share"],
    r"; with streaming loads ([\d.]+)\)": T["dirty_share_streaming"],
    r"first access to memory \(([\d.]+) cycles": T["first_read_latency"],
    r"([\d.]+) if nothing comes from DRAM": T["first_access_latency"],
    r"an exponent of ([\d.]+): a busy DRAM": T["memory_sharpness"],
    r"power mean of exponent ([\d.]+),": reads.sharpness(),
    r"([\d.]+) µs between two events": T["event_ns"] / 1e3,
    r"([\d.]+) µs for each kernel": T["kernel_ns"] / 1e3,
    r"([\d.]+) for a memset": T["memset_ns"] / 1e3,
    r"([\d.]+) for a copy": T["memcpy_ns"] / 1e3,
}


@pytest.mark.parametrize("place", ON_THE_PAGE)
def test_the_page_about_the_model_has_the_emulators_constants(place: str) -> None:
    """They are told in sentences there, so nothing writes them; but what they say stays true."""
    page = (ROOT / "docs" / "emulator.md").read_text(encoding="utf-8").partition("\n## Modelled time\n")[2]
    found = re.findall(place, page)
    assert len(found) == 1, f"docs/emulator.md has no one sentence with {place}"
    assert float(found[0]) == pytest.approx(ON_THE_PAGE[place], rel=0.01)


def test_the_exponent_is_the_emulators() -> None:
    assert reads.sharpness() > 1


@pytest.mark.long
def test_the_fitted_model_is_the_emulators() -> None:
    """It stands in Python once more because a fit needs it many times: so both say the same about every row.

    `dirty` says that the L2 was written to before; on the emulator the program does not do so.
    """
    rows = [row for row in micro.modelled("default") if row["id"] == "read"]
    assert len(rows) > 50
    for row in rows:
        parameters = {key: value for key, value in row.items() if key not in ("id", "dirty")}
        assert us(GPU, **{**parameters, "dirty": 0}) == pytest.approx(row["us"], rel=calibration.MOST_OFF), row

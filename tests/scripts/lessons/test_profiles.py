# SPDX-License-Identifier: MIT
"""scripts/profile_chapters.py: what Nsight Compute prints comes into the chapters, as it was printed."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest
import result_schemas

import profile_chapters as profile
from warpladder.setup import machine

HEAD = "  void add<float>(const T1 *, unsigned long) (64, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 9.0"
TABLE = ["    Section: Command line profiler metrics", "    Metric Name  Metric Value", "    a__b.sum     16,384"]
PRINTED = "\n".join(["==PROF== Profiling", "rung time", "", "[7] program@127.0.0.1", HEAD, *TABLE, "", "later"])
COMMAND = "ncu --metrics a,b build/default/lessons/01_x --n 2^10"
PAGE = (
    "```sh\nncu --metrics a,\\\nb \\\n    build/default/lessons/01_x --n 2^10\n```\n\n"
    "<!-- ncu:begin -->\n{}<!-- ncu:end -->\n\nafter\n"
)
ROW = {
    "lesson": "01_x",
    "command": COMMAND,
    "said": [HEAD, *TABLE],
    "device": "NVIDIA H200",
    "ncu": "Version 2025.3.1.0 (build 1) (public-release)",
    "date": "2026-11-16",
    "revision": "abc1234",
}


def options(file: Path, **more: object) -> argparse.Namespace:
    return argparse.Namespace(file=file, preset="gpu", only="", check=False, **more)


def test_of_all_that_is_printed_the_kernel_stays() -> None:
    assert profile.said_of_the_kernel(PRINTED) == [HEAD, *TABLE]
    assert profile.said_of_the_kernel("==ERROR== no kernel\n") == []


def test_a_page_shows_what_was_recorded_for_its_command() -> None:
    there = profile.page_with(PAGE.format("old\n"), {"rows": [ROW]})
    assert f"<!-- ncu:begin -->\n```text\n{HEAD}\n" in there and "    a__b.sum     16,384\n```\n" in there
    assert "*Printed by Nsight Compute 2025.3.1.0 on NVIDIA H200, 2026-11-16, revision abc1234.*\n<!-- ncu:end" in there
    assert profile.page_with(there, {"rows": [ROW]}) == there
    other = {**ROW, "command": COMMAND + " --reps 1"}  # the command was changed: what it printed is not known
    assert profile.page_with(there, {"rows": [other]}) == PAGE.format(profile.NOTHING + "\n")


def test_the_chapters_show_what_was_recorded() -> None:
    assert profile.write(argparse.Namespace(file=profile.FILE, check=True)) == 0
    assert len({command.lesson for command in profile.commands()}) >= 6


@pytest.fixture
def fake_ncu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    ncu, calls = tmp_path / "ncu", tmp_path / "calls"
    (tmp_path / "printed").write_text(PRINTED)
    ncu.write_text(
        f'#!/bin/sh\necho "$*" >> {calls}\n[ "$1" = --version ] && echo Version 1 && exit\ncat {tmp_path}/printed\n'
    )
    ncu.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(machine, "all_gpus", lambda: [machine.Gpu("NVIDIA H200", (9, 0), "580", 13)])
    monkeypatch.setattr(profile, "commands", lambda: iter([profile.Command("01_x", COMMAND)]))
    return calls


def test_recording(fake_ncu: Path, tmp_path: Path) -> None:
    file = tmp_path / "profiles.json"
    assert profile.record(options(file)) == 0
    document = json.loads(file.read_text())
    result_schemas.check(document, "profiles")
    assert document["rows"][0]["said"] == [HEAD, *TABLE]
    assert "build/gpu/lessons/01_x" in fake_ncu.read_text()
    before = fake_ncu.read_text().count("--n 2^10")
    assert profile.record(options(file)) == 0 and fake_ncu.read_text().count("--n 2^10") == before  # known already


@pytest.mark.usefixtures("fake_ncu")
def test_what_cannot_be_recorded_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "printed").write_text("==ERROR== ERR_NVGPUCTRPERM\n")
    assert profile.record(options(tmp_path / "p.json")) == 1
    assert f"{COMMAND}: ==ERROR== ERR_NVGPUCTRPERM" in capsys.readouterr().err


def test_without_a_gpu_nothing_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "all_gpus", list)
    assert profile.record(options(tmp_path / "p.json")) == 3 and not (tmp_path / "p.json").exists()

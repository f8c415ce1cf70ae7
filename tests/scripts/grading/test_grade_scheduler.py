# SPDX-License-Identifier: MIT
"""Workers at a scheduler, with the commands that docs/instructors.md tells: two that join, one that is killed."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import class_samples
import pytest
from exercise_samples import ROOT, needs_emulator

from warpladder.sandbox import sandbox

COURSE = [sys.executable, str(ROOT / "course"), "grade"]


@contextlib.contextmanager
def started(words: Sequence[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as file:
        process = subprocess.Popen(words, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_for(log: Path, what: str, times: int = 1, seconds: float = 300) -> None:
    until = time.monotonic() + seconds
    while log.read_text(errors="replace").count(what) < times:
        assert time.monotonic() < until, f"'{what}' did not come:\n{log.read_text(errors='replace')[-3000:]}"
        time.sleep(0.1)


def free_port() -> int:
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return int(place.getsockname()[1])


def hand_in(folder: Path) -> dict[str, str]:
    """Six students, no two files equal; the verdict of each."""
    verdicts = {}
    for number in range(6):
        name, wrong = f"student{number}", number % 2
        file = folder / name / class_samples.LESSON / "warp_sum.cuh"
        file.parent.mkdir(parents=True)
        text = class_samples.RIGHT.replace("int mine", "int mein") if wrong else class_samples.RIGHT
        file.write_text(f"{text}// {name}\n")
        verdicts[name] = "compile_error" if wrong else "passed"
    return verdicts


@pytest.mark.long
@needs_emulator
@pytest.mark.parametrize("killed", [False, True], ids=("both live", "one is killed"))
def test_workers_at_a_scheduler(tmp_path: Path, killed: bool) -> None:
    pytest.importorskip("distributed")
    if "network" not in sandbox.isolation():
        pytest.skip("--workers is refused where a submission has a network")
    verdicts = hand_in(tmp_path / "in")
    rules = {"schema": "warpladder-grading/1", "exercises": {"warp_sum": 10}, "hidden_seeds": 1, "seed": 3}
    (tmp_path / "rules.json").write_text(json.dumps(rules))
    port, log = free_port(), tmp_path / "scheduler.log"
    address = f"tcp://127.0.0.1:{port}"
    dask = [str(Path(sys.executable).with_name("dask")), "scheduler", "--host", "127.0.0.1", "--port", str(port)]
    with contextlib.ExitStack() as stack:
        stack.enter_context(started([*dask, "--no-dashboard"], log))
        wait_for(log, "Scheduler at")
        workers = [
            stack.enter_context(started([*COURSE, "worker", address, "-j", "1"], tmp_path / f"worker{i}.log"))
            for i in range(2)
        ]
        wait_for(log, "Register worker", times=2)
        words = [str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--config", str(tmp_path / "rules.json")]
        with started([*COURSE, *words, "--workers", address], tmp_path / "grade.log") as grade:
            if killed:
                wait_for(log, "Receive client connection")
                os.killpg(workers[0].pid, signal.SIGKILL)
            assert grade.wait(timeout=600) == 0, (tmp_path / "grade.log").read_text()
    said = (tmp_path / "grade.log").read_text()
    assert "6 of 6 files had to be judged" in said and "6 files went to workers; " in said, said
    assert killed or "; 0 times one had to be sent again" in said, said
    with (tmp_path / "out" / "class.csv").open(newline="") as file:
        assert {row["student"]: row["verdict"] for row in csv.DictReader(file)} == verdicts

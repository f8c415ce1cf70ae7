# SPDX-License-Identifier: MIT
"""The sweep over n on a GPU, with an answer in place of each program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import sample_results

from warpladder.core.console import Console
from warpladder.lessons import sweep
from warpladder.lessons.programs import Outcome, Programs
from warpladder.results import saved as results_file
from warpladder.results.saved import Results


class Fake(Programs):
    """Answers like the lesson programs; `special` may answer otherwise."""

    def __init__(self, special: dict[tuple[str, int], Outcome] | None = None) -> None:
        self.special = special or {}
        self.asked: list[tuple[str, str, int]] = []
        self.cpu_from: list[tuple[str, int]] = []  # type and exponent of those that took the CPU rows of another

    def run(self, name: str, *words: str) -> Outcome:
        given = dict(zip(words[::2], words[1::2], strict=True))
        if "--cpu-from" in given:
            rows = json.loads(Path(given["--cpu-from"]).read_text(encoding="utf-8"))
            assert (rows["type"], rows["n"]) == (given["--type"], 2 ** int(given["--n"][2:]))
            self.cpu_from.append((given["--type"], int(given["--n"][2:])))
        n = 2 ** int(given["--n"][2:])
        rung = given.get("--rung", "")
        self.asked.append((rung, given["--type"], n.bit_length() - 1))
        document = sample_results.document(name, given["--type"], n, rung)
        return self.special.get((rung, n.bit_length() - 1), Outcome(0, "", 0.01, document))


def gpu_results() -> Results:
    documents = [d for d in sample_results.documents() if d["part"] == "ladder"]
    return Results(Path(), results_file.collect(documents, ""))


def swept(fake: Fake) -> tuple[list[dict[str, Any]], list[str]]:
    results = gpu_results()
    todo = sweep.plans(results, ["f32", "i32"], complete=True)
    return sweep.run(Console(), fake, results, todo)


def exponents(fake: Fake, rung: str, type_: str = "f32") -> list[int]:
    return [exponent for id_, t, exponent in fake.asked if (id_, t) == (rung, type_)]


@pytest.fixture
def large_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "available_memory", lambda: 1 << 40)


def test_on_a_gpu_the_roofline_rung_is_run_at_every_power_of_two(large_memory: None) -> None:
    fake = Fake()
    documents, failures = swept(fake)
    every = [e for e in range(10, 31) if e not in (20, 26)]  # 2^26 is the ladder's own; at 2^20 all rungs are run
    assert exponents(fake, "") == [20]
    assert exponents(fake, "async_copy") == every
    assert exponents(fake, "async_copy", "i32") == every
    assert exponents(fake, "sequential") == [e for e in range(10, 31, 2) if e != 26]
    assert exponents(fake, "sequential", "i32") == []
    assert failures == [] and len(documents) == len(fake.asked)
    assert {d["part"] for d in documents} == {"sweep"}


def test_a_slow_rung_is_not_run_at_larger_sizes(large_memory: None, capsys: pytest.CaptureFixture[str]) -> None:
    fake = Fake()
    swept(fake)
    assert exponents(fake, "global_atomic")[-1] == 28  # 467 ms there
    assert "global_atomic f32: not run from 2^30 on: it took 467 ms before" in capsys.readouterr().out


def test_sizes_that_do_not_fit_are_left_out_with_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sweep, "available_memory", lambda: 8 << 28)
    fake = Fake(
        {("shared_atomic", 24): Outcome(2, "--n 2^24 needs 9 GB, and only 8 GB of device memory are free", 0, None)}
    )
    _, failures = swept(fake)
    assert failures == []
    assert exponents(fake, "async_copy")[-1] == 28
    assert exponents(fake, "shared_atomic")[-1] == 24
    output = capsys.readouterr().out
    assert "async_copy f32: not run from 2^29 on: not enough memory on the host" in output
    assert "shared_atomic f32: not run from 2^24 on: not enough memory" in output


def test_a_failure_in_the_sweep_is_reported_and_the_sweep_goes_on(large_memory: None) -> None:
    fake = Fake({("sequential", 20): Outcome(1, "x\n  FAIL: expected 1, got 2\n", 0.1, None)})
    _, failures = swept(fake)
    assert failures == ["02_shared_memory_tree sequential f32 2^20:   FAIL: expected 1, got 2"]
    assert exponents(fake, "sequential")[-1] == 30


def test_the_main_rungs_are_cut_short_before_the_sweep_takes_too_long(
    large_memory: None, capsys: pytest.CaptureFixture[str]
) -> None:
    document = sample_results.document("02_shared_memory_tree", "f32", 1 << 22, "sequential")
    swept(Fake({("sequential", 22): Outcome(0, "", 100.0, document)}))
    assert "sequential f32: not run from 2^24 on: the sweep would take too long" in capsys.readouterr().out


def test_a_containers_limit_counts() -> None:
    files = {"/proc/meminfo": "MemTotal: 9 kB\nMemAvailable: 1000000 kB\n", "/sys/fs/cgroup/memory.max": "5000\n"}
    files["/sys/fs/cgroup/memory.current"] = "1000\n"
    assert sweep.available_memory(lambda path: files[str(path)]) == 4000
    files["/sys/fs/cgroup/memory.max"] = "max\n"
    assert sweep.available_memory(lambda path: files[str(path)]) == 1000000 * 1024


def test_the_cpu_is_measured_once_for_each_size_and_type(large_memory: None) -> None:
    fake = Fake()
    swept(fake)
    sizes = [(type_, exponent) for _, type_, exponent in fake.asked]
    again = [size for i, size in enumerate(sizes) if size in sizes[:i]]
    assert again and fake.cpu_from == again

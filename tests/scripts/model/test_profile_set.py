# SPDX-License-Identifier: MIT
"""scripts/timing_set.py measure: what is asked of Nsight Compute, and what is written."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import result_schemas

from warpladder.core.console import CourseError
from warpladder.core.paths import SCRIPTS
from warpladder.model import judge_set, profile_set, timing_set
from warpladder.setup import machine

RAW = """==PROF== Connected
"ID","Kernel Name","a.sum","b.pct"
"","","","%"
"0","saxpy","1,024","12.5"
"1","saxpy","7","n/a"
"""


class FakeNcu:
    """Knows some metrics, and gets two of them in a pass."""

    def __init__(self, folder: Path, known: Sequence[str]) -> None:
        self.folder, self.known, self.asked = folder, known, list[list[str]]()

    def __call__(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        if "--import" in command:
            return subprocess.CompletedProcess(command, 0, RAW, "")
        metrics = command[command.index("--metrics") + 1].split(",")
        self.asked.append(metrics)
        unknown = [metric for metric in metrics if metric not in self.known]
        if unknown:
            return subprocess.CompletedProcess(command, 1, f"==ERROR== Failed to find metric {unknown[0]}\n", "")
        rows = [{"family": "stream", "kernel": "saxpy", "n": n, "cache": "cold"} for n in (16, 32)]
        listing = Path(command[command.index("--json") + 1])
        if listing.parent == self.folder:
            listing.write_text(json.dumps({"rows": rows}))
        passes = 3 if "slow" in metrics else (len(metrics) + 1) // 2
        text = f'==PROF== Profiling "saxpy" - 0: 0%....100% - {passes} pass{"es" if passes > 1 else ""}\n'
        return subprocess.CompletedProcess(command, 0, text, "")

    def profiler(self) -> profile_set.Profiler:
        return profile_set.Profiler("ncu", Path("program"), self.folder, "saxpy", self)


def test_metrics_of_caches_are_asked_for_in_groups_of_one_pass(tmp_path: Path) -> None:
    ncu = FakeNcu(tmp_path, "abcde")
    profiler = ncu.profiler()
    assert list(profiler.groups_of_one_pass("abxcde")) == [["a", "b"], ["c"], ["d", "e"]]
    assert profiler.left_out == ["x"]
    assert list(profiler.groups_of_one_pass("y")) == []
    with pytest.raises(CourseError, match="3 passes for slow"):
        list(FakeNcu(tmp_path, ("slow",)).profiler().groups_of_one_pass(["slow"]))


def test_what_ncu_says_is_given_to_the_cases_in_their_order(tmp_path: Path) -> None:
    ncu = FakeNcu(tmp_path, ("a.sum", "b.pct"))
    found = ncu.profiler().values(("a.sum", "b.pct"), [])
    assert [(case.n, values) for case, values in found] == [(16, {"a.sum": 1024, "b.pct": 12.5}), (32, {"a.sum": 7})]
    assert profile_set.read_raw("nothing", ("a.sum",)) == []


def test_an_ncu_that_fails_for_another_reason_is_told(tmp_path: Path) -> None:
    def broken(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, "==ERROR== no permission\n", "")

    with pytest.raises(CourseError, match="no permission"):
        profile_set.Profiler("ncu", Path("program"), tmp_path, "saxpy", broken).known(["a"])


def test_only_counters_that_are_missing_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile_set, "CACHES", (("a.sum",), ("c.sum",)))
    monkeypatch.setattr(profile_set, "OTHERS", ("b.pct",))
    rows: list[dict[str, Any]] = [{"family": "stream", "kernel": "saxpy", "n": n, "cache": "cold"} for n in (16, 32)]
    said: list[str] = []
    profile_set.profiled(
        FakeNcu(tmp_path, ("a.sum", "b.pct", "c.sum")).profiler(), rows, ["saxpy"], -math.inf, said.append
    )
    assert all(row["counters"] == {} for row in rows) and "no time left for b.pct" in said
    rows[0]["counters"] = {"c.sum": 3}
    ncu = FakeNcu(tmp_path, ("a.sum", "b.pct", "c.sum"))
    profile_set.profiled(ncu.profiler(), rows, [], math.inf, said.append)
    assert ["b.pct"] not in ncu.asked, "not wanted of this set"
    profile_set.profiled(ncu.profiler(), rows, ["saxpy"], math.inf, said.append)
    assert rows[0]["counters"] == {"c.sum": 3, "a.sum": 1024, "b.pct": 12.5}
    assert ["c.sum"] not in ncu.asked
    file = tmp_path / "before.json"
    rows[0]["counters"]["old.sum"] = 1
    file.write_text(json.dumps({**measured_document(), "rows": rows}))
    kept, facts = profile_set.continued(file)
    assert kept[0]["counters"] == {"c.sum": 3, "a.sum": 1024, "b.pct": 12.5} and facts["revision"] == "abc"


def test_nobody_asks_why_of_what_is_judged() -> None:
    drawn = timing_set.halves(timing_set.EXAMS)
    seen = profile_set.may_be_seen(timing_set.EXAMS, set(drawn))
    assert seen == sorted(kernel for kernel, half in drawn.items() if half == timing_set.LEARN)
    assert profile_set.may_be_seen(timing_set.UNSEEN, {"b", "a"}) == ["a", "b"]


def test_what_depends_on_the_caches_is_read_several_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile_set, "CACHES", (("a.sum",),))
    rows: list[dict[str, Any]] = [
        {"family": "stream", "kernel": "saxpy", "n": n, "cache": "cold", "counters": {"a.sum": a, "d.sum": 5}}
        for n, a in ((16, 1030), (32, 1))
    ]
    said: list[str] = []
    ncu = FakeNcu(tmp_path, ("a.sum",))
    profile_set.profiled(ncu.profiler(), rows, [], math.inf, said.append, readings=3)
    assert rows[0]["readings"]["a.sum"] == [1030, 1024, 1024], "the first was there"
    assert rows[0]["counters"] == {"a.sum": 1024, "d.sum": 5}
    file = tmp_path / "before.json"
    file.write_text(json.dumps({**measured_document(), "rows": rows}))
    kept, _ = profile_set.continued(file)
    result_schemas.check(json.loads(profile_set.document([{**kept[0], "us": 1, "spread": 0}], FACTS)), "timing_set")
    profile_set.profiled(ncu.profiler(), kept, [], math.inf, said.append, readings=4)
    assert kept[0]["readings"]["a.sum"] == [1030, 1024, 1024, 1024]
    asked = len(ncu.asked)
    profile_set.profiled(ncu.profiler(), kept, [], math.inf, said.append, readings=2)
    assert kept[0]["readings"]["a.sum"] == [1030, 1024, 1024, 1024] and len(ncu.asked) == asked
    profile_set.profiled(ncu.profiler(), kept, [], -math.inf, said.append, readings=9)
    assert "no time left for a.sum" in said and len(kept[0]["readings"]["a.sum"]) == 4


def test_the_hit_rate_of_l2_is_worked_out() -> None:
    def rates(sectors: float, of_sms: float, hits: float) -> list[float]:
        readings = {profile_set.SECTORS: [sectors], profile_set.OF_SMS: [of_sms], profile_set.HIT: [hits]}
        return profile_set.rates_of_l2(readings)

    assert rates(200, 100, 50) == [25]
    assert rates(200, 100, 201) == [100], "counted in two launches"
    assert rates(2000, 100, 900) == [], "other units' sectors"
    assert rates(0, 0, 0) == [] and profile_set.rates_of_l2({}) == []
    several: judge_set.Readings = {
        profile_set.SECTORS: [200, 400, 300],
        profile_set.OF_SMS: [100] * 3,
        profile_set.HIT: [50, 50, 75],
    }
    assert profile_set.rates_of_l2(several) == [25, 12.5, 25], "each of what was read in the same turn"
    row: dict[str, Any] = {"counters": {}, "readings": several}
    profile_set.take_apart(row)
    profile_set.put_together(row)
    assert row["counters"][judge_set.L2_RATE] == 25 and row["readings"][judge_set.L2_RATE] == [25, 12.5, 25]


def test_without_a_gpu_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if machine.output_of(["nvidia-smi", "-L"]):
        pytest.skip("there is a GPU here")
    command = [sys.executable, str(SCRIPTS / "timing_set.py"), "measure", "--output", str(tmp_path / "x.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 3 and done.stderr.count("\n") == 1 and "no GPU" in done.stderr


FACTS = {"device": "NVIDIA H200", "driver": "1", "date": "2026-01-02", "revision": "abc", "command": "x"}


def measured_document() -> dict[str, Any]:
    rows = [{"family": "stream", "kernel": "saxpy", "n": 16, "cache": "cold", "us": 3.5, "spread": 0.01}]
    data: dict[str, Any] = json.loads(profile_set.document(rows, FACTS))
    return data


def test_what_is_written_fits_the_schema() -> None:
    result_schemas.check(measured_document(), "timing_set")
    with pytest.raises(AssertionError, match="'hot' is not one of"):
        data = measured_document()
        data["rows"][0]["cache"] = "hot"
        result_schemas.check(data, "timing_set")

# SPDX-License-Identifier: MIT
"""What a program leaves behind is read within bounds, never through a link, and by a judge that can do no harm."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import attack_samples
import pytest
from exercise_samples import needs_emulator

from warpladder.exercises import catalog
from warpladder.exercises.verdict import CaseResult, Kind
from warpladder.judging import compile, counters
from warpladder.judging.evaluate import make_cases
from warpladder.judging.judge import Judging
from warpladder.sandbox import untrusted

WARP_SUM = catalog.find("warp_sum")


def write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def test_a_plain_file_is_read(tmp_path: Path) -> None:
    write(tmp_path / "outputs" / "a.out", b"1234")
    assert untrusted.read(tmp_path, "outputs/a.out", 4) == b"1234"


@pytest.mark.parametrize("name", ["link", "link/a.out", "pipe", "folder", "large", "none", "..", "../x", "/etc/passwd"])
def test_nothing_else_is(tmp_path: Path, name: str) -> None:
    place = tmp_path / "run"
    write(tmp_path / "x", b"1")
    write(tmp_path / "other" / "a.out", b"1")
    write(place / "large", b"12345")
    (place / "link").symlink_to(tmp_path / ("other" if "/" in name else "x"))
    (place / "folder").mkdir()
    os.mkfifo(place / "pipe")
    assert untrusted.read(place, name, 4) is None


def test_a_run_that_is_a_link_itself(tmp_path: Path) -> None:
    write(tmp_path / "other" / "a.out", b"1")
    (tmp_path / "run").symlink_to(tmp_path / "other")
    assert untrusted.read(tmp_path / "run", "a.out", 4) is None


def test_copies_have_a_bound_together(tmp_path: Path) -> None:
    names = [f"outputs/{i}.out" for i in range(5)]
    for name in names:
        write(tmp_path / name, bytes(10))
    assert untrusted.copy(tmp_path, names, tmp_path / "copies", 35) == set(names[:3])
    assert sum(file.stat().st_size for file in (tmp_path / "copies").iterdir()) == 30


@pytest.mark.parametrize("what", attack_samples.COUNTERS)
def test_counters_that_no_emulator_wrote(what: str) -> None:
    start = time.process_time()
    with pytest.raises(ValueError, match="^the emulator's counters [^\n]*$"):
        counters.launches(attack_samples.COUNTERS[what])
    assert time.process_time() - start < 1


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cases")
    make_cases(compile.judge(WARP_SUM), folder, 5)
    return folder


def judged(cases: Path, place: Path) -> tuple[list[CaseResult], set[str]]:
    return Judging(compile.judge(WARP_SUM), cases).of(place)


def names_of(cases: Path) -> list[str]:
    return sorted(file.stem for file in (cases / "inputs").iterdir())


@needs_emulator
def test_results_of_another_run_behind_a_link_are_none(tmp_path: Path, cases: Path) -> None:
    for name in names_of(cases):
        write(tmp_path / "earlier" / "outputs" / f"{name}.out", b"warpladder-arrays 1\nsum i32 1\n\0\0\0\0end\n")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "outputs").symlink_to(tmp_path / "earlier" / "outputs")
    results, there = judged(cases, tmp_path / "run")
    assert there == set() and {result.kind for result in results} == {Kind.MISSING}
    assert len(judged(cases, tmp_path / "earlier")[1]) == len(results)


@needs_emulator
def test_the_same_results_are_judged_once_and_others_again(tmp_path: Path, cases: Path) -> None:
    names, judging = names_of(cases), Judging(compile.judge(WARP_SUM), cases)
    for place, data in (("a", b"1"), ("b", b"1"), ("c", b"2")):
        for name in names:
            write(tmp_path / place / "outputs" / f"{name}.out", data)
    (tmp_path / "c" / "outputs" / f"{names[0]}.out").unlink()
    assert judging.of(tmp_path / "a") == judging.of(tmp_path / "b") and len(judging._known) == 1
    assert judging.of(tmp_path / "c")[1] == set(names[1:]) and len(judging._known) == 2


@needs_emulator
def test_no_result_can_confuse_the_judge(tmp_path: Path, cases: Path) -> None:
    hostile = [*attack_samples.RESULTS.values()]
    right = b"warpladder-arrays 1\nsum i32 1\n\1\0\0\0end\n"
    chance = random.Random(1)
    for number, name in enumerate(names_of(cases)):
        data = bytearray(right)
        data[chance.randrange(len(data))] = chance.randrange(256)
        write(tmp_path / "outputs" / f"{name}.out", hostile[number] if number < len(hostile) else bytes(data))
    start = time.monotonic()
    results, _ = judged(cases, tmp_path)
    assert time.monotonic() - start < 30
    assert len(results) > len(hostile)
    assert {result.kind for result in results} <= {Kind.MISSING, Kind.WRONG_VALUE, Kind.LOST_TAIL, Kind.OUT_OF_BOUNDS}
    assert all(len(result.message) <= 300 and result.message.isprintable() for result in results)

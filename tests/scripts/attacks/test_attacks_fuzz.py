# SPDX-License-Identifier: MIT
"""Random names, zips, counters and results: no crash, bounded time and memory, and never more than one verdict for one
student.

The seeds are fixed, so that a failure can be repeated; `WARPLADDER_FUZZ_ROUNDS` tries more.
"""

from __future__ import annotations

import io
import json
import os
import random
import resource
import time
import tracemalloc
import unicodedata
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from exercise_samples import needs_emulator

from warpladder.core.plain import one_line
from warpladder.exercises import catalog
from warpladder.exercises.verdict import Kind
from warpladder.grading import csv_file, inbox
from warpladder.grading import names as grade_names
from warpladder.judging import compile, counters
from warpladder.judging.evaluate import make_cases
from warpladder.judging.judge import Judging

EVERYTHING = catalog.everything()
ROUNDS = int(os.environ.get("WARPLADDER_FUZZ_ROUNDS", "1"))
# Letters, marks that are not seen, those that compose, wide and narrow forms, signs of paths and formulae.
ALPHABET = (
    "aAbß .-_@=+;,|'\"\\/\t\n\x00\x1b\u00e9e\u0301\u200b\u200f\u202e\u2066\ufeff\uff21\uff1d\ufb01\u212b\U0001f600"
)


def mutated(data: bytes, chance: random.Random) -> bytes:
    """A few bytes changed, cut out or doubled."""
    result = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(result) or 1)
        what = chance.randrange(4)
        if what == 0 and result:
            result[at] = chance.choice((0, 1, 127, 128, 255, chance.randrange(256)))
        elif what == 1:
            del result[at : at + chance.randint(1, 30)]
        elif what == 2:
            result[at:at] = result[at : at + chance.randint(1, 30)]
        else:
            result[at:at] = chance.choice(
                (b"9" * 50, b"-1", b"[", b"{", b"\n", b"end\n", b"1e999", b"\xff\xff\xff\xff")
            )
    return bytes(result)


@contextmanager
def bounded(seconds: float, megabytes: float) -> Iterator[None]:
    """What goes on inside takes at most so much processor time, and so much memory at once, in this process."""
    tracemalloc.start()
    start = time.process_time()
    try:
        yield
        used, (_, most) = time.process_time() - start, tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert used < seconds * ROUNDS, f"{used:.1f} s of the processor"
    assert most < megabytes * 1e6, f"{most / 1e6:.1f} MB at once"


@pytest.mark.parametrize("seed", range(20 * ROUNDS))
def test_names(seed: int) -> None:
    chance = random.Random(seed)
    start = time.process_time()
    names = sorted({"".join(chance.choices(ALPHABET, k=chance.randint(1, 6))) for _ in range(60)} | {"anna", "x" * 300})
    shown = grade_names.shown_names(names)
    folders = grade_names.folders(shown)
    for found in (shown, folders):
        assert len({unicodedata.normalize("NFKC", name).casefold() for name in found}) == len(names)
    assert all(name.isprintable() and name == one_line(name) for name in shown)
    assert all("/" not in name and name not in (".", "..", "class.csv", "class.json") for name in folders)
    assert shown[names.index("anna")] == folders[names.index("anna")] == "anna"
    for name in names:
        cell = unicodedata.normalize("NFKC", csv_file.harmless(name)).lstrip('"\u200b\ufeff \t\n')
        assert cell[:1] not in ("=", "+", "-", "@")
    assert time.process_time() - start < 5


def a_zip() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as pack:
        pack.writestr("04_warp_shuffle/warp_sum.cuh", "// mine\n" * 20)
        pack.writestr("lost_tail.cuh", "int x;\n")
        pack.comment = json.dumps({"hints": {"warp_sum": 2}}).encode()
    return out.getvalue()


def test_zips(tmp_path: Path) -> None:
    chance, whole = random.Random(1), a_zip()
    with bounded(30, 40):
        for _ in range(300 * ROUNDS):
            (tmp_path / "a.zip").write_bytes(mutated(whole, chance))
            found = inbox.read("a", tmp_path / "a.zip", EVERYTHING)
            assert "\n" not in one_line(found.bad) and len(found.bad) < 400
            assert all(len(text) <= inbox.LARGEST_FILE for text in found.files.values())
            assert all(0 <= count <= 3 for count in found.hints.values())


def test_zips_of_zeros(tmp_path: Path) -> None:
    """Small to send, large to unpack: what is not wanted of it is not unpacked."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as pack:
        for name in ("04_warp_shuffle/warp_sum.cuh", "lost_tail.cuh", *(f"other{i}.txt" for i in range(6))):
            pack.writestr(name, bytes(4 << 20))
    with bounded(10, 20):
        found = inbox.read("a", tmp_path / "a.zip", EVERYTHING)
    assert all(len(text) <= inbox.LARGEST_FILE for text in found.files.values())


def test_counters() -> None:
    chance = random.Random(2)
    line = {"file": "/a/warp_sum.cuh", "line": 4, "counters": {"loads": 7}}
    launch = {"launch": {"shared": 64}, "counters": {"loads": 10}, "lines": [line, line]}
    whole = json.dumps({"schema": "warpladder-counters/1", "launches": [launch, launch]}).encode()
    assert len(counters.launches(whole)) == 2
    with bounded(30, 20):
        for _ in range(1000 * ROUNDS):
            try:
                found = counters.launches(mutated(whole, chance))
            except ValueError as error:
                assert "\n" not in str(error) and len(str(error)) < 100
                continue
            values = [value for entry in found for value in entry.counters.values()]
            assert all(type(value) is int and 0 <= value <= 1 << 62 for value in values)


_RIGHT = b"warpladder-arrays 1\nsum i32 1\n\x01\x00\x00\x00end\n"
# Whole files in place of a result. What they announce is more than they hold, or than anybody has.
_ODD = (
    b"",
    b"\x00" * (4 << 20),
    b"warpladder-arrays 1\nsum i32 18446744073709551615\nend\n",
    b"warpladder-arrays 1\nsum i32 4611686018427387904\n" + b"\x01" * 100,
    b"warpladder-arrays 1\nsum i32 -1\nend\n",
    b"warpladder-arrays 1\n" + b"sum i32 1\n\x01\x00\x00\x00" * 20_000 + b"end\n",
    b"warpladder-arrays 1\n" + b"s" * (1 << 20) + b" i32 1\n\x01\x00\x00\x00end\n",
    b"warpladder-arrays 1\nsum f64 1\n\x01\x00\x00\x00end\n",
    b"warpladder-arrays 2\n" + _RIGHT,
)


@needs_emulator
def test_results(tmp_path: Path) -> None:
    exercise, chance = catalog.find("warp_sum"), random.Random(3)
    judge = compile.judge(exercise)
    make_cases(judge, tmp_path / "cases", 5)
    judging = Judging(judge, tmp_path / "cases")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for number in range(4 * ROUNDS):
        place = tmp_path / str(number)
        (place / "outputs").mkdir(parents=True)
        for place_of, file in enumerate(sorted((tmp_path / "cases" / "inputs").iterdir())):
            odd = _ODD[place_of % len(_ODD)]
            (place / "outputs" / f"{file.stem}.out").write_bytes(mutated(_RIGHT, chance) if number else odd)
        with bounded(10, 40):
            results, _ = judging.of(place)
        assert all(result.kind in Kind and result.message.isprintable() for result in results)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime) < 20 * ROUNDS
    assert after.ru_maxrss < max(before.ru_maxrss + 1, 400_000), "kilobytes of the largest process"

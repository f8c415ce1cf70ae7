# SPDX-License-Identifier: MIT
"""`course emulate` compiles a source once: its flags, and the cache of what it made."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from warpladder.core.console import CourseError
from warpladder.emulate import compile


def test_flags_that_the_user_gives_replace_ours() -> None:
    assert compile.all_flags([], 89) == ["-cudart=shared", "-std=c++20", "-lineinfo", "-arch=compute_89"]
    given = ["--std=c++17", "-G", "-gencode", "arch=compute_80,code=compute_80"]
    assert compile.all_flags(given, 90) == ["-cudart=shared", *given]
    assert compile.all_flags(["-rdc=true", "-O1"], 75)[-3:] == ["-arch=compute_75", "-rdc=true", "-O1"]


# Stands for nvcc: notes each call, "compiles" a file to a script that prints it, and lists the header that it includes.
FAKE_NVCC = """#!/bin/sh
echo "$@" >> calls
while [ $# -gt 0 ]; do
  case $1 in -MF) list=$2; shift;; -o) out=$2; shift;; *.cu) source=$1;; *.o) objects="$objects $1";; esac
  shift
done
grep -q broken $source /dev/null && { echo "$source(1): error: broken"; exit 1; }
[ -n "$list" ] && printf '%s : %s \\\\\\n    my\\\\ header.h\\n' "$out" "$source" > "$list"
cat $source $objects > "$out"
"""


@pytest.fixture
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(compile, "CACHE", tmp_path / "cache")
    (tmp_path / "nvcc").write_text(FAKE_NVCC)
    (tmp_path / "nvcc").chmod(0o755)
    for name, text in (("a.cu", "one"), ("b.cu", "two"), ("my header.h", "h")):
        (tmp_path / name).write_text(text)
        os.utime(tmp_path / name, (1, 1))
    return tmp_path / "nvcc"


def compiled(nvcc: Path, *sources: str, flags: tuple[str, ...] = (), sm: int = 90) -> tuple[str, int]:
    """The program's text, and how often the compiler was called for it."""
    calls = Path("calls")
    before = len(calls.read_text().splitlines()) if calls.exists() else 0
    job = compile.Job(tuple(map(Path, sources)), flags, sm, str(nvcc), lambda text: None)
    program = compile.program(job)
    assert program.name == Path(sources[0]).stem
    return program.read_text(), len(calls.read_text().splitlines()) - before


def test_nothing_is_compiled_twice(compiler: Path) -> None:
    assert compiled(compiler, "a.cu") == ("one", 1)
    assert compiled(compiler, "a.cu") == ("one", 0)
    assert compiled(compiler, "a.cu", flags=("-DX",)) == ("one", 1)
    assert compiled(compiler, "a.cu", sm=75) == ("one", 1)
    assert compiled(compiler, "a.cu") == ("one", 0)
    os.utime("a.cu", (2, 2))  # touched, not changed
    assert compiled(compiler, "a.cu") == ("one", 0)


def test_a_changed_source_or_header_is_compiled_again(compiler: Path) -> None:
    compiled(compiler, "a.cu")
    for file, text, result in (("a.cu", "three", "three"), ("my header.h", "other", "three")):
        Path(file).write_text(text)
        os.utime(file, (3, 3))
        assert compiled(compiler, "a.cu") == (result, 1)
        assert compiled(compiler, "a.cu") == (result, 0)
    Path("my header.h").unlink()
    for _ in range(2):  # the real compiler would refuse it
        assert compiled(compiler, "a.cu") == ("three", 1)


def test_a_file_saved_while_it_is_compiled_is_compiled_again(compiler: Path) -> None:
    Path("a.cu").write_text("late")
    os.utime("a.cu", (2**32, 2**32))
    assert compiled(compiler, "a.cu") == ("late", 1)
    assert compiled(compiler, "a.cu") == ("late", 1)


def test_of_several_files_only_the_changed_one_is_compiled(compiler: Path) -> None:
    assert compiled(compiler, "a.cu", "b.cu") == ("onetwo", 3)
    assert compiled(compiler, "a.cu", "b.cu") == ("onetwo", 0)
    Path("b.cu").write_text("four")
    os.utime("b.cu", (3, 3))
    assert compiled(compiler, "a.cu", "b.cu") == ("onefour", 2)


def test_a_damaged_cache_is_made_again(compiler: Path) -> None:
    compiled(compiler, "a.cu")
    (inputs,) = Path("cache").glob("*/inputs.json")
    for text in ("", "[]", '{"a": 1}'):
        inputs.write_text(text)
        assert compiled(compiler, "a.cu") == ("one", 1)
    (inputs.parent / "a").unlink()
    assert compiled(compiler, "a.cu") == ("one", 1)


def test_calls_at_the_same_time_do_not_disturb_each_other(compiler: Path) -> None:
    def make(number: int) -> str:
        job = compile.Job((Path("a.cu"),), (f"-D{number % 2}",), 90, str(compiler), lambda text: None)
        return compile.program(job).read_text()

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(make, range(16))) == {"one"}
    assert not list(Path("cache").glob("new-*"))


def test_the_cache_stays_small_and_clean(compiler: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compile, "_KEPT", 2)
    cache = Path("cache")
    for name, age in (("new-left", 2 * 86400), ("new-now", 0)):  # a call that was killed, and one that is under way
        (cache / name).mkdir(parents=True)
        os.utime(cache / name, (time.time() - age, time.time() - age))
    (cache / "new-gone").symlink_to("nowhere")  # as one that goes away while the cache is looked through
    for number in range(4):
        compiled(compiler, "a.cu", flags=(f"-D{number}",))
    names = [place.name for place in cache.iterdir()]
    assert "new-now" in names and "new-left" not in names
    assert len(names) <= 4
    assert compiled(compiler, "a.cu", flags=("-D3",)) == ("one", 0)


def test_what_does_not_compile_leaves_nothing(compiler: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("a.cu").write_text("broken")
    with pytest.raises(CourseError, match=r"^a\.cu does not compile$") as error:
        compiled(compiler, "a.cu")
    assert error.value.exit_code == 1
    assert capfd.readouterr() == ("", "a.cu(1): error: broken\n")  # standard output is the program's
    assert list(Path("cache").iterdir()) == []

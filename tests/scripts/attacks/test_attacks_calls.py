# SPDX-License-Identifier: MIT
"""What a program asks the system for is found in the program itself, however its source spells it."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from warpladder.grading.imports import asked_for
from warpladder.grading.remarks import odd_calls, odd_words

# Two halves of a name, which the assembler puts together: no pattern sees it.
_HIDDEN = """
extern "C" int hidden(void) __asm__("clear" "env");
static const int z = hidden();
int main() { return z; }
"""
_FIRST = """
static void first(int, char**, char**) {}
__attribute__((section(".preinit_array"), used)) static void (*kFirst)(int, char**, char**) = first;
int main() { return 0; }
"""
needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="needs a C++ compiler")


def built(folder: Path, text: str) -> Path:
    (folder / "a.cpp").write_text(text)
    subprocess.run(["g++", "-o", str(folder / "a"), str(folder / "a.cpp")], check=True)
    return folder / "a"


@needs_compiler
def test_a_name_that_no_pattern_sees(tmp_path: Path) -> None:
    assert odd_words(_HIDDEN.encode()) == ["main"]
    assert odd_calls(asked_for(built(tmp_path, _HIDDEN))) == ["clearenv"]


@needs_compiler
def test_code_that_runs_before_the_libraries(tmp_path: Path) -> None:
    assert odd_calls(asked_for(built(tmp_path, _FIRST))) == ["code before all other code"]


@needs_compiler
def test_a_damaged_program_is_no_reason_to_fail(tmp_path: Path) -> None:
    program, chance = built(tmp_path, "int main() { return 0; }\n"), random.Random(4)
    assert odd_calls(asked_for(program)) == []
    whole = program.read_bytes()
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(20):
            at = chance.randrange(64) if chance.random() < 0.5 else chance.randrange(len(data))
            data[at] = chance.randrange(256)
        program.write_bytes(data[: chance.randrange(len(data))] if chance.random() < 0.2 else data)
        assert all(len(name) <= 200 for name in asked_for(program))
    assert asked_for(tmp_path / "none") == set()

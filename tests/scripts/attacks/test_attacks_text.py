# SPDX-License-Identifier: MIT
"""What a compiler or a program prints can neither make the grader open a file nor keep it busy."""

from __future__ import annotations

import time
from pathlib import Path

import attack_samples
import pytest
from exercise_samples import needs_emulator

from warpladder.exercises import catalog, report
from warpladder.exercises.progress import Progress
from warpladder.exercises.verdict import Kind, Verdict
from warpladder.judging import annotate, compile, diagnose
from warpladder.sandbox.sandbox import Limits, Record
from warpladder.setup import machine

MINE = b"first\n  second();\n"


@pytest.fixture
def student(tmp_path: Path) -> Path:
    file = tmp_path / "warp_sum.cuh"
    file.write_bytes(MINE)
    return file


@pytest.mark.parametrize("path", attack_samples.FOREIGN_FILES)
@pytest.mark.parametrize("form", ["{}(1): error: x", "{}:1:2: error: x"])
def test_no_line_of_a_file_that_the_compiler_names(path: str, form: str) -> None:
    error = compile.first_error(form.format(path), "warp_sum.cuh", MINE)
    assert error.line == 1 and error.source == ""


def test_lines_of_the_students_own_file_are_shown() -> None:
    for path in ("student/warp_sum.cuh", "./student/warp_sum.cuh"):  # nvcc's own words
        error = compile.first_error(f"{path}(2): error: x", "warp_sum.cuh", MINE)
        assert error.source == "second();"
    other = compile.first_error("elsewhere/warp_sum.cuh(2): error: x", "warp_sum.cuh", MINE)
    assert other.source == ""


@needs_emulator
def test_a_line_directive_shows_nothing_of_the_grader(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the seed is 4242\n")
    file = tmp_path / "warp_sum.cuh"
    file.write_text(attack_samples.names_a_line_of(str(secret)))
    nvcc = machine.find_nvcc()
    assert nvcc is not None
    for _ in range(2):  # the second time from the cache
        error = compile.runner(catalog.find("warp_sum"), file, nvcc, gpu=False).error
        assert error is not None and "4242" not in f"{error.source} {error.text}"
    file.write_text("int fine;\nint broken = 1 +;\n")
    error = compile.runner(catalog.find("warp_sum"), file, nvcc, gpu=False).error
    assert error is not None and (error.where, error.source) == ("warp_sum.cuh:2", "int broken = 1 +;")


@pytest.mark.parametrize("flood", attack_samples.FLOODS)
def test_a_flood_of_a_program_is_read_in_no_time(student: Path, flood: str) -> None:
    start = time.process_time()
    record = Record(10, None, None, "", attack_samples.FLOODS[flood], 1.0)
    verdict = diagnose.run_failed(record, Limits(), student, None)
    assert time.process_time() - start < 0.5
    assert verdict is not None and sum(map(len, verdict.lines())) < 50_000


@pytest.mark.parametrize("flood", attack_samples.COMPILER_FLOODS)
def test_a_flood_of_a_compiler_is_read_in_no_time(flood: str) -> None:
    start = time.process_time()
    verdict = diagnose.compile_error(compile.first_error(attack_samples.COMPILER_FLOODS[flood], "warp_sum.cuh", MINE))
    assert time.process_time() - start < 1.5
    assert verdict.kind is Kind.COMPILE_ERROR and sum(map(len, verdict.lines())) < 10_000
    assert "\x1b" not in "".join([verdict.headline, *verdict.lines()])


@pytest.mark.parametrize("flood", attack_samples.ANNOTATION_FLOODS)
def test_a_flood_of_annotations_is_read_in_no_time(student: Path, flood: str) -> None:
    start = time.process_time()
    annotate.with_source(attack_samples.ANNOTATION_FLOODS[flood], student)
    assert time.process_time() - start < 0.5


def test_no_escape_code_reaches_a_terminal(student: Path) -> None:
    verdict = Verdict(Kind.CRASHED, "a\x1b[2Jb", (("said", "x\x1b]0;t\x07\n\u202ey"),), notes=("n\x9b1m",))
    text = "\n".join(report.report(catalog.find("warp_sum"), verdict, student, Progress()))
    assert not any(c in text for c in "\x1b\x07\u202e\x9b")

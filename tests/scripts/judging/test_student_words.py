# SPDX-License-Identifier: MIT
"""What a student reads: in their words, in whole words, and within their terminal."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from exercise_samples import ROOT, course, needs_emulator
from terminal import Terminal

from warpladder.core.plain import visible, wrapped
from warpladder.exercises.verdict import CaseResult, Kind
from warpladder.judging import compile, diagnose


@needs_emulator
@pytest.mark.parametrize("text", ["", " \n\n"])
def test_an_empty_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "warp_sum.cuh").write_text(text)
    run = course("check", "warp_sum", "--file", str(tmp_path / "warp_sum.cuh"), "--backend", "emulator", work=tmp_path)
    assert run.returncode == 1
    assert "warp_sum.cuh is empty; `./course reset warp_sum` puts the starter back" in run.stdout


def test_what_the_students_own_file_does_not_define_is_an_error_there() -> None:
    error = compile.first_error(
        'student/warp_sum.cuh(2): error: identifier "x" is undefined', "warp_sum.cuh", b"a\nb\n"
    )
    assert diagnose.compile_error(error).headline == "it does not compile: warp_sum.cuh:2"


def test_one_is_said_otherwise_than_many() -> None:
    def case(ok: bool, **facts: object) -> CaseResult:
        return CaseResult("n5", True, ok, Kind.PASSED if ok else Kind.WRONG_VALUE, "", 5, 1, dict(facts))

    assert diagnose.of_cases([case(True)]).headline == "the case is right"
    wrong = case(False, array="y", index=2, size=5, wrong=1, expected="1", actual="2")
    text = "\n".join(diagnose.of_cases([wrong, case(True)]).lines())
    assert "1 of 5 elements differs" in text and "1 of 2 is wrong" in text


LONG = "  because           it is the sum of the first 96 elements; the last 4 are missing, and nobody else adds them"


@pytest.mark.parametrize("width", [40, 60, 80])
def test_lines_are_broken_between_words(width: int) -> None:
    lines = wrapped(LONG, width)
    assert all(len(line) <= width for line in lines) and len(lines) > 1
    assert " ".join(" ".join(lines).split()) == " ".join(LONG.split())
    assert all(line.startswith(" " * 20) for line in lines[1:]), "under the text, not under the label"


def test_what_fits_stays() -> None:
    assert wrapped(LONG, 0) == [LONG] and wrapped(LONG, 200) == [LONG]
    assert visible("\033[31mred\033[0m") == 3 and visible("漢字") == 4
    word = "/a/path/that/is/longer/than/any/terminal/is/wide"
    assert wrapped(f"file  {word}", 30) == [f"file  {word}"], "a path is not broken: it is copied"


@needs_emulator
@pytest.mark.parametrize("size", [(24, 80), (40, 120)])
def test_watch_keeps_within_its_terminal(tmp_path: Path, size: tuple[int, int]) -> None:
    env = {**os.environ, "WARPLADDER_WORK": str(tmp_path), "TERM": "xterm"}
    command = [sys.executable, str(ROOT / "course"), "watch", "warp_sum"]
    with Terminal(command, ROOT, env, size) as terminal:
        screen = terminal.wait_for("q:quit")
        terminal.type("h")
        screen += terminal.wait_for("q:quit")
        terminal.type("q")
        assert terminal.ends() == 0
    paths = [line for line in screen.splitlines() if str(tmp_path) in line]
    assert [line for line in screen.splitlines() if visible(line) > size[1] and line not in paths] == []


def test_what_is_handed_in_is_no_part_of_the_course() -> None:
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("not a git checkout, or there is no git")
    assert subprocess.run(["git", "check-ignore", "-q", "submission.zip"], cwd=ROOT).returncode == 0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("int x = 1；", "； (fullwidth semicolon) in this line; C++ knows only ;"),
        ("f（x);", "（ (fullwidth left parenthesis) in this line; C++ knows only ("),
        ("puts(“a”);", '“ (left double quotation mark) in this line; C++ knows only "'),
        ("a = b – c;", "– (en dash) in this line; C++ knows only -"),
        ("int größe = 1 // “mein”；", ""),
    ],
)
def test_a_character_that_only_looks_right_is_named(line: str, said: str) -> None:
    error = compile.first_error("student/a.cuh(1): error: unrecognized token", "a.cuh", line.encode())
    think = dict(diagnose.compile_error(error).details).get("think", "")
    assert said in think and bool(think) == bool(said)


@needs_emulator
def test_keys_typed_during_a_check_are_kept_and_a_file_that_is_gone_is_noticed(tmp_path: Path) -> None:
    env = {**os.environ, "WARPLADDER_WORK": str(tmp_path), "TERM": "xterm"}
    command = [sys.executable, str(ROOT / "course"), "watch", "warp_sum"]
    with Terminal(command, ROOT, env, (24, 80)) as terminal:
        terminal.wait_for("checking ...")
        terminal.type("\x1b[Alh")  # an arrow, then two keys
        assert "NOT YET" in terminal.wait_for("q:quit")
        assert "> 04 warp_sum" in terminal.wait_for("q:quit")
        assert "hint 1 of 3" in terminal.wait_for("q:quit")
        (tmp_path / "04_warp_shuffle" / "warp_sum.cuh").unlink()
        assert "is gone; c puts the starter there" in " ".join(terminal.wait_for("q:quit").split())
        terminal.type("q")
        assert terminal.ends() == 0

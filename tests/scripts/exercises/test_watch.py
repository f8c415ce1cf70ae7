# SPDX-License-Identifier: MIT
"""`course watch` as a student uses it: at a terminal, with an editor that saves the file beside it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from exercise_samples import ROOT, WARP_SUM, needs_emulator
from terminal import Terminal

KEYS = "n:next p:previous h:hint c:check l:list s:solution x:reset q:quit"


def watch(work: Path, *words: str) -> Terminal:
    env = {**os.environ, "WARPLADDER_WORK": str(work), "TERM": "xterm"}
    return Terminal([sys.executable, str(ROOT / "course"), "watch", *words], ROOT, env)


def save(file: Path, text: str) -> None:
    """As most editors do: a new file takes the place of the old one."""
    fresh = file.with_suffix(".swp")
    fresh.write_text(text)
    fresh.replace(file)


@needs_emulator
def test_a_student_fails_takes_a_hint_repairs_passes_and_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "04_warp_shuffle" / "warp_sum.cuh"
    with watch(tmp_path, "warp_sum") as terminal:
        screen = terminal.wait_for(KEYS)
        assert "exercise  warp_sum: Add up any number of elements with one warp" in screen
        assert f"file      {file} (made from the starter just now)" in screen
        assert "on        the emulator" in screen or "on        the GPU" in screen
        assert "NOT YET  wrong value: sum is 466, not 2575, for n = 5" in screen
        assert "it is x[0]: what the other lanes have never reaches lane 0" in screen
        assert f"this is still the starter: edit {file}, line 15" in screen
        assert "[------------------------------] 0 of" in screen

        terminal.type("h")
        screen = terminal.wait_for(KEYS)
        assert "hint 1 of 3 for warp_sum: A question" in screen
        assert "mine +=" not in screen, "the first hint gives nothing away"

        terminal.type("s")
        assert "once you have passed" in terminal.wait_for(KEYS)

        save(file, (WARP_SUM / "wrong" / "lost_tail.cuh").read_text())
        screen = terminal.wait_for(KEYS)
        assert "NOT YET  the tail is lost: sum is 16984, not 17078, for n = 33" in screen
        assert "stuck? `./course hint warp_sum` (1 of 3 hints used)" in screen

        save(file, (WARP_SUM / "solution.cuh").read_text())
        screen = terminal.wait_for(KEYS)
        assert "PASSED  all 15 cases are right" in screen
        assert "1 of" in screen and "done; n goes to" in screen

        terminal.type("s")
        assert "warp_sum explained" in terminal.wait_for(KEYS)
        terminal.type("l")
        assert "> 04 warp_sum" in terminal.wait_for(KEYS)
        terminal.type("q")
        assert terminal.ends() == 0
    state = json.loads((tmp_path / "progress.json").read_text())["exercises"]["warp_sum"]
    assert state["passed"] and state["checks"] == 3 and state["hints"] == 1


@needs_emulator
def test_a_reset_asks_first_and_keeps_the_file(tmp_path: Path) -> None:
    file = tmp_path / "04_warp_shuffle" / "warp_sum.cuh"
    file.parent.mkdir()
    file.write_text("int mine_alone = 1 +;\n")
    with watch(tmp_path, "warp_sum") as terminal:
        screen = terminal.wait_for(KEYS)
        assert "NOT YET  it does not compile: warp_sum.cuh:1" in screen
        assert "int mine_alone = 1 +;" in screen
        terminal.type("x")
        terminal.wait_for("y / n")
        terminal.type("n")
        assert "nothing was changed" in terminal.wait_for(KEYS)
        assert file.read_text() == "int mine_alone = 1 +;\n"
        terminal.type("x")
        terminal.wait_for("y / n")
        terminal.type("y")
        assert "your file is kept as" in terminal.wait_for(KEYS)
        terminal.type("q")
        assert terminal.ends() == 0
    assert "TODO" in file.read_text()
    assert [backup.read_text() for backup in file.parent.glob("*.backup")] == ["int mine_alone = 1 +;\n"]


@needs_emulator
@pytest.mark.parametrize("before", ("", "trap '' INT; "), ids=("as usual", "ignored by whoever starts it"))
def test_the_terminal_is_as_before_after_an_interrupt(before: str, tmp_path: Path) -> None:
    command = f"stty -g > before; {sys.executable} {ROOT / 'course'} watch warp_sum; stty -g > after; echo finished"
    env = {**os.environ, "WARPLADDER_WORK": str(tmp_path / "work"), "TERM": "xterm"}
    with Terminal(["bash", "-ic", f"{before}set -m; {command}"], tmp_path, env) as terminal:
        terminal.wait_for(KEYS)
        terminal.type("\x03")
        terminal.wait_for("interrupted")
        terminal.wait_for("finished", 20)
    assert (tmp_path / "before").read_text() == (tmp_path / "after").read_text()


def test_an_unknown_exercise_gets_one_line(tmp_path: Path) -> None:
    with watch(tmp_path, "warp_sun") as terminal:
        assert terminal.ends() == 2
        assert terminal.rest().splitlines() == ["course: there is no exercise 'warp_sun'; did you mean warp_sum?"]

# SPDX-License-Identifier: MIT
"""A student's bad hour at a small and at a large terminal: everything that can be wrong with a file, one after another.

What each line says is held elsewhere (test_student_words.py, test_who_and_where.py); here is what reaches the eye.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from exercise_samples import ENDLESS, ROOT, WARP_SUM, needs_emulator
from terminal import Terminal

from warpladder.core.plain import visible

# `course watch`, but a loop is endless after fewer instructions: nobody waits for it here.
COMMAND = """
import sys
sys.path.insert(0, {scripts!r})
from warpladder import cli
from warpladder.judging import evaluate
evaluate._INSTRUCTIONS_PER_SECOND = 10_000
sys.exit(cli.main(["watch", "warp_sum", "--backend", "emulator"]))
"""
LAST = "q:quit"
HEAD = "#include <cstddef>\n"
KERNEL = "__global__ void warp_sum(const int*, std::size_t, int*) {"


class Student:
    """Sits at the terminal; all that was on the screen is looked at in the end."""

    def __init__(self, terminal: Terminal, file: Path, columns: int) -> None:
        self.terminal, self.file, self.columns = terminal, file, columns
        self.screens: list[str] = []

    def reads(self) -> str:
        """The next screen; a line that was wrapped is one again."""
        self.screens.append(self.terminal.wait_for(LAST))
        return " ".join(self.screens[-1].split())

    def saves(self, text: str) -> str:
        fresh = self.file.with_suffix(".swp")
        fresh.write_text(text)
        fresh.replace(self.file)
        return self.reads()

    def too_wide(self) -> list[str]:
        """Lines that the terminal would break; a path is not broken by us, either: it is there to be copied."""
        lines = [line for screen in self.screens for line in screen.splitlines()]
        return [line for line in lines if visible(line) > self.columns and str(self.file.parent) not in line]


@needs_emulator
@pytest.mark.xdist_group("trial")  # the second finds compiled what the first compiled
@pytest.mark.parametrize("size", [(24, 80), (40, 120)], ids=("80x24", "120x40"))
def test_a_bad_hour(tmp_path: Path, size: tuple[int, int]) -> None:
    file = tmp_path / "04_warp_shuffle" / "warp_sum.cuh"
    file.parent.mkdir()
    file.write_text("\n")
    env = {**os.environ, "WARPLADDER_WORK": str(tmp_path), "TERM": "xterm"}
    command = [sys.executable, "-c", COMMAND.format(scripts=str(ROOT / "scripts"))]
    with Terminal(command, ROOT, env, size) as terminal:
        student = Student(terminal, file, size[1])
        assert "warp_sum.cuh is empty; `./course reset warp_sum` puts the starter back" in student.reads()

        screen = student.saves(HEAD + "__global__ void warp_summ(const int*, std::size_t, int*) {}\n")
        assert "your file does not define warp_sum" in screen and "the exercise calls it by this name" in screen

        # Full-width punctuation, and a line that would write the window's title and clear the screen.
        screen = student.saves(HEAD + KERNEL + "\n  int x = 1\uff1b // \x1b]0;mine\x07 \x1b[2J\n}\n")
        assert "it does not compile: warp_sum.cuh:3" in screen
        assert "(fullwidth semicolon) in this line; C++ knows only ;" in screen
        assert "\x1b]0;" not in terminal.raw and "\x07" not in terminal.raw

        screen = student.saves((WARP_SUM / "wrong" / "past_the_end.cuh").read_text())
        assert " of x (" in screen and "allocation" not in screen, screen

        screen = student.saves(ENDLESS)
        assert "the kernel does not come to an end, at warp_sum.cuh:" in screen
        assert re.search(r" line +[56] \| ", screen) and "INSTRUCTION_LIMIT" not in screen

        terminal.type("c")
        terminal.wait_for("checking ...")
        terminal.type("lh")  # while it is busy
        assert "does not come to an end" in student.reads()
        assert "> 04 warp_sum" in student.reads()
        assert "hint 1 of 3" in student.reads()

        file.unlink()
        assert "is gone; c puts the starter there" in student.reads()
        terminal.type("q")
        assert terminal.ends() == 0
    assert student.too_wide() == []
    text = "\n".join(student.screens)
    assert re.findall(r"\b1 (?:elements|cases|hints|lanes|bytes|exercises|lines|are|were)\b", text) == []

# SPDX-License-Identifier: MIT
"""What a student sees in a small and in a large terminal: no line is wider than it. Nothing waits for a compiler."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from exercise_samples import ROOT, needs_emulator
from terminal import Terminal


@needs_emulator
@pytest.mark.parametrize("size", [(24, 80), (40, 120)], ids=("80x24", "120x40"))
def test_an_empty_file_is_said_in_lines_that_fit(tmp_path: Path, size: tuple[int, int]) -> None:
    file = tmp_path / "04_warp_shuffle" / "warp_sum.cuh"
    file.parent.mkdir()
    file.write_text("\n")
    env = {**os.environ, "WARPLADDER_WORK": str(tmp_path), "TERM": "xterm"}
    with Terminal([sys.executable, str(ROOT / "course"), "watch", "warp_sum"], ROOT, env, size) as terminal:
        screen = terminal.wait_for("is empty")
        screen += terminal.wait_for("q:quit")
        # A path is not broken: it is there to be copied.
        assert max(len(line) for line in screen.splitlines() if str(tmp_path) not in line) <= size[1]
        assert len(screen.splitlines()) <= size[0]
        file.unlink()
        terminal.wait_for("is gone")
        terminal.type("q")
        assert terminal.ends() == 0

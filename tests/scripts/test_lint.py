# SPDX-License-Identifier: MIT
"""`course lint` over all exercises: solutions pass, starters and wrong answers fail for the reason that is named."""

from __future__ import annotations

import re
from pathlib import Path

from exercise_samples import course, needs_emulator

from warpladder import exercises

SUITE = 3  # wrong answers of each: all of them take ten minutes, `./course lint` runs them


@needs_emulator
def test_every_exercise_keeps_its_rules(tmp_path: Path) -> None:
    run = course("lint", "--backend", "emulator", "--wrong", str(SUITE), work=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert not re.findall(r"^skip ", run.stdout, re.MULTILINE)
    count = len(exercises.everything())
    assert count >= 20 and count * SUITE >= 60
    assert f"{count} exercises, {count * SUITE} wrong answers rejected, 0 with problems" in run.stdout

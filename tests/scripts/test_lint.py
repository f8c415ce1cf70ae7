# SPDX-License-Identifier: MIT
"""`course lint` over all exercises: solutions pass, starters and wrong answers fail for the reason that is named."""

from __future__ import annotations

import re
from pathlib import Path

from exercise_samples import course, needs_emulator

from warpladder import exercises


@needs_emulator
def test_every_exercise_keeps_its_rules(tmp_path: Path) -> None:
    run = course("lint", "--backend", "emulator", work=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    wrong = sum(len(exercise.wrong) for exercise in exercises.everything())
    skipped = len(re.findall(r"^skip ", run.stdout, re.MULTILINE))
    assert f"{wrong - skipped} wrong answers rejected, 0 with problems" in run.stdout

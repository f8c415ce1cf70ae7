# SPDX-License-Identifier: MIT
"""What the tests of the exercises share: where an emulator is, and `course` as a person types it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from warpladder import backend, machine

ROOT = Path(__file__).resolve().parents[2]
WARP_SUM = ROOT / "lessons" / "04_warp_shuffle" / "exercises" / "warp_sum"


def can_run() -> bool:
    return machine.find_nvcc() is not None and backend.find_emulator() is not None


needs_emulator = pytest.mark.skipif(not can_run(), reason="needs nvcc and a built emulator: `./course test` builds it")


def course(*words: str, work: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """`./course WORDS`, with this folder for the student's files."""
    environment = {**os.environ, "WARPLADDER_WORK": str(work), **env}
    return subprocess.run(
        [sys.executable, str(ROOT / "course"), *words], env=environment, cwd=ROOT, capture_output=True, text=True
    )


def facts(output: str) -> dict[str, str]:
    """The labelled lines of a verdict."""
    return {m.group(1): m.group(2) for m in re.finditer(r"^  (\w[\w ]*?)  +(\S.*)$", output, re.MULTILINE)}

# SPDX-License-Identifier: MIT
"""What the tests of the exercises share: where an emulator is, and `course` as a person types it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from warpladder.build import backend
from warpladder.build.backend import Backend
from warpladder.core.console import Console
from warpladder.judging import compile
from warpladder.setup import machine

ROOT = Path(__file__).resolve().parents[3]
WARP_SUM = ROOT / "lessons" / "04_warp_shuffle" / "exercises" / "warp_sum"
# A loop without end that stores, as a file of the exercise warp_sum.
ENDLESS = """#include <cstddef>
__global__ void warp_sum(const int* x, std::size_t n, int* sum) {
  volatile int* counter = sum;  // an ordinary one would be left out by the compiler, and the loop with it
  *counter = 0;
  while (*counter >= 0) {
    *counter = (*counter + 1) & 0xffff;
  }
}
"""


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


def pretended_gpu(monkeypatch: pytest.MonkeyPatch, alone: bool = False, **env: str) -> Backend:
    """A machine with a GPU, for the scripts: in its place there is another run of the emulator, with these settings."""
    here = backend.choose(Console(), "emulator")
    monkeypatch.setattr(compile, "_gpu_architecture", lambda: "-arch=compute_90")
    runtime = {"LD_LIBRARY_PATH": str(here.emulator)}
    monkeypatch.setattr(Backend, "environment", lambda self, gpu: runtime | (env if gpu else {}))
    monkeypatch.setattr(Backend, "files", here.files)
    return Backend(here.nvcc, True, None if alone else here.emulator, here.features)

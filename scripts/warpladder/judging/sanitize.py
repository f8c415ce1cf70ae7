# SPDX-License-Identifier: MIT
"""The solutions of the exercises under NVIDIA's compute-sanitizer, on a GPU: a part of `./course lint --sanitize`.

They are ours, so they run without the sandbox, in which the tool could not work.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from ..build.backend import Backend
from ..core.console import CourseError
from ..exercises.catalog import Exercise
from ..setup import machine
from . import compile
from .evaluate import DEFAULT_SEED, trusted

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
_FOUND = 9  # the exit code that the tool is asked for
_SECONDS = 300


def program(nvcc: str) -> str:
    """compute-sanitizer, which comes with the toolkit."""
    beside = Path(nvcc).resolve().parent / "compute-sanitizer"
    found = str(beside) if beside.exists() else machine.tool("compute-sanitizer")
    if found is None:
        raise CourseError("--sanitize needs compute-sanitizer of the CUDA toolkit", exit_code=3)
    return found


def finding(exercise: Exercise, tool: str, where: Backend) -> str:
    """What the tool says about the solution on all its cases; empty if nothing."""
    compiled = compile.runner(exercise, exercise.folder / "solution.cuh", where.nvcc, gpu=True)
    if compiled.program is None:
        return "solution.cuh does not compile"
    with tempfile.TemporaryDirectory(prefix="warpladder-") as folder:
        outputs = Path(folder) / "outputs"
        outputs.mkdir()
        trusted([str(compile.judge(exercise)), "cases", "--out", folder, "--hidden", "-"], str(DEFAULT_SEED))
        command = [program(where.nvcc), "--tool", tool, "--error-exitcode", str(_FOUND)]
        command += [str(compiled.program), str(Path(folder) / "inputs"), str(outputs)]
        env = {**os.environ, **where.environment(gpu=True)}
        try:
            run = subprocess.run(
                command, env=env, capture_output=True, text=True, errors="replace", timeout=_SECONDS, cwd=folder
            )
        except subprocess.TimeoutExpired:
            return f"{tool}: not finished after {_SECONDS} s"
    if run.returncode == 0:
        return ""
    lines = [line.lstrip("= ") for line in (run.stdout + run.stderr).splitlines() if line.startswith("=========")]
    told = [line for line in lines if line and not line.startswith("COMPUTE-SANITIZER")]
    return f"{tool}: {told[0] if told else f'exit code {run.returncode}'}"

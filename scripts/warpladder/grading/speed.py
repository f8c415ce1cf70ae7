# SPDX-License-Identifier: MIT
"""Points for speed: a student's file against the exercise's solution, both timed in the same run on the same GPU.

A time says nothing by itself; a ratio to the reference that ran a moment ago does. On the emulator there is no time to
measure, so there are no such points.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from ..judging import compile
from ..judging.evaluate import Request, trusted
from ..judging.judge import Judging
from ..sandbox import sandbox, untrusted
from .config import SpeedRule

_ROUNDS = 2  # reference and student in turn
_CASE = "performance"
_LARGEST_FILE = 1 << 30  # bytes: what is timed is larger than a GPU's cache


@dataclass(frozen=True)
class Speed:
    ratio: float | None  # the reference's time divided by the student's
    text: str


def measure(request: Request, reference: Path) -> Speed:
    exercise = request.exercise
    assert exercise.performance is not None
    size, repeats = exercise.performance.n, exercise.performance.repeats
    programs = {}
    for who, file in (("reference", reference), ("student", request.student)):
        compiled = compile.runner(exercise, file, request.backend.nvcc, gpu=True, allowance=request.allowance)
        if compiled.program is None:
            return Speed(None, f"not timed: the {who} does not compile")
        programs[who] = compiled.program
    best = {who: float("inf") for who in programs}
    judge = compile.judge(exercise)
    with tempfile.TemporaryDirectory(prefix="warpladder-") as folder:
        cases = Path(folder)
        trusted([str(judge), "cases", "--out", folder, "--size", str(size)])
        for number in range(_ROUNDS):
            for who, program in programs.items():
                request.say(f"timing {exercise.name}: the {who}, {number + 1} of {_ROUNDS}")
                time, why = _timed(request, judge, program, cases, repeats)
                if time is None:
                    return Speed(None, f"not timed at n = {size}: the {who} {why}")
                best[who] = min(best[who], time)
    ratio = best["reference"] / best["student"]
    text = f"{best['student']:.4g} ms at n = {size}, the reference {best['reference']:.4g} ms: speed {ratio:.2f}"
    return Speed(ratio, text)


def _timed(request: Request, judge: Path, program: Path, cases: Path, repeats: int) -> tuple[float | None, str]:
    """Milliseconds, or why there are none: a result that is wrong at this size has no time either."""
    with tempfile.TemporaryDirectory(prefix="warpladder-") as folder:
        Path(folder).chmod(0o711)
        place, outputs = Path(folder) / "run", Path(folder) / "run" / "outputs"
        shutil.copytree(cases / "inputs", place / "inputs")  # it may change them
        outputs.mkdir()
        command = [str(program), str(place / "inputs"), str(outputs), "--time", str(repeats)]
        limits = replace(request.run_limits(gpu=True), file_bytes=_LARGEST_FILE, folder_bytes=2 * _LARGEST_FILE)
        environment = request.backend.environment(gpu=True)
        files = [program.parent, *request.backend.files]
        record = sandbox.run(command, place, limits, environment, files, request.allowance)
        if not record.ok:
            return None, f"was stopped by its limit on {record.limit}" if record.limit else "failed"
        if not all(result.ok for result in Judging(judge, cases).of(place, _LARGEST_FILE)[0]):
            return None, "is wrong there"
        return _read_time(untrusted.read(place, f"outputs/{_CASE}.time", 100))


def _read_time(data: bytes | None) -> tuple[float | None, str]:
    try:
        time = float(data or b"")
    except ValueError:
        time = 0.0
    return (time, "") if 0 < time < 1e9 else (None, "left no time")


def earned(ratio: float | None, rule: SpeedRule) -> float:
    """The share of the points for speed: all from full_at on, none up to none_at, between them in proportion."""
    if ratio is None:
        return 0.0
    return min(1.0, max(0.0, (ratio - rule.none_at) / (rule.full_at - rule.none_at)))

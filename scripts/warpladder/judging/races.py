# SPDX-License-Identifier: MIT
"""What the emulator's checks say of a wrong answer: exercise.json names the two lines of each that races."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from pathlib import Path

from ..core.console import CourseError
from ..sandbox import sandbox, untrusted
from . import compile
from .evaluate import Request, make_cases, secret_folder

_FOUND = "found.json"
_LARGEST = 4 << 20  # bytes
_LARGEST_N = 4096
_NO_RACE = "-same-value"  # a remark that need not be a mistake


def problem(request: Request) -> str:
    """What is wrong with what the checks say of a file; nothing: they name its race, or it has none."""
    races = request.exercise.races
    assert races is not None
    found = pairs(request)
    wanted = races.get(request.student.name)
    if wanted is None:
        told = ", ".join(f"{a} and {b}" for a, b in sorted(found))
        return f"the checks name a race of lines {told}, exercise.json does not" if found else ""
    if wanted in found:
        return ""
    return f"the checks do not name the race of lines {wanted[0]} and {wanted[1]}; they find: {sorted(found) or 'none'}"


def pairs(request: Request) -> list[tuple[int, int]]:
    """The lines of the file that race in some case. Stores of the same value to one place are none."""
    program, judge = _programs(request)
    with tempfile.TemporaryDirectory(prefix="warpladder-") as folder, secret_folder() as cases:
        make_cases(judge, cases, request.hidden_seed)
        place = Path(folder)
        place.chmod(0o711)
        (place / "outputs").mkdir()
        shutil.copytree(cases / "inputs", place / "inputs", ignore=_large)
        environment = request.backend.environment(False) | request.exercise.machine
        environment |= {"WARPLADDER_CHECK": "race", "WARPLADDER_CHECK_TO": _FOUND}
        command = [str(program), str(place / "inputs"), str(place / "outputs")]
        files = [program.parent, *request.backend.files]
        sandbox.run(command, place, request.run_limits(False), environment, files)
        text = untrusted.read(place, _FOUND, _LARGEST)
    found = json.loads(text)["findings"] if text else []
    # What names no accesses (that the checks' memory did not last, say) is no race.
    races = [finding for finding in found if finding["check"] == "race" and finding["accesses"]]
    told = [finding for finding in races if not finding["id"].endswith(_NO_RACE)]
    lines = [sorted(int(access["line"]) for access in finding["accesses"]) for finding in told]
    return list(dict.fromkeys((a, b) for a, b in lines))


def _large(_: str, names: list[str]) -> list[str]:
    """Cases that would take long under the checks, by the n of their names. A race shows in small ones."""
    sizes = {name: int(match.group(1)) for name in names if (match := re.search(r"(?:^|_)n(\d+)", name))}
    return [name for name, n in sizes.items() if n > max(_LARGEST_N, min(sizes.values()))]


def _programs(request: Request) -> tuple[Path, Path]:
    """The runner of the file, and the judge."""
    ready, exercise = request.ready, request.exercise
    judge = (ready and ready.judges.get(exercise.name)) or compile.judge(exercise)
    runner = ready and ready.runners.get(request.student)
    if not runner:
        compiled = compile.runner(exercise, request.student, request.backend.nvcc, False, request.compile_limits)
        if compiled.program is None:
            raise CourseError("it does not compile")
        runner = compiled.program
    return runner, judge

# SPDX-License-Identifier: MIT
"""Say what this machine has, what is missing, and how to get it. Changes nothing."""

from __future__ import annotations

import argparse
import platform

from ..core.paths import BUILD
from ..setup import machine


def add_arguments(parser: argparse.ArgumentParser) -> None:
    del parser  # no options


def run(options: argparse.Namespace) -> int:
    del options
    cores = machine.default_jobs()
    print(f"machine: {platform.system()} {platform.machine()}, {cores} jobs, Python {platform.python_version()}")
    cuda_is_there = _report_cuda()
    absent = machine.missing()
    for requirement in machine.REQUIREMENTS:
        if requirement not in absent:
            _row("ok", requirement.name)
        else:
            kind = "MISSING" if requirement.needed else "absent"
            other = ", or `./course setup` fetches it" if requirement.index else ""
            _row(kind, f"{requirement.name}: apt-get install {requirement.package}{other}")
    _row("ok" if machine.tool("ruff") else "absent", "Python packages in .venv" + _hint(machine.tool("ruff"), "test"))
    charts = machine.charts_python()
    _row("ok" if charts else "absent", f"matplotlib for the charts{_hint(charts, 'run')}")
    for line in machine.gpus() or [machine.gpu_problem() or "no NVIDIA GPU: programs run on the emulator"]:
        _row("gpu", line)
    built = sorted(path.parent.parent.name for path in BUILD.glob("*/lessons/CTestTestfile.cmake"))
    _row("built", ", ".join(built) if built else "nothing yet: `./course run` builds and runs the lessons")
    return 0 if cuda_is_there and not any(requirement.needed for requirement in absent) else 1


def _report_cuda() -> bool:
    candidates = machine.nvcc_candidates()
    used = next((candidate for candidate in candidates if candidate.fits), None)
    for candidate in candidates:
        if candidate is used:
            break
        _row("too old" if candidate.version != (0, 0) else "no use", f"left alone: {candidate}")
    if used:
        _row("ok", f"nvcc {used}")
        return True
    _row("MISSING", "nvcc 13.0 or later: `./course setup` fetches it, with what else is missing")
    return False


def _hint(present: str | None, verb: str) -> str:
    return "" if present else f": `./course {verb}` installs what is missing"


def _row(kind: str, text: str) -> None:
    print(f"  {kind:8s} {text}")

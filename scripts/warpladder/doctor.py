# SPDX-License-Identifier: MIT
"""Say what this machine has, what is missing, and how to get it. Changes nothing."""

from __future__ import annotations

import argparse
import platform

from . import machine
from .paths import BUILD


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
            _row(kind, f"{requirement.name}: apt-get install {requirement.package}")
    _row("ok" if machine.tool("ruff") else "absent", "Python packages in .venv" + _hint(machine.tool("ruff"), "test"))
    charts = machine.charts_python()
    _row("ok" if charts else "absent", f"matplotlib for the charts{_hint(charts, 'run')}")
    for line in machine.gpus() or ["no NVIDIA GPU: programs run on the emulator"]:
        _row("gpu", line)
    built = sorted(path.parent.parent.name for path in BUILD.glob("*/lessons/CTestTestfile.cmake"))
    _row("built", ", ".join(built) if built else "nothing yet: `./course run` builds and runs the lessons")
    return 0 if cuda_is_there and not any(requirement.needed for requirement in absent) else 1


def _report_cuda() -> bool:
    nvcc = machine.find_nvcc()
    found = machine.nvcc_version(nvcc) if nvcc else (0, 0)
    if nvcc and found >= machine.CUDA_MINIMUM:
        _row("ok", f"CUDA toolkit {found[0]}.{found[1]} ({nvcc})")
        return True
    _row("MISSING", machine.CUDA_HELP)
    return False


def _hint(present: str | None, verb: str) -> str:
    return "" if present else f": `./course {verb}` installs what is missing"


def _row(kind: str, text: str) -> None:
    print(f"  {kind:8s} {text}")

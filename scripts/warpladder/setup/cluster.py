# SPDX-License-Identifier: MIT
"""Dask, for grading on many processes or machines: optional, so it is installed only when somebody asks for it."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Sequence

from ..core.console import Console, CourseError
from ..core.paths import SCRIPTS, VENV
from . import machine, provision

REQUIREMENTS = SCRIPTS / "requirements-cluster.txt"
_PYTHON = VENV / "bin" / "python"
_MARK = "WARPLADDER_CLUSTER"


def ensure(console: Console) -> str:
    """The interpreter that has it."""
    if importlib.util.find_spec("distributed") is not None:
        return sys.executable
    if not machine.output_of([str(_PYTHON), "-c", "import distributed; print('yes')"]):
        if provision.make_venv(console):
            pip = [str(_PYTHON), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
            console.run("installing Dask", [*pip, "-r", str(REQUIREMENTS)], "pip-cluster.log")
        if not machine.output_of([str(_PYTHON), "-c", "import distributed; print('yes')"]):
            what = f"pip install -r {REQUIREMENTS.relative_to(SCRIPTS.parent)}"
            raise CourseError(f"Dask is missing, and could not be installed; `{what}` brings it", exit_code=3)
    return str(_PYTHON)


def environment() -> dict[str, str]:
    """For workers: they find the course's own modules."""
    path = os.pathsep.join(filter(None, (str(SCRIPTS), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, _MARK: "1"}


def begin_anew(console: Console, argv: Sequence[str]) -> None:
    """Returns if this interpreter has Dask; else the same command runs with the one that has."""
    python = ensure(console)
    if importlib.util.find_spec("distributed") is None:
        if _MARK in os.environ:
            raise CourseError("Dask is missing in the interpreter that should have it", exit_code=3)
        os.execve(python, [python, *argv], environment())


def worker(console: Console, address: str, processes: int) -> None:
    """Becomes a worker of that scheduler. Does not return."""
    words = ["--nworkers", str(processes), "--nthreads", "1", "--no-dashboard", "--death-timeout", "120"]
    python = ensure(console)
    os.execve(python, [python, "-m", "distributed.cli.dask_worker", address, *words], environment())

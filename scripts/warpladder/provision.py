# SPDX-License-Identifier: MIT
"""Sets up what is missing: Debian packages, and the project's virtual environment."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from . import machine
from .console import Console, CourseError
from .paths import REQUIREMENTS, VENV

_VENV_PYTHON = VENV / "bin" / "python"
CHARTS_HELP = "matplotlib is missing; `pip install matplotlib` or `sudo apt-get install python3-matplotlib` brings it"


def ensure_nvcc() -> str:
    nvcc = machine.find_nvcc()
    if nvcc is None:
        raise CourseError(machine.CUDA_HELP, exit_code=3)
    found = machine.nvcc_version(nvcc)
    if found < machine.CUDA_MINIMUM:
        raise CourseError(f"{machine.CUDA_HELP} ({nvcc} is version {found[0]}.{found[1]})", exit_code=3)
    return nvcc


def ensure_packages(console: Console, use: str = machine.TEST) -> None:
    """Installs the packages that this use misses where that is possible, and fails only where it cannot do without."""
    absent = machine.missing(use)
    if not absent:
        return
    prefix = _root_prefix()
    if prefix is not None and shutil.which("apt-get"):
        _apt_install(console, prefix, [requirement.package for requirement in absent])
        absent = machine.missing(use)
    if any(requirement.package == "cmake" for requirement in absent) and _python_has_pip(console):
        # The distribution's CMake is too old; PyPI has a recent one.
        command = [str(_VENV_PYTHON), "-m", "pip", "install", "-q", "cmake>=3.25,<4"]
        console.run("installing a newer CMake into .venv", command, "pip-cmake.log")
        absent = machine.missing(use)
    blocking = [requirement for requirement in absent if requirement.needed]
    if blocking:
        names = ", ".join(requirement.name for requirement in blocking)
        packages = " ".join(requirement.package for requirement in blocking)
        raise CourseError(f"missing: {names}; get them with `sudo apt-get install {packages}`", exit_code=3)
    if absent:
        console.say("going on without " + ", ".join(requirement.name for requirement in absent))


def _root_prefix() -> list[str] | None:
    """What to put before a command that needs root; None where root cannot be had without a password."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and machine.output_of(["sudo", "-n", "echo", "yes"]):
        return ["sudo", "-n"]
    return None


def _apt_install(console: Console, prefix: list[str], packages: list[str]) -> None:
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-o", "Acquire::Retries=3"]
    if console.run("updating the package lists", [*apt, "update"], "apt-update.log") != 0:
        console.say("the package lists could not be updated; trying with the old ones")
    install = [*apt, "install", "-y", "--no-install-recommends", *packages]
    if console.run("installing " + " ".join(packages), install, "apt-install.log") != 0:
        console.explain_failure("apt-install.log", limit=15)


def _python_has_pip(console: Console) -> bool:
    return _make_venv(console)


def _make_venv(console: Console) -> bool:
    """Makes .venv unless a working one is there."""
    if machine.output_of([str(_VENV_PYTHON), "-m", "pip", "--version"]):
        return True
    command = [sys.executable, "-m", "venv", "--clear", str(VENV)]
    return console.run("making the virtual environment .venv", command, "venv.log") == 0


def _has_test_tools(python: Path | str, modules: str = "pytest") -> bool:
    return machine.output_of([str(python), "-c", f"import {modules}; print('yes')"]) != ""


def ensure_python(console: Console) -> str:
    """The interpreter that has pytest: .venv's, or without a network any that has it."""
    if not (_has_test_tools(_VENV_PYTHON, "pytest, xdist") and machine.tool("ruff")):
        _install_python_packages(console)
    return find_python()


def _install_python_packages(console: Console) -> None:
    if _make_venv(console):
        command = [
            str(_VENV_PYTHON),
            "-m",
            "pip",
            "install",
            "-q",
            "--disable-pip-version-check",
            "-r",
            str(REQUIREMENTS),
        ]
        if console.run("installing the Python packages", command, "pip.log") != 0:
            console.say("the Python packages could not be installed (see build/logs/pip.log)")


def find_python() -> str:
    """An interpreter that has pytest; a CourseError if there is none."""
    for python in (_VENV_PYTHON, sys.executable, "/usr/bin/python3"):
        if _has_test_tools(python):
            return str(python)
    raise CourseError("pytest is missing; `pip install -r scripts/requirements.txt` brings it", exit_code=3)


def ensure_charts_python(console: Console) -> str | None:
    """The interpreter that has matplotlib; installs it into .venv where there is none. None: it cannot be had."""
    found = machine.charts_python()
    if found is None and machine.can_make_venv():
        _install_python_packages(console)
        found = machine.charts_python()
    return found


def find_charts_python() -> str | None:
    return machine.charts_python()

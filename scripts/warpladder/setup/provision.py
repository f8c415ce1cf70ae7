# SPDX-License-Identifier: MIT
"""Sets up what is missing: Debian packages or their stand-ins from the package index, nvcc, the virtual environment."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from ..core.console import Console, CourseError
from ..core.paths import REQUIREMENTS, VENV
from . import index, machine, pins, recipes, store, toolkit

_VENV_PYTHON = VENV / "bin" / "python"
CHARTS_HELP = "matplotlib is missing; `pip install matplotlib` or `sudo apt-get install python3-matplotlib` brings it"


def setup(console: Console, use: str, install: bool = True) -> str:
    """What one use needs, in one go: packages, tools, libraries; returns nvcc. Without `install` it only looks."""
    if install:
        ensure_packages(console, use)
    if use != machine.RUN_GPU and (problem := machine.gpu_problem()):
        console.say(problem)
    return ensure_nvcc(console, install)


def ensure_nvcc(console: Console | None = None, install: bool = True) -> str:
    """nvcc 13 or later: this machine's, else the one of NVIDIA's wheels, fetched if need be."""
    found = machine.find_nvcc()
    if found is not None:
        return found
    if not install:
        raise CourseError(f"{machine.no_nvcc()}; `./course toolkit --install` brings one", exit_code=3)
    console = console or Console()
    ensure_packages(console, machine.COMPILE)
    console.say(machine.no_nvcc())
    return str(toolkit.install(console))


def ensure_packages(console: Console, use: str = machine.TEST) -> None:
    """Installs what this use misses, by apt where it can be used, else from the package index, and fails only where it
    cannot do without. What cannot be had is said in one line."""
    absent = machine.missing(use)
    if not absent:
        return
    prefix = _root_prefix()
    if prefix is not None and shutil.which("apt-get"):
        _apt_install(console, prefix, [requirement.package for requirement in absent])
        absent = machine.missing(use)
    blocking = _blocking(absent)
    reason = ""
    if blocking and all(requirement.index for requirement in blocking):
        try:
            recipes.install(console, blocking)
        except (index.IndexUnreachable, index.WrongFile) as error:
            reason = f" (the package index does not help: {error})"
        absent = machine.missing(use)
        blocking = _blocking(absent)
    if blocking:
        # What the index would bring is fetched once the rest is there.
        told = [r for r in blocking if not r.index] if not reason else blocking
        names = ", ".join(requirement.name for requirement in told)
        packages = " ".join(requirement.package for requirement in told)
        raise CourseError(f"missing: {names}{reason}; get them with `sudo apt-get install {packages}`", exit_code=3)
    if absent:
        console.say("going on without " + ", ".join(requirement.name for requirement in absent))


def _blocking(absent: list[machine.Requirement]) -> list[machine.Requirement]:
    """What this use cannot do without; the index is of no use without certificates."""
    needed = [requirement for requirement in absent if requirement.needed]
    fetches = any(requirement.index for requirement in needed) or machine.find_nvcc() is None
    return needed + [requirement for requirement in absent if fetches and requirement.package == machine.CERTIFICATES]


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


def make_venv(console: Console) -> bool:
    """Makes .venv unless a working one is there. Debian's python3 comes without pip; then the index's goes into it."""
    if machine.output_of([str(_VENV_PYTHON), "-m", "pip", "--version"]):
        return True
    command = [sys.executable, "-m", "venv", "--clear", "--without-pip", str(VENV)]
    if console.run("making the virtual environment .venv", command, "venv.log") != 0:
        return False
    if machine.output_of([str(_VENV_PYTHON), "-m", "ensurepip"]):
        return True
    try:
        place = store.install(console, "pip", lambda folder: _unpack_pip(console, folder))
    except (index.IndexUnreachable, index.WrongFile) as error:
        console.say(f"pip cannot be fetched: {error}")
        return False
    (site,) = VENV.glob("lib/python*/site-packages")
    shutil.copytree(place, site, dirs_exist_ok=True)
    return machine.output_of([str(_VENV_PYTHON), "-m", "pip", "--version"]) != ""


def _unpack_pip(console: Console, folder: Path) -> None:
    (wheel,) = pins.fetch(console, "fetching pip", pins.of("pip"))
    store.unpack_wheel(wheel, folder / "pip", "pip/")


def _has_pytest(python: Path | str) -> bool:
    return machine.output_of([str(python), "-c", "import pytest; print('yes')"]) != ""


def _pinned() -> list[str]:
    lines = REQUIREMENTS.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def _has_requirements(python: Path) -> bool:
    """Whether all of requirements.txt is there, in those versions: a .venv may be older than the file."""
    code = "from importlib.metadata import distributions as d; print(*{f'{x.name}=={x.version}' for x in d()})"
    there = {name.lower().replace("_", "-") for name in machine.output_of([str(python), "-c", code]).split()}
    return there.issuperset(_pinned())


def ensure_python(console: Console) -> str:
    """The interpreter that has pytest: .venv's, or without a network any that has it."""
    if not _has_requirements(_VENV_PYTHON):
        _install_python_packages(console)
    return find_python()


def _install_python_packages(console: Console, only: str = "") -> None:
    """All of requirements.txt; or one package of it: a first run draws charts, and need not wait for what tests use."""
    if make_venv(console):
        wanted = [line for line in _pinned() if line.startswith(f"{only}==")]
        command = [
            str(_VENV_PYTHON),
            "-m",
            "pip",
            "install",
            "-q",
            "--disable-pip-version-check",
            "--no-compile",  # Python compiles what is imported, which is a small part
            *(wanted if only else ["-r", str(REQUIREMENTS)]),
        ]
        if console.run("installing the Python packages", command, "pip.log") != 0:
            console.say("the Python packages could not be installed (see build/logs/pip.log)")


def find_python() -> str:
    """An interpreter that has pytest; a CourseError if there is none."""
    for python in (_VENV_PYTHON, sys.executable, "/usr/bin/python3"):
        if _has_pytest(python):
            return str(python)
    raise CourseError("pytest is missing; `pip install -r scripts/requirements.txt` brings it", exit_code=3)


def ensure_charts_python(console: Console) -> str | None:
    """The interpreter that has matplotlib; installs it into .venv where there is none. None: it cannot be had."""
    found = machine.charts_python()
    if found is None and machine.can_make_venv():
        _install_python_packages(console, only="matplotlib")
        found = machine.charts_python()
    return found


def find_charts_python() -> str | None:
    return machine.charts_python()

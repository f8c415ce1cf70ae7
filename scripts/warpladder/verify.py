# SPDX-License-Identifier: MIT
"""Set up what is missing, build everything, run every test.

On a machine with a GPU the CUDA programs run there and on the emulator, else on the emulator alone. Ends with a line
"N passed, M failed"; the exit code is 0 if nothing failed, 1 if something did, 3 if something is missing.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from . import cmake, machine, provision
from .console import Console
from .paths import BUILD, LOGS
from .results import Totals, read_junit

PRESETS = ("default", "emulator", "gpu", "debug", "asan")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--preset", choices=PRESETS, default="default", help="a preset of CMakePresets.json")
    parser.add_argument("--jobs", "-j", type=int, default=machine.default_jobs(), metavar="N", help="parallel jobs")
    parser.add_argument(
        "--filter", "-R", metavar="REGEX", help="only the ctest tests whose name matches; no Python tests"
    )
    parser.add_argument("--no-setup", action="store_true", help="install nothing")
    parser.add_argument("--verbose", "-v", action="store_true", help="show the output of every command")


def run(options: argparse.Namespace) -> int:
    console = Console(options.verbose)
    nvcc = provision.setup(console, machine.TEST, install=not options.no_setup)
    python = ""
    if not options.filter:
        python = provision.find_python() if options.no_setup else provision.ensure_python(console)
    env = machine.build_environment(nvcc)

    totals = Totals()
    if not cmake.build(console, options.preset, "", options.jobs, env, definitions=["-DWARPLADDER_EMULATOR=ON"]):
        console.show("0 passed, 1 failed (the build)")
        return 1
    totals.add(_run_ctest(console, options, env))
    if python:
        totals.add(_run_pytest(console, python, env))
    return _report(console, totals)


def _run_ctest(console: Console, options: argparse.Namespace, env: dict[str, str]) -> Totals:
    junit = _fresh(BUILD / options.preset / "ctest.xml")
    command = [machine.tool("ctest") or "ctest", "--preset", options.preset, "-j", str(options.jobs)]
    command += ["--output-junit", str(junit)]
    if options.filter:
        command += ["-R", options.filter]
    code = console.run("running the tests", command, "ctest.log", env)
    totals = read_junit(junit)
    _explain(console, code, totals, "ctest.log")
    return totals


def _run_pytest(console: Console, python: str, env: dict[str, str]) -> Totals:
    junit = _fresh(LOGS / "pytest.xml")
    code = console.run("testing the scripts", [python, "-m", "pytest", f"--junitxml={junit}"], "pytest.log", env)
    totals = read_junit(junit, prefix="scripts.")
    _explain(console, code, totals, "pytest.log")
    return totals


def _fresh(junit: Path) -> Path:
    junit.parent.mkdir(parents=True, exist_ok=True)
    junit.unlink(missing_ok=True)
    return junit


def _explain(console: Console, code: int, totals: Totals, log: str) -> None:
    if code != 0 and not totals.failed:
        totals.failed.append(f"{log} (exit code {code})")
    if totals.failed:
        console.explain_failure(log, limit=60)


def _report(console: Console, totals: Totals) -> int:
    for name, reason in totals.skip_reasons.items():
        console.show(f"skipped  {name}: {reason}")
    for name in totals.failed:
        console.show(f"FAILED   {name}")
    console.say(f"unit tests: {totals.catch_cases} cases with {totals.catch_assertions} assertions passed")
    console.show(totals.line())
    return 1 if totals.failed else 0

# SPDX-License-Identifier: MIT
"""Set up what is missing, build everything, run every test; or a part of them.

On a machine with a GPU the CUDA programs run there and on the emulator, else on the emulator alone. A NAME is a part of
the names of some tests (rungs, sandbox, 04), or a label (unit, program, style); only what those need is built. At the
end come the slowest tests, where the time went, and a line "N passed, M failed"; the exit code is 0 if nothing failed,
1 if something did, 2 if no test is meant, 3 if something is missing.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from ..build import cmake
from ..core import shard
from ..core.console import Console, CourseError
from ..core.paths import BUILD, LOGS
from ..setup import machine, provision
from ..testing import suite
from ..testing.junit import Totals, read_junit
from ..testing.suite import LONG, Part

PRESETS = ("default", "emulator", "gpu", "debug", "asan")
_SLOWEST = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="only the tests with this in their name, or label")
    parser.add_argument("--long", action="store_true", help="also the tests that take long: before a release")
    parser.add_argument("--preset", choices=PRESETS, default="default", help="a preset of CMakePresets.json")
    parser.add_argument("--jobs", "-j", type=_jobs, default=machine.default_jobs(), metavar="N", help="parallel jobs")
    parser.add_argument(
        "--filter", "-R", type=_pattern, metavar="REGEX", help="only the ctest tests that match; no Python tests"
    )
    parser.add_argument("--shard", metavar="K/N", help=shard.HELP)
    parser.add_argument("--no-setup", action="store_true", help="install nothing")
    parser.add_argument("--verbose", "-v", action="store_true", help="show the output of every command")


def _jobs(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of jobs: 1 or more")
    return int(text)


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"'{text}' is no regular expression: {error}") from None
    return text


class Stages:
    """Where the time goes."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._seconds: dict[str, float] = {}

    def end(self, name: str) -> None:
        now = time.monotonic()
        self._seconds[name] = self._seconds.get(name, 0.0) + now - self._since
        self._since = now

    def line(self) -> str:
        total = sum(self._seconds.values())
        parts = [f"{name} {duration(seconds)}" for name, seconds in self._seconds.items()]
        return f"time: {duration(total)} ({', '.join(parts)})"


def duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def run(options: argparse.Namespace) -> int:
    if options.names and options.filter:
        raise CourseError("NAME and --filter choose tests in two ways: use one of them", exit_code=2)
    mine = shard.parsed(options.shard)
    console, stages = Console(options.verbose), Stages()
    scripts = [] if options.filter else suite.script_tests()
    nvcc = provision.setup(console, machine.TEST, install=not options.no_setup)
    if options.long and not options.no_setup:
        provision.ensure_packages(console, machine.LONG)
    env = machine.build_environment(nvcc)
    python = _python(console, options)
    stages.end("set-up")

    if not cmake.configure(console, options.preset, env, definitions=["-DWARPLADDER_EMULATOR=ON"]):
        return _not_built(console, "configuring")
    compiled = suite.compiled_tests(options.preset, options.long, env, options.filter or "")
    if options.filter and not compiled:
        raise CourseError(f"--filter: no ctest test matches '{options.filter}'", exit_code=2)
    chosen = bool(options.names or options.filter or mine.count > 1)
    part = suite.choose(options.names, compiled, scripts, options.long) if options.names else Part(tuple(compiled), ())
    if mine.count > 1:
        part = suite.shared(part, mine, [] if options.names or options.filter else scripts)
    stages.end("configure")

    targets: list[str] | None = ["all", *suite.built_by(compiled)]
    if chosen:
        targets = suite.targets_of(part, BUILD / options.preset, suite.outputs_of(BUILD / options.preset))
    if targets != [] and not cmake.compile(console, options.preset, "", options.jobs, env, targets=targets or ()):
        return _not_built(console, "the build")
    stages.end("build")

    tests = _Tests(console, options, env, part, chosen, python.result() if part.scripts or not chosen else "")
    totals = tests.run()
    stages.end("tests")
    return _report(console, totals, stages)


def _python(console: Console, options: argparse.Namespace) -> Future[str]:
    """The interpreter of the Python tests. Its packages are installed while the build begins: a core is idle then."""
    found: Future[str] = Future()
    if options.filter or options.no_setup:
        found.set_result("" if options.filter else provision.find_python())
        return found
    pool = ThreadPoolExecutor(1)
    found = pool.submit(provision.ensure_python, console)
    pool.shutdown(wait=False)
    return found


def _not_built(console: Console, what: str) -> int:
    console.show(f"0 passed, 1 failed ({what})")
    return 1


class _Tests:
    """CTest and pytest. In the plain suite they run beside each other: both have tests that wait, for a limit or for a
    reply, and at their ends there are not enough tests for all cores. Each may use all of them, or the one that ends
    last would leave some idle."""

    def __init__(
        self,
        console: Console,
        options: argparse.Namespace,
        env: dict[str, str],
        part: Part,
        chosen: bool,
        python: str,
    ) -> None:
        self._console, self._options, self._env = console, options, env
        self._part, self._chosen, self._python = part, chosen, python
        self._beside = bool(part.compiled and python and not options.long)
        self._started: list[subprocess.Popen[str]] = []

    def run(self) -> Totals:
        totals = Totals()
        runners = [self._ctest] if self._part.compiled else []
        runners += [self._pytest] if self._python else []
        with ThreadPoolExecutor(2 if self._beside else 1) as pool:
            try:
                for found in pool.map(lambda runner: runner(), runners):
                    totals.add(found)
            except BaseException:
                for process in self._started:
                    process.terminate()
                raise
        return totals

    def _ctest(self) -> Totals:
        options = self._options
        junit = _fresh(BUILD / options.preset / "ctest.xml")
        command = [machine.tool("ctest") or "ctest", "--preset", options.preset, "-j", str(options.jobs)]
        command += ["--output-junit", str(junit)]
        command += ["-C", LONG] if options.long else []
        if self._chosen:
            command += ["-R", suite.pattern_of(self._part.compiled)]
        code = self._console.run("running the tests", command, "ctest.log", self._env, started=self._started.append)
        totals = read_junit(junit)
        _explain(self._console, code, totals, "ctest.log")
        return totals

    def _pytest(self) -> Totals:
        options, python = self._options, self._python
        junit = _fresh(LOGS / "pytest.xml")
        command = [python, "-m", "pytest", "-vv", f"--junitxml={junit}"]
        if machine.output_of([python, "-c", "import xdist; print('yes')"]):
            # One more than there are cores: there is always a test that waits, for a limit, a browser or a terminal.
            command += ["-n", str(options.jobs + 1), "--dist", "loadgroup"]
        command += ["-m", ""] if options.long else []
        command += [test.node for test in self._part.scripts]
        code = self._console.run("testing the scripts", command, "pytest.log", self._env, started=self._started.append)
        totals = read_junit(junit, prefix=suite.PREFIX)
        _explain(self._console, code, totals, "pytest.log")
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


def _report(console: Console, totals: Totals, stages: Stages) -> int:
    for name, reason in totals.skip_reasons.items():
        console.show(f"skipped  {name}: {reason}")
    for name in totals.failed:
        console.show(f"FAILED   {name}")
    slowest = sorted(totals.seconds.items(), key=lambda entry: -entry[1])[:_SLOWEST]
    if slowest:
        console.show("the slowest tests:")
    for name, seconds in slowest:
        console.show(f"  {seconds:6.1f} s  {name}")
    console.say(f"unit tests: {totals.catch_cases} cases with {totals.catch_assertions} assertions passed")
    console.show(stages.line())
    console.show(totals.line())
    return 1 if totals.failed else 0

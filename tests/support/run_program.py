#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs one CUDA program and compares its exit code and standard output with <name>.expected beside the source.

The comment lines at the top of the .cu file may hold directives:

    // args: one "two words"      arguments of the program
    // env: KEY=VALUE             set for the run (repeatable)
    // timeout: SECONDS           default 120
    // expect-exit: N             default 0
    // expect-stderr: REGEX       must match somewhere in stderr (repeatable; emulator only, its messages are its own)
    // gpu: skip REASON           does not run on a real GPU
    // sanitizer: skip REASON     does not run under a wrapper such as compute-sanitizer
    // nvcc: --flag x.inc.cu      further compiler flags and sources (read by cmake/programs.cmake)
    // arch: 75-virtual           instead of the preset's            (read by cmake/programs.cmake)
    // needs: header.h            skipped where the toolkit lacks it (read by cmake/programs.cmake)
    // alone: REASON              not compiled together with others  (read by cmake/programs.cmake)
    // long: REASON               in `./course test --long` only     (read by cmake/programs.cmake)

Exit code: 0 as expected, 1 not as expected, 77 skipped, 2 wrong use. --update writes the .expected file instead of
comparing.
PROGRAM_WRAPPER in the environment is a command to run the program under.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

SKIPPED = 77
_DIRECTIVE = re.compile(r"^//\s*([a-z][a-z-]*):\s*(.*?)\s*$")


@dataclass
class Directives:
    args: list[str] = field(default_factory=list)
    env: dict[str, str] = field(default_factory=dict)
    timeout: float = 120.0
    exit_code: int = 0
    stderr: list[str] = field(default_factory=list)
    arch: str = ""
    gpu_skip: str = ""
    sanitizer_skip: str = ""


def parse_directives(text: str) -> Directives:
    """Reads the comment lines before the first line of code; ValueError names a directive that is wrong."""
    found = Directives()
    for line in text.splitlines():
        if line.strip() and not line.startswith("//"):
            break
        match = _DIRECTIVE.match(line)
        if match:
            _apply(found, match.group(1), match.group(2))
    return found


def _apply(found: Directives, key: str, value: str) -> None:
    if key == "args":
        found.args += shlex.split(value)
    elif key == "env":
        name, equals, content = value.partition("=")
        if not equals:
            raise ValueError(f"'env: {value}' is not KEY=VALUE")
        found.env[name] = content
    elif key == "timeout":
        found.timeout = float(value)
    elif key == "expect-exit":
        found.exit_code = int(value)
    elif key == "expect-stderr":
        re.compile(value)
        found.stderr.append(value)
    elif key == "arch":
        found.arch = value
    elif key in ("gpu", "sanitizer"):
        word, _, reason = value.partition(" ")
        if word != "skip" or not reason:
            raise ValueError(f"'{key}: {value}' is not 'skip REASON'")
        if key == "gpu":
            found.gpu_skip = reason
        else:
            found.sanitizer_skip = reason
    elif key.startswith("expect"):
        raise ValueError(f"unknown directive '{key}'")


def skip_reason(wanted: Directives, backend: str, cc: str, wrapper: list[str]) -> str:
    if backend == "gpu" and wanted.gpu_skip:
        return wanted.gpu_skip
    needed = re.match(r"\d+", wanted.arch)
    if backend == "gpu" and cc and needed and int(needed.group()) > int(cc):
        return f"needs compute capability {needed.group()}, this GPU has {cc}"
    if wrapper and wanted.sanitizer_skip:
        return wanted.sanitizer_skip
    if wrapper and wanted.exit_code != 0:
        return "ends with an error on purpose"
    return ""


def environment(wanted: Directives, library_dir: str) -> dict[str, str]:
    """The caller's environment without the emulator's own settings, so that a result never depends on them."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("WARPLADDER_")}
    if library_dir:
        env["LD_LIBRARY_PATH"] = ":".join(filter(None, [library_dir, env.get("LD_LIBRARY_PATH", "")]))
    env.update(wanted.env)
    return env


def first_difference(expected: str, actual: str) -> str:
    """One line that says where two texts part; empty if they are equal."""
    if expected == actual:
        return ""
    old, new = expected.splitlines(), actual.splitlines()
    for number, (want, got) in enumerate(zip(old, new, strict=False), start=1):
        if want != got:
            return f"stdout line {number}: expected {want!r}, got {got!r}"
    if len(old) > len(new):
        return f"stdout ends after {len(new)} of {len(old)} lines: next expected {old[len(new)]!r}"
    if len(new) > len(old):
        return f"stdout has {len(new)} lines, {len(old)} were expected: first surplus {new[len(old)]!r}"
    return "stdout differs in line ends only"


def describe_exit(code: int) -> str:
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


def check(wanted: Directives, backend: str, expected: str | None, run: subprocess.CompletedProcess[str]) -> list[str]:
    problems = []
    if run.returncode != wanted.exit_code:
        problems.append(f"expected exit code {wanted.exit_code}, got {describe_exit(run.returncode)}")
    if expected is not None:
        difference = first_difference(expected, run.stdout)
        if difference:
            problems.append(difference)
    if backend == "emulator":
        problems += [
            f"stderr has no match for /{pattern}/"
            for pattern in wanted.stderr
            if not re.search(pattern, run.stderr, re.MULTILINE)
        ]
    return problems


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("program", help="the executable")
    parser.add_argument("--source", type=Path, required=True, help="its .cu file")
    parser.add_argument("--backend", choices=("emulator", "gpu"), default="emulator")
    parser.add_argument("--cc", default="", help="compute capability of the GPU, e.g. 90")
    parser.add_argument("--library-dir", default="", help="folder of the libcudart.so.13 to use")
    parser.add_argument("--wrapper", default=os.environ.get("PROGRAM_WRAPPER", ""), help="command to run it under")
    parser.add_argument("--update", action="store_true", help="write the .expected file")
    options = parser.parse_args(argv)

    try:
        wanted = parse_directives(options.source.read_text(encoding="utf-8"))
    except (OSError, ValueError, re.error) as error:
        print(f"{options.source}: {error}", file=sys.stderr)
        return 2
    wrapper = shlex.split(options.wrapper)
    reason = skip_reason(wanted, options.backend, options.cc, wrapper)
    if reason:
        print(f"skipped: {reason}")
        return SKIPPED

    command = [*wrapper, options.program, *wanted.args]
    try:
        run = subprocess.run(
            command,
            env=environment(wanted, options.library_dir),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=wanted.timeout,
        )
    except subprocess.TimeoutExpired:
        print(f"FAIL {options.source.name}: still running after {wanted.timeout:g} s")
        return 1

    # Programs that are compiled together have namespaces (cmake/programs.cmake); a reader's own would have none.
    space = f"program_{options.source.parent.name}_{options.source.stem}::"
    run.stdout, run.stderr = run.stdout.replace(space, ""), run.stderr.replace(space, "")
    golden = options.source.with_suffix(".expected")
    expected = None if options.update else golden.read_text(encoding="utf-8") if golden.exists() else ""
    problems = check(wanted, options.backend, expected, run)
    if options.update and not problems:
        golden.write_text(run.stdout, encoding="utf-8")
        print(f"wrote {golden.name}")
    for problem in problems:
        print(f"FAIL {options.source.name}: {problem}")
    if problems and run.stdout and expected == "" and not golden.exists():
        print(f"     there is no {golden.name}: check the output and write it with --update")
    if problems and run.stderr:
        print("stderr:\n" + "\n".join(run.stderr.splitlines()[-30:]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""Runs a program of our own without the jail, whose start takes longer than most of them: limits, and nothing else.

For `./course lint` over all exercises in the suite, which runs a thousand of them. What is graded never comes here:
sandbox.run() sees to that.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .watch import Limits, watch

# What a shell calls them, and in which units it counts.
_ULIMIT = {"CORE": ("c", 1), "FSIZE": ("f", 512), "NOFILE": ("n", 1), "CPU": ("t", 1), "AS": ("v", 1024)}


def run(
    words: Sequence[str], folder: Path, env: Mapping[str, str], limits: Limits, deadline: float, most: Mapping[str, int]
) -> tuple[tuple[str, str], str | None, dict[str, Any]]:
    """As the jail would report it; `most`: for setrlimit."""
    process = subprocess.Popen(
        _limited(words, most),
        cwd=folder,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        texts, limit = watch(process, deadline, limits, folder, None)
    finally:
        end(process)
    code = process.returncode
    report = {} if limit else {"exit": code} if code >= 0 else {"signal": -code}
    return texts, limit, report


def _limited(words: Sequence[str], most: Mapping[str, int]) -> list[str]:
    """With its limits from the first moment: the emulator asks for them when it is loaded. A shell sets them, because
    between fork and exec Python could do it only by copying this whole process."""
    settings = [f"ulimit -{letter} {most[name] // unit}" for name, (letter, unit) in _ULIMIT.items() if name in most]
    return ["/bin/sh", "-c", "; ".join([*settings, 'exec "$0" "$@"']), *words]


def end(process: subprocess.Popen[bytes]) -> None:
    """With all of its session, and waits for it."""
    try:
        os.killpg(process.pid, signal.SIGKILL)  # what it left running, too
    except (ProcessLookupError, PermissionError):
        pass
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()

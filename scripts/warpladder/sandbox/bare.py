# SPDX-License-Identifier: MIT
"""Runs a program of our own without the jail, whose start takes longer than most of them: limits, and nothing else.

For `./course lint` over all exercises in the suite, which runs a thousand of them. What is graded never comes here:
sandbox.run() sees to that.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .watch import Limits, watch


def run(
    words: Sequence[str], folder: Path, env: Mapping[str, str], limits: Limits, deadline: float, most: Mapping[str, int]
) -> tuple[tuple[str, str], str | None, dict[str, Any]]:
    """As the jail would report it; `most`: for setrlimit."""
    process = subprocess.Popen(
        words,
        cwd=folder,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        _limit(process.pid, most)
        texts, limit = watch(process, deadline, limits, folder, None)
    finally:
        _end(process)
    code = process.returncode
    report = {} if limit else {"exit": code} if code >= 0 else {"signal": -code}
    return texts, limit, report


def _limit(pid: int, most: Mapping[str, int]) -> None:
    """From outside, once it runs: between fork and exec Python could do it only by copying this whole process."""
    for name, value in most.items():
        number = getattr(resource, f"RLIMIT_{name}")
        try:
            hard = resource.prlimit(pid, number)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.prlimit(pid, number, (value, value))
        except ProcessLookupError:  # it has ended already
            return


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)  # its session: what it left running, too
    except (ProcessLookupError, PermissionError):
        pass
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()

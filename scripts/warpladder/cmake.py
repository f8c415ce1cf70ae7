# SPDX-License-Identifier: MIT
"""Configures a preset and builds it, or some targets of it; what goes wrong is explained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import machine
from .console import Console
from .paths import BUILD


def build(
    console: Console,
    preset: str,
    what: str,
    jobs: int,
    env: Mapping[str, str],
    *,
    target: str = "",
    definitions: Sequence[str] = (),
) -> bool:
    """`what` is said while it builds: "the lessons". No target: everything."""
    if not configure(console, preset, env, definitions):
        return False
    title = f"building {what}".rstrip()
    command = build_command(preset, jobs, [target] if target else [])
    return _succeeds(console, title, command, "build.log", env)


def build_command(preset: str, jobs: int, targets: Sequence[str]) -> list[str]:
    chosen = ["--target", *targets] if targets else []
    return [machine.tool("cmake") or "cmake", "--build", "--preset", preset, *chosen, "-j", str(jobs)]


def configure(console: Console, preset: str, env: Mapping[str, str], definitions: Sequence[str]) -> bool:
    """CMake begins afresh where it was killed the last time: it would believe what is half written."""
    unfinished = BUILD / preset / ".configuring"
    again = ["--fresh"] if unfinished.exists() else []
    unfinished.parent.mkdir(parents=True, exist_ok=True)
    unfinished.touch()
    command = [machine.tool("cmake") or "cmake", "--preset", preset, *again, *definitions]
    done = _succeeds(console, f"configuring (preset {preset})", command, "configure.log", env)
    unfinished.unlink(missing_ok=True)
    return done


def _succeeds(console: Console, title: str, command: Sequence[str], log: str, env: Mapping[str, str]) -> bool:
    if console.run(title, command, log, env) == 0:
        return True
    console.say(f"{title} failed")
    console.explain_failure(log)
    return False

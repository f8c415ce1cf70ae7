# SPDX-License-Identifier: MIT
"""Configures a preset and builds it, or some targets of it; what goes wrong is explained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import machine
from .console import Console


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
    targets = [target] if target else []
    return configure(console, preset, env, definitions) and compile(console, preset, what, jobs, env, targets)


def configure(console: Console, preset: str, env: Mapping[str, str], definitions: Sequence[str] = ()) -> bool:
    words = [_cmake(), "--preset", preset, *definitions]
    return _run(console, f"configuring (preset {preset})", words, "configure.log", env)


def compile(
    console: Console, preset: str, what: str, jobs: int, env: Mapping[str, str], targets: Sequence[str] = ()
) -> bool:
    words = [_cmake(), "--build", "--preset", preset, *(["--target", *targets] if targets else []), "-j", str(jobs)]
    return _run(console, f"building {what}".rstrip(), words, "build.log", env)


def _cmake() -> str:
    return machine.tool("cmake") or "cmake"


def _run(console: Console, title: str, words: Sequence[str], log: str, env: Mapping[str, str]) -> bool:
    if console.run(title, words, log, dict(env)) == 0:
        return True
    console.say(f"{title} failed")
    console.explain_failure(log)
    return False

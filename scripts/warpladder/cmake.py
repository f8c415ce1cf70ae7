# SPDX-License-Identifier: MIT
"""Configures a preset and builds it, or one target of it; what goes wrong is explained."""

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
    cmake = machine.tool("cmake") or "cmake"
    compile_ = [cmake, "--build", "--preset", preset, *(["--target", target] if target else []), "-j", str(jobs)]
    for title, words, log in (
        (f"configuring (preset {preset})", [cmake, "--preset", preset, *definitions], "configure.log"),
        (f"building {what}".rstrip(), compile_, "build.log"),
    ):
        if console.run(title, words, log, dict(env)) != 0:
            console.say(f"{title} failed")
            console.explain_failure(log)
            return False
    return True

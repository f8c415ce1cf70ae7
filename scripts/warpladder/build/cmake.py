# SPDX-License-Identifier: MIT
"""Configures a preset and builds it, or some targets of it; what goes wrong is explained."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..core.console import Console
from ..core.paths import BUILD
from ..setup import machine


def compiler_changed(folder: Path, nvcc: str) -> bool:
    """Whether a build was configured with another nvcc: CMake would go on with that one, or fail if it is gone."""
    for file in folder.glob("CMakeFiles/*/CMakeCUDACompiler.cmake"):
        match = re.search(r'set\(CMAKE_CUDA_COMPILER "([^"]+)"\)', file.read_text(encoding="utf-8", errors="replace"))
        if match and nvcc:
            return os.path.realpath(match[1]) != os.path.realpath(nvcc)
    return False


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


def compile(
    console: Console, preset: str, what: str, jobs: int, env: Mapping[str, str], targets: Sequence[str] = ()
) -> bool:
    return _succeeds(console, f"building {what}".rstrip(), build_command(preset, jobs, targets), "build.log", env)


def build_command(preset: str, jobs: int, targets: Sequence[str]) -> list[str]:
    chosen = ["--target", *targets] if targets else []
    return [machine.tool("cmake") or "cmake", "--build", "--preset", preset, *chosen, "-j", str(jobs)]


def configure(console: Console, preset: str, env: Mapping[str, str], definitions: Sequence[str] = ()) -> bool:
    """CMake begins afresh with another compiler, and where it was killed the last time: it would believe what is
    half written."""
    unfinished = BUILD / preset / ".configuring"
    changed = compiler_changed(BUILD / preset, env.get("CUDACXX", ""))
    if changed:
        console.say("nvcc is another one than before: configuring afresh")
    again = ["--fresh"] if changed or unfinished.exists() else []
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

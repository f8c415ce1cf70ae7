# SPDX-License-Identifier: MIT
"""Configures a preset and builds it, or one target of it; what goes wrong is explained."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from . import machine
from .console import Console
from .paths import BUILD


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
    cmake = machine.tool("cmake") or "cmake"
    fresh = ["--fresh"] if compiler_changed(BUILD / preset, env.get("CUDACXX", "")) else []
    if fresh:
        console.say("nvcc is another one than before: configuring afresh")
    compile_ = [cmake, "--build", "--preset", preset, *(["--target", target] if target else []), "-j", str(jobs)]
    for title, words, log in (
        (f"configuring (preset {preset})", [cmake, *fresh, "--preset", preset, *definitions], "configure.log"),
        (f"building {what}".rstrip(), compile_, "build.log"),
    ):
        if console.run(title, words, log, dict(env)) != 0:
            console.say(f"{title} failed")
            console.explain_failure(log)
            return False
    return True

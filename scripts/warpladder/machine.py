# SPDX-License-Identifier: MIT
"""What this machine has: tools, headers, the CUDA toolkit, GPUs. Looks only, changes nothing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .paths import VENV

CMAKE_MINIMUM = (3, 25)
CUDA_MINIMUM = (13, 0)
CUDA_HELP = (
    "nvcc of the CUDA toolkit 13 or later is needed: install it from https://developer.nvidia.com/cuda-downloads "
    "(the package cuda-toolkit-13-0 is enough, no driver or GPU) and put its bin folder on PATH"
)
_INCLUDE_FOLDERS = ("/usr/include", "/usr/local/include")


@dataclass(frozen=True)
class Requirement:
    """Something the build needs, and the Debian package that brings it."""

    name: str
    package: str
    found: Callable[[], bool]
    needed: bool = True  # False: the build does without


def output_of(command: Sequence[str]) -> str:
    """What a command prints; empty if it cannot be run or fails."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return run.stdout if run.returncode == 0 else ""


def search_path() -> str:
    """PATH with the virtual environment's tools first."""
    return os.pathsep.join([str(VENV / "bin"), os.environ.get("PATH", os.defpath)])


def tool(name: str) -> str | None:
    return shutil.which(name, path=search_path())


def version(text: str) -> tuple[int, int]:
    match = re.search(r"(\d+)\.(\d+)", text)
    return (int(match.group(1)), int(match.group(2))) if match else (0, 0)


def cmake_is_recent() -> bool:
    cmake = tool("cmake")
    return cmake is not None and version(output_of([cmake, "--version"])) >= CMAKE_MINIMUM


def has_header(*names: str) -> bool:
    """Whether one of these headers is where the compiler looks."""
    folders = [*_INCLUDE_FOLDERS, *filter(None, os.environ.get("CPATH", "").split(os.pathsep))]
    return any((Path(folder) / name).exists() for folder in folders for name in names)


def can_make_venv() -> bool:
    return VENV.exists() or output_of([sys.executable, "-c", "import ensurepip, venv; print('yes')"]) != ""


REQUIREMENTS = (
    Requirement("CMake 3.25 or later", "cmake", cmake_is_recent),
    Requirement("Ninja", "ninja-build", lambda: tool("ninja") is not None),
    Requirement("C++ compiler", "g++", lambda: tool("g++") is not None),
    Requirement("Catch2", "catch2", lambda: has_header("catch2/catch.hpp", "catch2/catch_all.hpp")),
    Requirement("CLI11", "libcli11-dev", lambda: has_header("CLI/CLI.hpp"), needed=False),
    Requirement("nlohmann-json", "nlohmann-json3-dev", lambda: has_header("nlohmann/json.hpp"), needed=False),
    Requirement("zstd", "libzstd-dev", lambda: has_header("zstd.h")),
    Requirement("Python venv", "python3-venv", can_make_venv),
    Requirement("ccache", "ccache", lambda: tool("ccache") is not None, needed=False),
    Requirement("clang-format", "clang-format", lambda: tool("clang-format") is not None, needed=False),
)


def missing() -> list[Requirement]:
    return [requirement for requirement in REQUIREMENTS if not requirement.found()]


def find_nvcc() -> str | None:
    """nvcc as CMake would find it: CUDACXX, PATH, CUDA_HOME, the usual folder."""
    folders = [os.environ.get("CUDA_HOME", ""), os.environ.get("CUDA_PATH", ""), "/usr/local/cuda"]
    candidates = [os.environ.get("CUDACXX"), shutil.which("nvcc")]
    candidates += [str(Path(folder) / "bin" / "nvcc") for folder in folders if folder]
    return next((path for path in candidates if path and os.access(path, os.X_OK)), None)


def nvcc_version(nvcc: str) -> tuple[int, int]:
    match = re.search(r"release (\d+\.\d+)", output_of([nvcc, "--version"]))
    return version(match.group(1)) if match else (0, 0)


def gpus() -> list[str]:
    """One line per NVIDIA GPU; empty where there is none."""
    return [line.strip() for line in output_of(["nvidia-smi", "-L"]).splitlines() if line.startswith("GPU")]


def default_jobs() -> int:
    """One job per core, but no more than memory allows: nvcc takes up to 1.5 GB for a program with CUB."""
    cores = len(os.sched_getaffinity(0))
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (OSError, ValueError):
        return cores
    return max(1, min(cores, memory // (3 << 29)))


def build_environment(nvcc: str) -> dict[str, str]:
    return {**os.environ, "PATH": search_path(), "CUDACXX": nvcc}

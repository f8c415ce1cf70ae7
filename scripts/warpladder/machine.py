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

from .paths import ROOT, VENV

CMAKE_MINIMUM = (3, 25)
CUDA_MINIMUM = (13, 0)
CUDA_HELP = (
    "nvcc of the CUDA toolkit 13 or later is needed: install it from https://developer.nvidia.com/cuda-downloads "
    "(the package cuda-toolkit-13-0 is enough, no driver or GPU) and put its bin folder on PATH"
)
_INCLUDE_FOLDERS = ("/usr/include", "/usr/local/include")

# What a requirement is for: `./course test`, the emulator (which every test run builds), `./course run` on either.
TEST, TEST_EMULATOR, RUN_EMULATED, RUN_GPU = "test", "emulator", "run on the emulator", "run on a GPU"
EVERY_USE = frozenset((TEST, RUN_EMULATED, RUN_GPU))
_EMULATOR_USE = frozenset((TEST, TEST_EMULATOR, RUN_EMULATED))
_RUN_USE = frozenset((RUN_EMULATED, RUN_GPU))
_TEST_USE = frozenset((TEST,))


@dataclass(frozen=True)
class Requirement:
    """Something the build needs, and the Debian package that brings it."""

    name: str
    package: str
    found: Callable[[], bool]
    needed: bool = True  # False: the build does without
    uses: frozenset[str] = EVERY_USE


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
    given = [os.environ.get(variable, "").split(os.pathsep) for variable in ("CPATH", "CMAKE_INCLUDE_PATH")]
    folders = [*_INCLUDE_FOLDERS, *filter(None, sum(given, []))]
    return any((Path(folder) / name).exists() for folder in folders for name in names)


def can_make_venv() -> bool:
    return VENV.exists() or output_of([sys.executable, "-c", "import ensurepip, venv; print('yes')"]) != ""


def charts_python() -> str | None:
    """An interpreter that has matplotlib: .venv's, the one that runs now, or the system's."""
    for python in (str(VENV / "bin" / "python"), sys.executable, "/usr/bin/python3"):
        if output_of([python, "-c", "import matplotlib; print('yes')"]):
            return python
    return None


REQUIREMENTS = (
    Requirement("CMake 3.25 or later", "cmake", cmake_is_recent),
    Requirement("Ninja", "ninja-build", lambda: tool("ninja") is not None),
    Requirement("C++ compiler", "g++", lambda: tool("g++") is not None),
    Requirement("Catch2", "catch2", lambda: has_header("catch2/catch.hpp", "catch2/catch_all.hpp"), uses=_EMULATOR_USE),
    Requirement("zstd", "libzstd-dev", lambda: has_header("zstd.h"), uses=_EMULATOR_USE),
    Requirement("CLI11", "libcli11-dev", lambda: has_header("CLI/CLI.hpp")),
    Requirement("nlohmann-json", "nlohmann-json3-dev", lambda: has_header("nlohmann/json.hpp")),
    Requirement("Python venv", "python3-venv", can_make_venv, uses=_TEST_USE),
    Requirement(
        "matplotlib, or Python venv to install it into",
        "python3-venv",
        lambda: charts_python() is not None or can_make_venv(),
        needed=False,
        uses=_RUN_USE,
    ),
    Requirement("clang-format", "clang-format", lambda: tool("clang-format") is not None, needed=False, uses=_TEST_USE),
)


def missing(use: str | None = None) -> list[Requirement]:
    """What is not there, of all that is required or of what one use needs."""
    wanted = [requirement for requirement in REQUIREMENTS if use is None or use in requirement.uses]
    return [requirement for requirement in wanted if not requirement.found()]


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


def revision() -> str:
    """The commit of this tree, marked if it has changes. Where there is no git, WARPLADDER_REVISION may say it."""
    given = os.environ.get("WARPLADDER_REVISION", "").strip()
    return (
        given
        or output_of(["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--exclude=*"]).strip()
        or "unknown"
    )


def build_environment(nvcc: str) -> dict[str, str]:
    return {**os.environ, "PATH": search_path(), "CUDACXX": nvcc}

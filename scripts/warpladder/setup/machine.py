# SPDX-License-Identifier: MIT
"""What this machine has: tools, headers, the CUDA toolkit, GPUs. Looks only, changes nothing."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core.paths import ROOT, TOOLKIT, VENV
from . import index

CMAKE_MINIMUM = (3, 25)
CUDA_MINIMUM = (13, 0)
PINNED_CUDA = "13.0"  # the version that `./course` fetches where there is none
WHEEL_TOOLKIT = f"cuda-{PINNED_CUDA}"  # its folder in .toolkit
CUDA_HELP = (
    "install the CUDA toolkit 13 (https://developer.nvidia.com/cuda-downloads; the package cuda-toolkit-13-0 is enough,"
    " no driver or GPU) and put its bin folder on PATH"
)
DRIVER_MINIMUM = 580  # the first driver for CUDA 13
GPU_MINIMUM = (7, 5)  # the oldest compute capability that nvcc 13 compiles for
CERTIFICATES = "ca-certificates"
USUAL_TOOLKIT = "/usr/local/cuda"
_INCLUDE_FOLDERS = ("/usr/include", "/usr/local/include")

# What a requirement is for: `./course test`, the emulator (which every test run builds), `./course run` on either, and
# what nvcc itself needs.
TEST, TEST_EMULATOR, RUN_EMULATED, RUN_GPU = "test", "emulator", "run on the emulator", "run on a GPU"
COMPILE = "compile"
EVERY_USE = frozenset((TEST, RUN_EMULATED, RUN_GPU))
_EMULATOR_USE = frozenset((TEST, TEST_EMULATOR, RUN_EMULATED))
_TEST_USE = frozenset((TEST,))
# What only `./course test --long` needs on top of TEST: the tests for the other architecture (tests/support/cross.py).
LONG = "test --long"
_LONG_USE = frozenset((LONG,))
OTHER_ARCHITECTURE = "aarch64" if platform.machine() in ("x86_64", "amd64") else "x86_64"


@dataclass(frozen=True)
class Requirement:
    """Something the build needs, the Debian package that brings it, and its recipe (recipes.py) if the index has it."""

    name: str
    package: str
    found: Callable[[], bool]
    needed: bool = True  # False: the build does without
    uses: frozenset[str] = EVERY_USE
    index: str = ""


def output_of(command: Sequence[str]) -> str:
    """What a command prints; empty if it cannot be run or fails."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return run.stdout if run.returncode == 0 else ""


def search_path() -> str:
    """PATH with our own tools first."""
    own = [VENV / "bin", *sorted(TOOLKIT.glob("tools/*/bin"))]
    return os.pathsep.join([*map(str, own), os.environ.get("PATH", os.defpath)])


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
    named = os.pathsep.join(os.environ.get(variable, "") for variable in ("CPATH", "CMAKE_INCLUDE_PATH"))
    given = [Path(folder) for folder in named.split(os.pathsep) if folder]
    folders = [*TOOLKIT.glob("libraries/*/include"), *map(Path, _INCLUDE_FOLDERS), *given]
    return any((folder / name).exists() for folder in folders for name in names)


def can_make_venv() -> bool:
    return VENV.exists() or output_of([sys.executable, "-c", "import venv; print('yes')"]) != ""


def charts_python() -> str | None:
    """An interpreter that has matplotlib: .venv's, the one that runs now, or the system's."""
    for python in (str(VENV / "bin" / "python"), sys.executable, "/usr/bin/python3"):
        if output_of([python, "-c", "import matplotlib; print('yes')"]):
            return python
    return None


REQUIREMENTS = (
    Requirement("CMake 3.25 or later", "cmake", cmake_is_recent, index="CMake"),
    Requirement("Ninja", "ninja-build", lambda: tool("ninja") is not None, index="Ninja"),
    Requirement("C++ compiler", "g++", lambda: tool("g++") is not None, uses=EVERY_USE | {COMPILE}),
    Requirement(
        "certificates for https",
        CERTIFICATES,
        index.has_certificates,
        needed=False,  # unless something must be fetched: provision.py
        uses=EVERY_USE | {COMPILE},
    ),
    Requirement(
        "Catch2",
        "catch2",
        lambda: has_header("catch2/catch.hpp", "catch2/catch_all.hpp"),
        uses=_EMULATOR_USE,
        index="Catch2",
    ),
    Requirement("zstd", "libzstd-dev", lambda: has_header("zstd.h"), uses=_EMULATOR_USE, index="zstd"),
    Requirement("CLI11", "libcli11-dev", lambda: has_header("CLI/CLI.hpp"), index="CLI11"),
    Requirement("nlohmann-json", "nlohmann-json3-dev", lambda: has_header("nlohmann/json.hpp"), index="nlohmann-json"),
    Requirement("clang-format", "clang-format", lambda: tool("clang-format") is not None, needed=False, uses=_TEST_USE),
    Requirement(
        f"C++ compiler for {OTHER_ARCHITECTURE} (long tests)",
        f"g++-{OTHER_ARCHITECTURE.replace('_', '-')}-linux-gnu",
        lambda: tool(f"{OTHER_ARCHITECTURE}-linux-gnu-g++") is not None,
        needed=False,
        uses=_LONG_USE,
    ),
    Requirement(
        "qemu-user (long tests)",
        "qemu-user-static",
        lambda: tool(f"qemu-{OTHER_ARCHITECTURE}-static") is not None,
        needed=False,
        uses=_LONG_USE,
    ),
)


def missing(use: str | None = None) -> list[Requirement]:
    """What is not there, of all that is required or of what one use needs."""
    wanted = [requirement for requirement in REQUIREMENTS if use is None or use in requirement.uses]
    return [requirement for requirement in wanted if not requirement.found()]


@dataclass(frozen=True)
class Nvcc:
    """A place where nvcc may be: who names it, and what is there. Version (0, 0): nothing that runs."""

    source: str
    path: str
    version: tuple[int, int]

    @property
    def fits(self) -> bool:
        return self.version >= CUDA_MINIMUM

    def __str__(self) -> str:
        number = f"version {self.version[0]}.{self.version[1]}" if self.version != (0, 0) else "no working nvcc"
        return f"{self.path} ({self.source}): {number}"


def nvcc_places() -> list[tuple[str, str]]:
    """Where nvcc is looked for, in order: who names the place, and the path. CMake asks here too (scripts/probe.py)."""
    named = os.environ.get("CUDACXX", "")
    places = [("CUDACXX", shutil.which(named) or named)]
    for variable in ("CUDA_HOME", "CUDAToolkit_ROOT", "CUDA_PATH"):
        folder = os.environ.get(variable, "")
        places.append((variable, str(Path(folder) / "bin" / "nvcc") if folder else ""))
    places.append(("PATH", shutil.which("nvcc") or ""))
    for name, place in (("the usual place", USUAL_TOOLKIT), ("from the package index", TOOLKIT / WHEEL_TOOLKIT)):
        nvcc = Path(place) / "bin" / "nvcc"
        places.append((name, str(nvcc) if nvcc.exists() else ""))
    return [(source, path) for source, path in places if path]


def nvcc_candidates() -> list[Nvcc]:
    """What is in those places; the same file is named once."""
    seen: dict[str, Nvcc] = {}
    for source, path in nvcc_places():
        seen.setdefault(os.path.realpath(path), Nvcc(source, path, nvcc_version(path)))
    return list(seen.values())


def find_nvcc() -> str | None:
    """The first nvcc that is recent enough."""
    return next((candidate.path for candidate in nvcc_candidates() if candidate.fits), None)


def no_nvcc() -> str:
    """Why there is none, in a few words."""
    old = [str(candidate) for candidate in nvcc_candidates()]
    return "nvcc 13.0 or later was not found" + (f" (left alone: {'; '.join(old)})" if old else "")


def nvcc_version(nvcc: str) -> tuple[int, int]:
    match = re.search(r"release (\d+\.\d+)", output_of([nvcc, "--version"]))
    return version(match.group(1)) if match else (0, 0)


@dataclass(frozen=True)
class Gpu:
    name: str
    capability: tuple[int, int]
    driver: str
    runs_cuda: int  # the newest CUDA that the driver runs; 0: not known

    @property
    def problem(self) -> str:
        """Why programs of nvcc 13 do not run on it; empty if they do."""
        if 0 < self.runs_cuda < CUDA_MINIMUM[0]:
            return f"its driver {self.driver} is too old for CUDA 13, which needs {DRIVER_MINIMUM} or later"
        if self.capability < GPU_MINIMUM:
            return "CUDA 13 no longer compiles for its compute capability {}.{}".format(*self.capability)
        return ""


def all_gpus() -> list[Gpu]:
    """Every NVIDIA GPU that the driver knows, whether it can be used or not."""
    query = ["nvidia-smi", "--query-gpu=name,compute_cap,driver_version", "--format=csv,noheader"]
    rows = [[field.strip() for field in line.rsplit(",", 2)] for line in output_of(query).splitlines()]
    rows = [row for row in rows if len(row) == 3 and version(row[1]) != (0, 0)]
    if not rows:
        return []
    # Said by nvidia-smi itself: with NVIDIA's compatibility package an older driver runs newer programs.
    said = re.search(r"CUDA Version:\s*(\d+)", output_of(["nvidia-smi"]))
    return [Gpu(row[0], version(row[1]), row[2], int(said.group(1)) if said else 0) for row in rows]


def gpus() -> list[str]:
    """One line per NVIDIA GPU that programs can run on; empty where there is none."""
    return [f"GPU {number}: {gpu.name}" for number, gpu in enumerate(all_gpus()) if not gpu.problem]


def gpu_problem() -> str:
    """One line if there is a GPU and none that can be used."""
    found = all_gpus()
    if not found or any(not gpu.problem for gpu in found):
        return ""
    return f"the {found[0].name} is not used: {found[0].problem}; programs run on the emulator"


def gpu_capability() -> str:
    """ "90" for the first GPU that programs can run on; empty where there is none."""
    return next(("{}{}".format(*gpu.capability) for gpu in all_gpus() if not gpu.problem), "")


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

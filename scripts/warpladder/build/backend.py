# SPDX-License-Identifier: MIT
"""Where an exercise runs: on the emulator, which is built when it is first needed, on the GPU of this machine, or both.

The emulator names the cause of a mistake, and finds those that a GPU hides: races, stray accesses, broken budgets. So
where both are at hand it goes first, and the GPU sees only what passed there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ..core.console import Console, CourseError
from ..core.paths import BUILD, ROOT
from ..setup import machine, provision
from . import cmake

NAMES = ("auto", "gpu", "emulator")
HELP = "where it runs; auto: the emulator, then the GPU if there is one (default: auto)"
_LIBRARY = "libcudart.so.13"
_ROOM = re.compile(r"^emu_room\((\w+)", re.MULTILINE)
_TARGET = "emu_cudart_shared"


@dataclass(frozen=True)
class Backend:
    nvcc: str
    gpu: bool
    emulator: Path | None  # the folder of its library
    features: frozenset[str] = frozenset()  # of the emulator: "schedule", "weak", "record", "check"

    @property
    def title(self) -> str:
        if self.gpu and self.emulator:
            return "the emulator, then the GPU"
        return "the GPU" if self.gpu else "the emulator (no GPU needed)"

    @property
    def stages(self) -> tuple[bool, ...]:
        """What a file goes through: False is the emulator, True the GPU."""
        return (*([False] if self.emulator else []), *([True] if self.gpu else []))

    @property
    def files(self) -> list[Path]:
        """What a program needs to run: the emulator, and the toolkit's libraries."""
        return [Path(self.nvcc).resolve().parent.parent, *([self.emulator] if self.emulator else [])]

    def environment(self, gpu: bool) -> dict[str, str]:
        """What the runner needs to find its runtime."""
        if gpu:
            toolkit = Path(self.nvcc).resolve().parent.parent
            return {"LD_LIBRARY_PATH": f"{toolkit / 'lib64'}:{toolkit / 'lib'}"}
        assert self.emulator is not None
        return {"LD_LIBRARY_PATH": str(self.emulator)}


def choose(
    console: Console,
    name: str = "auto",
    thorough: bool = False,
    beside: Callable[[str], None] | None = None,
) -> Backend:
    """The backend that is meant; sets up what it needs. `thorough`: not the GPU alone, even if that takes a build.

    `beside` is given nvcc and runs while the emulator is built, if it is: configuring leaves a core idle.
    """
    nvcc = provision.ensure_nvcc(console)
    gpu = name != "emulator" and bool(machine.gpus())
    if name == "gpu" and not gpu:
        raise CourseError("there is no GPU here; leave out --backend to use the emulator", exit_code=3)
    emulator = None if name == "gpu" else find_emulator()
    if name != "gpu" and emulator is None and (thorough or not gpu):
        emulator = _build_emulator(console, nvcc, machine.default_jobs(), beside)
    return Backend(nvcc, gpu, emulator, _features(emulator))


def find_emulator() -> Path | None:
    """The folder of an emulator that is not older than its source. WARPLADDER_EMULATOR_LIB names another one."""
    if given := os.environ.get("WARPLADDER_EMULATOR_LIB"):
        if not (Path(given) / _LIBRARY).exists():
            raise CourseError(f"WARPLADDER_EMULATOR_LIB: there is no {_LIBRARY} in {given}", exit_code=3)
        return Path(given).resolve()
    for preset in ("default", "emulator"):
        library = BUILD / preset / "lib" / _LIBRARY
        if library.exists() and library.stat().st_mtime >= _newest_source():
            return library.parent
    return None


def sources() -> list[Path]:
    """What the library is made of: the rooms of emulator/rooms.cmake, and the runtime on top of them."""
    rooms = _ROOM.findall((ROOT / "emulator" / "rooms.cmake").read_text(encoding="utf-8"))
    files = [file for room in (*rooms, "cudart") for file in (ROOT / "emulator" / room).rglob("*.[chd][pe][pf]")]
    return [file for file in files if ".test." not in file.name]


def _newest_source() -> float:
    return max((file.stat().st_mtime for file in sources()), default=0.0)


def _build_emulator(console: Console, nvcc: str, jobs: int, beside: Callable[[str], None] | None = None) -> Path:
    provision.ensure_packages(console, machine.RUN_EMULATED)
    env = machine.build_environment(nvcc)
    console.say("building the emulator; this is done once and takes about a minute")
    emulator = ["-DWARPLADDER_EMULATOR=ON"]
    with ThreadPoolExecutor(1) as pool:
        if beside:
            pool.submit(beside, nvcc)
        if not cmake.build(console, "default", "the emulator", jobs, env, target=_TARGET, definitions=emulator):
            raise CourseError("the emulator was not built")
    folder = BUILD / "default" / "lib"
    os.utime(folder / _LIBRARY)  # a change that changed nothing does not build it, and must not be asked for again
    return folder


def _features(emulator: Path | None) -> frozenset[str]:
    """What this build of the emulator can do is told by the settings it knows (cudart/environment/settings.cpp)."""
    if emulator is None:
        return frozenset()
    library = (emulator / _LIBRARY).read_bytes()
    known = {
        "schedule": b"WARPLADDER_SCHEDULE",
        "weak": b"WARPLADDER_MEMORY",
        "record": b"WARPLADDER_RECORD",
        "check": b"WARPLADDER_CHECK_TO",
    }
    return frozenset(name for name, word in known.items() if word in library)

# SPDX-License-Identifier: MIT
"""Whether a program can run on the emulator, and if not, what to change: read from the file, before it is started."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..core import devices
from ..core.devices import Device
from . import elf, fatbin
from .settings import wrong

RUNTIME = "libcudart.so.13"
_RUNTIME_NAME = re.compile(r"libcudart\.so(?:\.(\d+))?")
# NVIDIA's libraries hold machine code and speak to the driver, not to the runtime.
_GPU_ONLY = re.compile(
    r"lib(?:cuda|cublas|cublasLt|cufft|curand|cusparse|cusolver|cudnn|nccl|npp\w*|cutensor|nvrtc|nvJitLink)\.so"
)
_SYSTEM_FOLDERS = ("/lib", "/usr/lib", "/lib64", "/usr/lib64", "/usr/local/lib")


@dataclass
class Files:
    """A program and the libraries that the loader will bring, as far as they can be found."""

    program: elf.Elf
    libraries: dict[str, elf.Elf] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)

    @property
    def all(self) -> list[elf.Elf]:
        return [self.program, *self.libraries.values()]

    def needed(self) -> Iterator[tuple[elf.Elf, str]]:
        return ((file, name) for file in self.all for name in file.needed)


def check(path: Path, device: Device, shown: str) -> bool:
    """Refuses what cannot run, in one line. True: the emulator must be preloaded, a search path goes before it."""
    try:
        files = _read(path, shown)
        if files is None:
            return False
        _refuse_other_libraries(files, shown)
        _refuse_other_runtimes(files, shown)
        for file in files.all:
            _refuse_code(fatbin.of_program(file), device, shown if file is files.program else file.path.name)
    except elf.ElfError as error:
        raise wrong(f"{shown} is not a whole program: {error}") from None
    return any((folder / RUNTIME).exists() for file in files.all if file.rpath for folder in file.folders())


def _read(path: Path, shown: str) -> Files | None:
    """None: a script, whose programs nobody can know beforehand."""
    if path.open("rb").read(2) == b"#!":
        return None
    if not elf.is_elf(path):
        raise wrong(f"{shown} is neither a .cu file nor a program")
    program = elf.read(path)
    if program.machine != platform.machine():
        raise wrong(
            f"{shown} was built for {program.machine}, and this machine is {platform.machine()}: build it here",
        )
    if program.is_object:
        raise wrong(f"{shown} is an object file: link it, with `nvcc -cudart shared {shown} -o PROGRAM`")
    if program.is_library:
        raise wrong(f"{shown} is a library: name the program that uses it")
    files = Files(program)
    _find_libraries(files)
    return files


def _find_libraries(files: Files) -> None:
    given = [Path(folder) for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":") if folder]
    system = [Path(folder) for folder in _SYSTEM_FOLDERS]
    system += [folder / f"{platform.machine()}-linux-gnu" for folder in system]
    waiting = [files.program]
    while waiting:
        file = waiting.pop()
        for name in file.needed:
            if name in files.libraries or name in files.missing or _RUNTIME_NAME.match(name):
                continue
            folders = [*file.folders(), *files.program.folders(), *given, *system]
            found = next((folder / name for folder in folders if (folder / name).is_file()), None)
            try:
                files.libraries[name] = elf.read(found) if found else _no_library(name)
                waiting.append(files.libraries[name])
            except (elf.ElfError, OSError):
                files.missing.append(name)


def _no_library(name: str) -> elf.Elf:
    raise elf.ElfError(f"{name} is not there")


def _refuse_other_libraries(files: Files, shown: str) -> None:
    """What only runs on a real GPU."""
    for _, name in files.needed():
        if name.startswith("libcuda.so"):
            text = "uses the driver's interface (libcuda), and the emulator has the runtime's only (cuda*, <<<>>>)"
            raise wrong(f"{shown} {text}")
        if _GPU_ONLY.match(name):
            raise wrong(f"{shown} uses NVIDIA's {name}, which runs on a real GPU only")


def _refuse_other_runtimes(files: Files, shown: str) -> None:
    runtimes = {name for _, name in files.needed() if _RUNTIME_NAME.match(name)}
    if other := sorted(runtimes - {RUNTIME}):
        text = f"was built with another CUDA version ({other[0]}), and the emulator is a {RUNTIME}: use nvcc 13"
        raise wrong(f"{shown} {text}")
    if static := next((file for file in files.all if _has_static_runtime(file)), None):
        name = shown if static is files.program else static.path.name
        text = "build it with `-cudart shared` (docs/emulator.md says what to do with a makefile)"
        raise wrong(f"{name} was built with the static runtime: {text}")
    may_load_more = files.missing or files.program.holds(b"\0dlopen\0")
    if not runtimes and not may_load_more and not any(_is_emulated(file) for file in files.all):
        raise wrong(f"{shown} is not a CUDA program: it does not use the CUDA runtime")


def _has_static_runtime(file: elf.Elf) -> bool:
    """NVIDIA's runtime inside: it looks for the driver by this name."""
    if file.is_library and not any(name in file.sections for name in fatbin.SECTIONS):
        return False  # libraries of other kinds look for the driver, too
    return file.holds(b"libcuda.so.1\0") and not any(_RUNTIME_NAME.match(name) for name in file.needed)


def _is_emulated(file: elf.Elf) -> bool:
    """The emulator's own libcudart_static.a inside."""
    return file.holds(b"WARPLADDER_DEVICE\0")


def _refuse_code(codes: list[fatbin.Code], device: Device, shown: str) -> None:
    if not codes or fatbin.can_run(codes, device.sm):
        return
    ptx = sorted({code.arch: code.sm for code in codes if code.is_ptx}.items(), key=lambda item: item[1])
    if not ptx:
        text = f"holds machine code and no PTX, which the emulator runs: build it with -arch=sm_{device.sm}"
        raise wrong(f"{shown} {text}")
    others = [other.id for other in devices.known().values() if fatbin.can_run(codes, other.sm)]
    choice = f", or run it with --device {others[0]}" if others else ""
    text = f"holds PTX for {', '.join(arch for arch, _ in ptx)}, and {device.id} is sm_{device.sm}"
    raise wrong(f"{shown} {text}: build it with -arch=sm_{device.sm}{choice}")

# SPDX-License-Identifier: MIT
"""NVIDIA's compiler from the Python package index, made into a toolkit that nvcc and CMake find their way in."""

from __future__ import annotations

import email.parser
import re
import subprocess
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from ..core.console import Console, CourseError
from ..core.paths import TOOLKIT
from . import index, machine, pins, store

PINNED = machine.PINNED_CUDA


NEWEST = "newest"


_EXTRAS = ("nvcc", "cudart", "crt", "nvvm", "cccl", "profiler")  # of the project cuda-toolkit


_INSIDE = "nvidia/cu13/"


_PROBE = """__global__ void probe(int* p) { *p = 1; }
int main() { probe<<<1, 1>>>(nullptr); return cudaDeviceSynchronize(); }
"""


def install(console: Console, version: str = PINNED) -> Path:
    """nvcc of this version, from the index; fetched only where it is not there yet."""
    if version == PINNED and (there := TOOLKIT / machine.WHEEL_TOOLKIT / "bin" / "nvcc").exists():
        return there
    try:
        wheels = pins.of("cuda") if version == PINNED else look_up(version, pins.machine_name())
        number = ".".join(next(pin.version for pin in wheels if pin.project.endswith("nvcc")).split(".")[:2])

        def make(folder: Path) -> None:
            size = pins.megabytes(wheels)
            console.say(f"fetching nvcc {number} from the Python package index ({size}, kept in .toolkit)")
            _unpack(pins.fetch(console, f"fetching nvcc {number}", wheels), folder)
            console.say("trying the new nvcc")
            _try(folder)

        nvcc = store.install(console, f"cuda-{number}", make) / "bin" / "nvcc"
        store.clear_cache(console)
        return nvcc
    except (index.IndexUnreachable, index.WrongFile) as error:
        raise CourseError(f"nvcc cannot be fetched: {error}; {machine.CUDA_HELP}", exit_code=3) from None


def look_up(version: str, machine_name: str) -> list[pins.Pin]:
    """The wheels that belong to one version of the toolkit: its own list of exact versions, read from the index."""
    wanted = "13.*" if version == NEWEST else f"{version}.*"
    pin = pins.look_up("cuda-toolkit", wanted, machine_name)
    link = next(link for link in index.links(pin.project) if link.name == pin.name)
    with tempfile.TemporaryDirectory() as folder:
        wheel = Path(folder) / pin.name
        index.fetch(link, wheel, pin.bytes, pin.sha256, lambda done: None)
        exact = _requirements(wheel)
    return [pins.look_up(project, exact[project], machine_name) for project in sorted(exact)]


def _requirements(wheel: Path) -> dict[str, str]:
    """What the wheel of cuda-toolkit asks for, as in "nvidia-cuda-nvcc==13.0.88.*; ... extra == 'nvcc'"."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        lines = email.parser.BytesParser().parsebytes(archive.read(name)).get_all("Requires-Dist") or []
    found = {}
    for line in lines:
        match = re.match(r"([\w.-]+)\s*==\s*([\d.*]+)", line)
        if match and any(f"extra == '{extra}'" in line.replace('"', "'") for extra in _EXTRAS):
            found[match[1]] = match[2]
    return found


def _unpack(wheels: Sequence[Path], folder: Path) -> None:
    for wheel in wheels:
        store.unpack_wheel(wheel, folder, _INSIDE)
    # nvcc and CMake look for lib64 and for libraries without a number; the wheels have neither.
    (folder / "lib64").symlink_to("lib")
    for library in sorted((folder / "lib").glob("lib*.so.*")):
        plain = library.with_name(library.name.partition(".so.")[0] + ".so")
        if not plain.exists():
            plain.symlink_to(library.name)


def _try(folder: Path) -> None:
    """Compiles and links a small program: half a toolkit, or one for another system, must not stay."""
    source = folder / "probe.cu"
    source.write_text(_PROBE, encoding="utf-8")
    command = [str(folder / "bin" / "nvcc"), "-cudart=shared", "-arch=compute_90", "probe.cu", "-o", "probe"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=folder)
    except OSError as error:
        raise CourseError(f"the nvcc that was fetched does not run here: {error.strerror}", exit_code=3) from None
    if done.returncode != 0:
        line = next((line for line in (done.stderr + done.stdout).splitlines() if line.strip()), "no message")
        raise CourseError(f"the nvcc that was fetched does not work here: {line}", exit_code=3)
    for file in (source, folder / "probe"):
        file.unlink()

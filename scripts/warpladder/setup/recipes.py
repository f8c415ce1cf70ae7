# SPDX-License-Identifier: MIT
"""Tools and libraries from the package index, for machines where apt cannot be used. Each becomes a part of .toolkit.

tools/<name>/bin is searched for programs, libraries/<name>/{include,lib} for headers and libraries (machine.py, and
cmake/options.cmake for the build). The index has no package of CLI11, Catch2 or libzstd for C++; source archives of
other projects carry them, word for word.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from ..core.console import Console, CourseError
from . import machine, pins, store

_HEADERS = {"CLI11": ("extern/CLI11.hpp", "CLI/CLI.hpp"), "Catch2": ("extern/catch.hpp", "catch2/catch.hpp")}

Make = Callable[[Sequence[Path], Path], None]  # the files that were fetched, the folder to fill


def _cmake(files: Sequence[Path], folder: Path) -> None:
    store.unpack_wheel(files[0], folder, "cmake/data/")


def _ninja(files: Sequence[Path], folder: Path) -> None:
    store.unpack_wheel(files[0], folder / "bin", files[0].name.split("-py")[0] + ".data/scripts/")
    (folder / "bin" / "ninja").chmod(0o755)


def _json(files: Sequence[Path], folder: Path) -> None:
    store.unpack_wheel(files[0], folder / "include", "nlohmann_json/include/")


def _header(name: str) -> Make:
    def unpack(files: Sequence[Path], folder: Path) -> None:
        inside, target = _HEADERS[name]
        store.unpack_file(files[0], inside, folder / "include" / target)

    return unpack


def _zstd(files: Sequence[Path], folder: Path) -> None:
    for header in ("zstd.h", "zdict.h", "zstd_errors.h"):
        store.unpack_file(files[0], f"zstd/{header}", folder / "include" / header)
    source, object_ = folder / "zstd.c", folder / "zstd.o"
    store.unpack_file(files[0], "zstd/zstd.c", source)
    (folder / "lib").mkdir()
    compile_ = ["g++", "-x", "c", "-Og", "-fPIC", "-I", str(folder / "include"), "-c", str(source), "-o", str(object_)]
    for command in (compile_, ["ar", "rcs", str(folder / "lib" / "libzstd.a"), str(object_)]):
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            raise CourseError(f"libzstd could not be built: {(done.stderr.strip().splitlines() or ['?'])[0]}")
    source.unlink()
    object_.unlink()


# Requirement.index names one of these: the entry in pinned.json, the place in .toolkit, what is done with the files.
RECIPES: dict[str, tuple[str, str, Make]] = {
    "CMake": ("cmake", "tools/cmake", _cmake),
    "Ninja": ("ninja", "tools/ninja", _ninja),
    "nlohmann-json": ("nlohmann-json", "libraries/nlohmann-json", _json),
    "CLI11": ("highspy", "libraries/cli11", _header("CLI11")),
    "Catch2": ("highspy", "libraries/catch2", _header("Catch2")),
    "zstd": ("zstandard", "libraries/zstd", _zstd),
}


def install(console: Console, requirements: Sequence[machine.Requirement]) -> None:
    """Fetches what is named and makes it part of .toolkit; says once what and how large."""
    names = [requirement.index for requirement in requirements]
    wanted = {pin.name: pin for name in names for pin in pins.of(RECIPES[name][0])}
    size = pins.megabytes(list(wanted.values()))
    console.say(f"fetching {', '.join(names)} from the Python package index ({size}, kept in .toolkit)")
    for name in names:
        entry, place, make = RECIPES[name]

        def fill(folder: Path, entry: str = entry, name: str = name, make: Make = make) -> None:
            files = pins.fetch(console, f"fetching {name}", pins.of(entry))
            if make is _zstd:
                console.say("building libzstd")
            make(files, folder)

        store.install(console, place, fill)
    store.clear_cache(console)

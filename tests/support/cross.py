#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The emulator and its unit tests for the other architecture: built by Debian's cross compiler, run under qemu-user.

    cross.py build ARCH FOLDER --cuda-headers DIR   configure and build (ARCH: x86_64 or aarch64)
    cross.py test FOLDER REGEX                      run the tests of that build whose names match

CTest runs both (cmake/cross_tests.cmake, `ctest -C Long -R ^cross`). Exit code 77: something that the run needs is not
on this machine; the last line says what and which package brings it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = 77
DEBIAN_NAMES = {"x86_64": "amd64", "aarch64": "arm64"}


class Missing(Exception):
    """What this machine does not have."""


def require_tools(arch: str) -> None:
    compiler = f"{arch}-linux-gnu-g++"
    if "CROSS_CXX" not in os.environ and shutil.which(compiler) is None:
        raise Missing(f"{compiler} is missing: install g++-{arch.replace('_', '-')}-linux-gnu")
    if not any(shutil.which(name) for name in (f"qemu-{arch}-static", f"qemu-{arch}")):
        raise Missing(f"qemu-{arch}-static is missing: install qemu-user-static")
    if shutil.which("prlimit") is None:
        raise Missing("prlimit is missing: install util-linux")


def fetch_zstd(arch: str, folder: Path) -> Path:
    """libzstd.a of the other architecture, from Debian's package. The machine's own package lists stay as they are, and
    no foreign architecture is added to it: apt works in a folder of its own, as any user."""
    library = folder / "root" / "usr" / "lib" / f"{arch}-linux-gnu" / "libzstd.a"
    if library.exists():
        return library
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        raise Missing(f"libzstd.a for {arch} is missing: it comes from a Debian package, and apt-get is not here")
    for part in ("lists/partial", "cache/archives/partial"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    debian = DEBIAN_NAMES[arch]
    settings = {
        "APT::Architecture": debian,
        "APT::Architectures": debian,
        "Dir::State::lists": folder / "lists",
        "Dir::State::status": "/dev/null",
        "Dir::Cache": folder / "cache",
        "APT::Sandbox::User": "root",
        "Acquire::Retries": "3",
    }
    apt = ["apt-get", "-q"] + [word for key, value in settings.items() for word in ("-o", f"{key}={value}")]
    for command in (["update"], ["download", "libzstd-dev"]):
        done = subprocess.run([*apt, *command], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            reason = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
            raise Missing(f"libzstd-dev:{debian} cannot be fetched: {' '.join(reason)}")
    package = next(folder.glob("libzstd-dev_*.deb"))
    subprocess.run(["dpkg-deb", "-x", str(package), str(folder / "root")], check=True)
    return library


def build(arch: str, folder: Path, cuda_headers: Path, march: str) -> int:
    require_tools(arch)
    folder.mkdir(parents=True, exist_ok=True)
    configure = [
        "cmake",
        *("-S", str(ROOT), "-B", str(folder), "-G", "Ninja"),
        "-DCMAKE_BUILD_TYPE=Release",
        f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'cmake' / f'cross_{arch}.cmake'}",
        "-DWARPLADDER_PROGRAMS=OFF",
        f"-DWARPLADDER_CUDA_HEADERS={cuda_headers}",
        f"-DWARPLADDER_MARCH={march}",
        f"-DZSTD_LIBRARY={fetch_zstd(arch, folder / 'zstd')}",
    ]
    status = subprocess.run(configure).returncode
    return status or subprocess.run(["cmake", "--build", str(folder)]).returncode


def test(folder: Path, regex: str) -> int:
    if not (folder / "CTestTestfile.cmake").exists():
        raise Missing(f"{folder} holds no build: the test cross.*.build says why")
    jobs = str(len(os.sched_getaffinity(0)))
    command = ["ctest", "--test-dir", str(folder), "-R", regex, "-j", jobs, "--output-on-failure", "--no-tests=error"]
    return subprocess.run(command).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    one = verbs.add_parser("build")
    one.add_argument("arch", choices=sorted(DEBIAN_NAMES))
    one.add_argument("folder", type=Path)
    one.add_argument("--cuda-headers", type=Path, required=True)
    one.add_argument("--march", default="", help="CPU the engine is compiled for; else the architecture's baseline")
    other = verbs.add_parser("test")
    other.add_argument("folder", type=Path)
    other.add_argument("regex")
    given = parser.parse_args()
    try:
        if given.verb == "build":
            return build(given.arch, given.folder.resolve(), given.cuda_headers.resolve(), given.march)
        return test(given.folder.resolve(), given.regex)
    except Missing as missing:
        print(f"skipped: {missing}")
        return SKIPPED


if __name__ == "__main__":
    sys.exit(main())

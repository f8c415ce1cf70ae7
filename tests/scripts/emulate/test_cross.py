# SPDX-License-Identifier: MIT
"""tests/support/cross.py: what it says where it cannot run. The cross builds themselves are tests of CTest (Long)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from warpladder.core.paths import ROOT

DRIVER = ROOT / "tests" / "support" / "cross.py"


def run(*arguments: str | Path, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != "CROSS_CXX"}
    if path is not None:
        environment["PATH"] = str(path)
    return subprocess.run(
        [sys.executable, str(DRIVER), *map(str, arguments)], capture_output=True, text=True, env=environment
    )


def add_tools(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).write_text("#!/bin/sh\nexit 1\n")
        (folder / name).chmod(0o755)


@pytest.mark.parametrize("arch, package", [("x86_64", "g++-x86-64-linux-gnu"), ("aarch64", "g++-aarch64-linux-gnu")])
def test_a_missing_compiler_skips_with_its_package(tmp_path: Path, arch: str, package: str) -> None:
    result = run("build", arch, tmp_path / "build", "--cuda-headers", tmp_path, path=tmp_path)
    assert (result.returncode, result.stdout.count("\n")) == (77, 1)
    assert result.stdout.startswith("skipped: ") and result.stdout.strip().endswith(f"install {package}")


def test_a_missing_qemu_skips(tmp_path: Path) -> None:
    add_tools(tmp_path, "x86_64-linux-gnu-g++")
    result = run("build", "x86_64", tmp_path / "build", "--cuda-headers", tmp_path, path=tmp_path)
    assert (result.returncode, result.stdout) == (
        77,
        "skipped: qemu-x86_64-static is missing: install qemu-user-static\n",
    )


def test_a_package_that_cannot_be_fetched_skips_and_is_tried_again(tmp_path: Path) -> None:
    add_tools(tmp_path, "x86_64-linux-gnu-g++", "qemu-x86_64-static", "prlimit", "apt-get", "dpkg-deb")
    (tmp_path / "apt-get").write_text("#!/bin/sh\necho 'E: no network' >&2\nexit 100\n")
    for _ in range(2):
        result = run("build", "x86_64", tmp_path / "build", "--cuda-headers", tmp_path, path=tmp_path)
        assert result.returncode == 77
        assert result.stdout == "skipped: libzstd-dev:amd64 cannot be fetched: E: no network\n"


def test_tests_of_a_build_that_is_not_there_are_skipped(tmp_path: Path) -> None:
    result = run("test", tmp_path, "^unit")
    assert result.returncode == 77 and "holds no build" in result.stdout


def test_another_architecture_is_refused(tmp_path: Path) -> None:
    result = run("build", "riscv64", tmp_path, "--cuda-headers", tmp_path)
    assert result.returncode == 2 and "invalid choice: 'riscv64'" in result.stderr


@pytest.mark.parametrize(("arch", "debian"), [("x86_64", "amd64"), ("aarch64", "arm64")])
def test_both_directions_are_built_the_same_way(tmp_path: Path, arch: str, debian: str) -> None:
    """With every tool pretended: what they are called with, on any machine."""
    tools, build = tmp_path / "tools", tmp_path / "build"
    tools.mkdir()
    add_tools(tools, f"{arch}-linux-gnu-g++", f"qemu-{arch}-static", "prlimit")
    library = build / "zstd" / "root" / "usr" / "lib" / f"{arch}-linux-gnu" / "libzstd.a"
    scripts = {
        "apt-get": f'#!/bin/sh\necho "$@" >> {tmp_path}/apt\n: > libzstd-dev_1_{debian}.deb\n',
        "dpkg-deb": f"#!/bin/sh\n/bin/mkdir -p {library.parent}\n: > {library}\n",
        "cmake": f'#!/bin/sh\necho "$@" >> {tmp_path}/cmake\n',
    }
    add_tools(tools, *scripts)
    for name, text in scripts.items():
        (tools / name).write_text(text)
    result = run("build", arch, build, "--cuda-headers", tmp_path, path=tools)
    assert result.returncode == 0, result.stdout + result.stderr
    update, download = (tmp_path / "apt").read_text().splitlines()
    assert f"APT::Architecture={debian}" in update and download.endswith("download libzstd-dev")
    configured, built = (tmp_path / "cmake").read_text().splitlines()
    toolchain = ROOT / "cmake" / f"cross_{arch}.cmake"
    assert f"-DCMAKE_TOOLCHAIN_FILE={toolchain}" in configured and f"-DZSTD_LIBRARY={library}" in configured
    assert f"set(WARPLADDER_CROSS_ARCH {arch})" in toolchain.read_text()
    assert built == f"--build {build}"

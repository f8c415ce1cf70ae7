# SPDX-License-Identifier: MIT
"""Which nvcc and which GPU is used, by `./course` and by CMake alike; `./course toolkit`, `setup` and `--nvcc`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from warpladder import cli
from warpladder.build import cmake
from warpladder.core.console import Console, CourseError
from warpladder.setup import machine, provision, toolkit

ROOT = Path(__file__).resolve().parents[3]

CMAKE = machine.tool("cmake")  # before a test takes it from PATH


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return path


def fake_nvcc(folder: Path, version: str) -> Path:
    return script(folder / "bin" / "nvcc", f"echo 'Cuda compilation tools, release {version}, V{version}.88'\n")


def fake_smi(folder: Path, capability: str = "9.0", driver: str = "580.65.06", cuda: str = "13.0") -> Path:
    text = f"""case "$*" in
*name,compute_cap*) echo "NVIDIA Fake, {capability}, {driver}" ;;
*compute_cap*) echo "{capability}" ;;
*) echo "| NVIDIA-SMI {driver}    Driver Version: {driver}    CUDA Version: {cuda} |" ;;
esac
"""
    return script(folder / "nvidia-smi", text)


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without CUDA: no variable names a toolkit, none is on PATH or in the usual places."""
    for variable in ("CUDACXX", "CUDA_HOME", "CUDAToolkit_ROOT", "CUDA_PATH"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path}/path/bin:/usr/bin:/bin")
    monkeypatch.setattr(machine, "USUAL_TOOLKIT", tmp_path / "usual")
    monkeypatch.setattr(machine, "TOOLKIT", tmp_path / ".toolkit")
    monkeypatch.setattr(toolkit, "TOOLKIT", tmp_path / ".toolkit")
    return tmp_path


# ---- which nvcc


def test_the_order_in_which_nvcc_is_looked_for(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert machine.find_nvcc() is None
    places = [".toolkit/cuda-13.0", "usual", "path", "CUDA_PATH", "CUDAToolkit_ROOT", "CUDA_HOME", "CUDACXX"]
    for name in places:  # from the last to the first: each new one wins
        nvcc = fake_nvcc(bare / name, "13.0")
        if name.startswith("CUDA"):
            monkeypatch.setenv(name, str(nvcc if name == "CUDACXX" else bare / name))
        assert machine.find_nvcc() == str(nvcc)


def test_an_old_toolkit_is_left_alone_and_named(
    bare: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = fake_nvcc(bare / "usual", "12.4")
    monkeypatch.setenv("CUDA_HOME", str(bare / "nothing"))
    assert machine.find_nvcc() is None
    assert f"{old} (the usual place): version 12.4" in machine.no_nvcc()
    assert cli.main(["toolkit"]) == 3
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    assert "version 12.4" in error and "--install" in error
    new = fake_nvcc(bare / ".toolkit" / "cuda-13.0", "13.0")
    assert machine.find_nvcc() == str(new)
    cli.main(["doctor"])
    out = capsys.readouterr().out
    assert f"no use   left alone: {bare}/nothing/bin/nvcc (CUDA_HOME): no working nvcc" in out
    assert f"too old  left alone: {old} (the usual place): version 12.4" in out
    assert f"ok       nvcc {new} (from the package index): version 13.0" in out


def test_toolkit_prints_the_path_and_nothing_else(
    bare: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fake_nvcc(bare / "mine", "13.1")
    monkeypatch.setenv("CUDA_HOME", str(bare / "mine"))
    monkeypatch.setattr(toolkit, "install", lambda *_: pytest.fail("something was installed"))
    assert cli.main(["toolkit"]) == 0
    assert capsys.readouterr().out == f"{(bare / 'mine').resolve()}\n"


def test_where_a_toolkit_is_nothing_is_fetched(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nvcc = fake_nvcc(bare / "path", "13.4")
    monkeypatch.setattr(toolkit, "install", lambda *_: pytest.fail("something was installed"))
    assert provision.ensure_nvcc(Console()) == str(nvcc)


def test_without_setup_nothing_is_fetched_either(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolkit, "install", lambda *_: pytest.fail("something was installed"))
    with pytest.raises(CourseError, match=r"was not found.*toolkit --install") as error:
        provision.ensure_nvcc(Console(), install=False)
    assert error.value.exit_code == 3


@pytest.mark.parametrize("words", [["--nvcc", "/nowhere/nvcc", "doctor"], ["--nvcc", "/bin/true", "doctor"]])
def test_nvcc_that_is_none_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as code:
        cli.main(words)
    assert code.value.code == 2
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1 and words[1] in error


def test_the_option_comes_first(
    bare: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fake_nvcc(bare / "path", "13.0")
    monkeypatch.setenv("CUDACXX", "")  # what the option sets is undone after the test
    assert cli.main(["--nvcc", str(fake_nvcc(bare / "given", "13.2")), "toolkit"]) == 0
    assert capsys.readouterr().out == f"{(bare / 'given').resolve()}\n"
    with pytest.raises(SystemExit):
        cli.main(["--nvcc", str(fake_nvcc(bare / "old", "12.9")), "toolkit"])
    assert "is version 12.9; 13.0 or later is needed" in capsys.readouterr().err


@pytest.mark.parametrize("version", ["12.4", "13", "latest", "13.0.88", ""])
def test_a_version_that_cannot_be_is_refused(version: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as code:
        cli.main(["toolkit", "--install", version])
    assert code.value.code == 2
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1 and "newest" in error


def test_setup_refuses_what_it_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as code:
        cli.main(["setup", "--for", "everything"])
    assert code.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


# ---- which GPU


@pytest.mark.parametrize(
    ("smi", "capability", "said"),
    [
        ({}, "90", ""),
        ({"driver": "550.54.14", "cuda": "12.4"}, "", "its driver 550.54.14 is too old for CUDA 13"),
        ({"driver": "550.54.14", "cuda": "13.0"}, "90", ""),  # NVIDIA's compatibility package
        ({"capability": "7.0"}, "", "compute capability 7.0"),
        ({"capability": "7.5"}, "75", ""),
        ({"cuda": "N/A"}, "90", ""),
    ],
)
def test_a_gpu_that_cuda_13_cannot_use_is_left_out(smi: dict[str, str], capability: str, said: str, bare: Path) -> None:
    fake_smi(bare / "path" / "bin", **smi)
    assert machine.gpu_capability() == capability
    assert machine.gpus() == (["GPU 0: NVIDIA Fake"] if capability else [])
    assert said in machine.gpu_problem() and bool(said) == bool(machine.gpu_problem())


def test_the_user_is_told_once_why_the_gpu_is_not_used(
    bare: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fake_smi(bare / "path" / "bin", driver="535.10", cuda="12.2")
    fake_nvcc(bare / "path", "13.0")
    monkeypatch.setattr(provision, "ensure_packages", lambda *_: None)
    provision.setup(Console(), machine.RUN_EMULATED)
    assert capsys.readouterr().out.count("is not used: its driver 535.10 is too old") == 1


# ---- CMake chooses the same


def configured(folder: Path, **env: str) -> str:
    """What cmake/options.cmake decides, without a compiler or a build."""
    file = folder / "script.cmake"
    file.write_text(
        f'cmake_minimum_required(VERSION 3.25)\ninclude("{ROOT}/cmake/options.cmake")\n'
        'message("nvcc=${CMAKE_CUDA_COMPILER} cc=${WARPLADDER_GPU_CC} on=${WARPLADDER_RUNS_ON}")\n'
    )
    assert CMAKE is not None
    command = [CMAKE, f"-DPython3_EXECUTABLE={sys.executable}", "-P", str(file)]
    run = subprocess.run(command, cwd=folder, env={**os.environ, **env}, capture_output=True, text=True)
    return run.stdout + run.stderr


def test_cmake_and_course_agree(bare: Path) -> None:
    old, new = fake_nvcc(bare / "old", "12.4"), fake_nvcc(bare / "new", "13.0")
    env = {"CUDACXX": str(old), "CUDA_HOME": str(bare / "new")}
    fake_smi(bare / "path" / "bin")
    assert f"nvcc={new} cc=90 on=gpu" in configured(bare, **env)
    fake_smi(bare / "path" / "bin", driver="550.54.14", cuda="12.4")
    text = configured(bare, **env)
    assert f"nvcc={new} cc= on=emulator" in text
    assert "the NVIDIA Fake is not used: its driver 550.54.14 is too old" in text


def test_a_build_with_another_nvcc_is_configured_afresh(tmp_path: Path) -> None:
    assert not cmake.compiler_changed(tmp_path, "/new/nvcc")  # not configured yet
    file = tmp_path / "CMakeFiles" / "3.25.1" / "CMakeCUDACompiler.cmake"
    file.parent.mkdir(parents=True)
    file.write_text('set(CMAKE_CUDA_COMPILER "/old/nvcc")\nset(CMAKE_CUDA_HOST_COMPILER "")\n')
    assert cmake.compiler_changed(tmp_path, "/new/nvcc")
    assert not cmake.compiler_changed(tmp_path, "/old/nvcc")
    assert not cmake.compiler_changed(tmp_path, "")

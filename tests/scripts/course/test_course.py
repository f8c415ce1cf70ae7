# SPDX-License-Identifier: MIT
"""The command line of `course`, from another folder and as a user types it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from warpladder import cli
from warpladder.core.console import relevant_lines
from warpladder.setup import machine

ROOT = Path(__file__).resolve().parents[3]


def test_sh_finds_python_or_says_what_to_do(tmp_path: Path) -> None:
    """`course` is read by sh first: an old Python is passed over, and without any there is one line."""
    (tmp_path / "id").symlink_to("/usr/bin/id")
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    env = {"PATH": str(tmp_path)}
    run = subprocess.run(["/bin/sh", str(ROOT / "course"), "list"], env=env, capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (3, "")
    assert run.stderr.splitlines() == [
        "course: Python 3.10 or later is needed; `sudo apt-get install python3` brings it"
    ]
    (tmp_path / "python3.12").symlink_to(sys.executable)
    run = subprocess.run(["/bin/sh", str(ROOT / "course"), "fly"], env=env, capture_output=True, text=True)
    assert run.returncode == 2 and "unknown verb 'fly'" in run.stderr


def course(*words: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "course"), *words]
    return subprocess.run(command, cwd=cwd, env={**os.environ, **env}, capture_output=True, text=True)


def test_an_unknown_verb_gets_one_line_and_exit_code_2(tmp_path: Path) -> None:
    run = course("fly", cwd=tmp_path)
    assert run.returncode == 2
    assert run.stdout == ""
    verbs = ", ".join(cli.VERBS)
    assert verbs.startswith("run, list, plot, test, doctor")
    assert run.stderr.splitlines() == [f"course: unknown verb 'fly' (there are: {verbs})"]


def test_an_unknown_option_gets_one_line_and_exit_code_2(tmp_path: Path) -> None:
    run = course("test", "--fast", cwd=tmp_path)
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1
    assert "--fast" in run.stderr


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    """`./course progress | head -1`: the lines come out one by one here, so one of them finds nobody."""
    command = [sys.executable, "-u", str(ROOT / "course"), "progress"]
    read, write = os.pipe()
    os.close(read)
    env = {**os.environ, "WARPLADDER_WORK": str(tmp_path)}
    run = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, env=env)
    os.close(write)
    assert (run.returncode, run.stderr) == (141, "")


@pytest.mark.parametrize("verb", cli.VERBS)
def test_every_verb_has_help_with_nothing_but_python(verb: str, tmp_path: Path) -> None:
    command = [sys.executable, "-I", "-S", str(ROOT / "course"), verb, "--help"]  # -S: no package can be imported
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    assert f"usage: course {verb}" in run.stdout


def test_doctor_works_from_any_folder_and_changes_nothing(tmp_path: Path) -> None:
    run = course("doctor", cwd=tmp_path)
    assert run.returncode in (0, 1)
    assert "CMake" in run.stdout
    assert list(tmp_path.iterdir()) == []


def test_doctor_names_the_package_of_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    absent = machine.Requirement("Ninja", "ninja-build", lambda: False)
    monkeypatch.setattr(machine, "REQUIREMENTS", (absent,))
    assert cli.main(["doctor"]) == 1
    assert "MISSING  Ninja: apt-get install ninja-build" in capsys.readouterr().out


@pytest.mark.parametrize("verb", ["test", "run", "explore"])
def test_without_setup_and_nvcc_the_user_is_told_how_to_get_it(
    verb: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(machine, "find_nvcc", lambda: None)
    assert cli.main([verb, "--no-setup"]) == 3
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    assert "nvcc 13.0 or later was not found" in error


def test_versions_compare_as_numbers() -> None:
    assert machine.version("cmake version 3.9.1") < machine.CMAKE_MINIMUM
    assert machine.version("cmake version 3.25.1") >= machine.CMAKE_MINIMUM
    assert machine.version("nothing") == (0, 0)


def test_a_failed_build_shows_the_lines_from_the_first_failure_on(tmp_path: Path) -> None:
    log = tmp_path / "build.log"
    log.write_text("$ cmake\n[1/3] Building a.o\nFAILED: b.o\nb.cpp:3:1: error: no\n[3/3] Building c.o\n")
    assert relevant_lines(log, 2) == "  | FAILED: b.o\n  | b.cpp:3:1: error: no"


def test_of_pytest_the_failures_are_shown_and_not_the_names_of_tests(tmp_path: Path) -> None:
    log = tmp_path / "pytest.log"
    log.write_text(
        "$ pytest\n[gw0] [ 10%] PASSED test_x.py::test_error[an error]\n=== FAILURES ===\n___ test_y ___\nE  1\n"
    )
    assert relevant_lines(log, 2) == "  | === FAILURES ===\n  | ___ test_y ___"

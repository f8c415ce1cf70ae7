# SPDX-License-Identifier: MIT
"""What a run needs is looked for where it may be, and only what is missing is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from warpladder.core.console import Console
from warpladder.setup import machine, provision


def test_a_run_on_a_gpu_needs_no_emulator_and_no_test_tools() -> None:
    packages = {r.package for r in machine.REQUIREMENTS if machine.RUN_GPU in r.uses and r.needed}
    assert packages == {"cmake", "ninja-build", "g++", "libcli11-dev", "nlohmann-json3-dev"}
    emulated = {r.package for r in machine.REQUIREMENTS if machine.RUN_EMULATED in r.uses and r.needed}
    assert emulated - packages == {"catch2", "libzstd-dev"}


def test_headers_are_found_where_cmake_is_told_to_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "CLI").mkdir()
    (tmp_path / "CLI" / "Unheard_of.hpp").write_text("")
    assert not machine.has_header("CLI/Unheard_of.hpp")
    monkeypatch.setenv("CMAKE_INCLUDE_PATH", f"/nowhere:{tmp_path}")
    assert machine.has_header("CLI/Unheard_of.hpp")


def test_where_matplotlib_is_there_nothing_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "charts_python", lambda: "/usr/bin/python3")
    monkeypatch.setattr(Console, "run", lambda *_: pytest.fail("a command was run"))
    assert provision.ensure_charts_python(Console()) == "/usr/bin/python3"


def test_a_first_run_installs_what_draws_charts_and_not_what_tests_need(monkeypatch: pytest.MonkeyPatch) -> None:
    installed: list[str] = []

    def pip(_: Console, __: str, command: list[str], *___: object) -> int:
        installed.extend(command)
        return 0

    monkeypatch.setattr(machine, "charts_python", lambda: None)
    monkeypatch.setattr(machine, "can_make_venv", lambda: True)
    monkeypatch.setattr(provision, "make_venv", lambda _: True)
    monkeypatch.setattr(Console, "run", pip)
    provision.ensure_charts_python(Console())
    assert [word.partition("==")[0] for word in installed if "==" in word] == ["matplotlib"]
    assert "-r" not in installed


def test_the_revision_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARPLADDER_REVISION", "1.2.3")
    assert machine.revision() == "1.2.3"
    monkeypatch.delenv("WARPLADDER_REVISION")
    assert machine.revision() not in ("", "1.2.3")


@pytest.mark.parametrize(
    ("there", "installs"),
    [
        ("{all}", False),
        ("{all} typing_extensions==4.1", False),
        ("", True),
        ("{older}", True),
        ("{fewer}", True),
    ],
)
def test_what_tests_need_is_installed_where_it_is_missing_or_another_version(
    there: str, installs: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "requirements.txt").write_text("# for tests\npytest==8.4.2\npytest-xdist==3.8.0\n")
    monkeypatch.setattr(provision, "REQUIREMENTS", tmp_path / "requirements.txt")
    names = {"all": "pytest==8.4.2 pytest_xdist==3.8.0", "older": "pytest==8.4.1 pytest_xdist==3.8.0"}
    answer = there.format(**names, fewer="pytest==8.4.2")
    monkeypatch.setattr(machine, "output_of", lambda command: answer if "distributions" in command[-1] else "yes")
    asked: list[str] = []
    monkeypatch.setattr(provision, "_install_python_packages", lambda console: asked.append("all"))
    provision.ensure_python(Console())
    assert bool(asked) == installs

# SPDX-License-Identifier: MIT
"""What the book needs is pinned, and lies in a folder of its own; where it cannot be had, one line says so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from warpladder.core.console import Console, CourseError
from warpladder.setup import book, store


class Recorder(Console):
    """Runs nothing; every command ends with this code."""

    def __init__(self, code: int) -> None:
        super().__init__()
        self.code, self.commands = code, list[list[str]]()

    def run(self, title: str, command: Sequence[str], log: str, *_: object, **__: object) -> int:
        self.commands.append(list(command))
        return self.code


@pytest.fixture
def toolkit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    for module in (book, store):
        monkeypatch.setattr(module, "TOOLKIT", tmp_path / "toolkit")
    return tmp_path / "toolkit"


def test_packages_are_installed_once_into_a_folder_of_their_own(toolkit: Path) -> None:
    console = Recorder(0)
    place = book.packages(console)
    assert place.parent == toolkit and place.is_dir()
    assert book.packages(console) == place
    (command,) = console.commands
    assert "--no-deps" in command and "--target" in command


def test_what_cannot_be_installed_is_one_line_and_exit_code_3(toolkit: Path) -> None:
    with pytest.raises(CourseError, match="Sphinx is missing") as caught:
        book.packages(Recorder(1))
    assert caught.value.exit_code == 3
    assert list(toolkit.glob("book-*")) == []


def test_every_package_is_pinned() -> None:
    lines = [line for line in book.REQUIREMENTS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r'[a-z0-9-]+==[\w.]+(; python_version < "3\.\d+")?', line) for line in lines)
    assert lines == sorted(lines, key=lambda line: line.partition("=")[0])

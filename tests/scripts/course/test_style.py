# SPDX-License-Identifier: MIT
"""The Python files are formatted, clean by ruff and typed: mypy, strict, has nothing to say about any of them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
FILES = ["course", "notebooks", "scripts", "tests"]


def run(tool: str, *words: str) -> None:
    program = shutil.which(tool, path=str(ROOT / ".venv" / "bin")) or shutil.which(tool)
    if program is None:
        pytest.skip(f"{tool} is not installed")
    done = subprocess.run([program, *words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("command", [["check", "--no-cache"], ["format", "--check", "--no-cache"]])
def test_ruff_has_nothing_to_say(command: list[str]) -> None:
    run("ruff", *command, *FILES)


def test_mypy_has_nothing_to_say() -> None:
    """Which files, and how strictly, is in pyproject.toml. What did not change since the last run is not read again."""
    run("mypy")

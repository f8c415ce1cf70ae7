# SPDX-License-Identifier: MIT
"""The emulator reads its environment in one file, so that a sealed run cannot be changed behind its record."""

from __future__ import annotations

import re
from pathlib import Path

EMULATOR = Path(__file__).resolve().parents[3] / "emulator"
_READS = re.compile(r"\b(?:secure_)?getenv\s*\(|\benviron\b")


def test_only_settings_cpp_reads_the_environment() -> None:
    sources = [file for pattern in ("*.cpp", "*.hpp") for file in EMULATOR.rglob(pattern)]
    readers = {
        str(file.relative_to(EMULATOR)) for file in sources if _READS.search(_code(file)) and ".test." not in file.name
    }
    assert readers == {"cudart/environment/settings.cpp"}


def _code(file: Path) -> str:
    return re.sub(r"//[^\n]*", "", file.read_text(encoding="utf-8"))

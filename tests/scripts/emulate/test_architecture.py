# SPDX-License-Identifier: MIT
"""docs/architecture*.md are a map: every file and folder they name is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
MAP = ROOT / "docs" / "architecture.md"
# Where the names of a page's files begin that do not begin with a folder of the repository.
PAGES = {
    "architecture.md": "emulator",
    "architecture-runtime.md": "emulator",
    "architecture-scripts.md": "scripts/warpladder",
}
_TOP = "emulator|lessons|common|scripts|tests|docs|results|cmake"


def named(text: str) -> set[str]:
    """Paths in backticks that begin with a folder of the repository; <placeholders> and globs are none."""
    quoted = re.findall(rf"`((?:{_TOP})/[^`\s]*)`", text)
    return {path for path in quoted if not re.search(r"[<>*]", path)}


def linked(text: str) -> set[str]:
    return {target.split("#")[0] for target in re.findall(r"\]\(([^)#:]+(?:#[^)]*)?)\)", text)}


def relative(text: str, base: str) -> set[str]:
    """Paths in backticks below the page's own folder: `judging/judge.py`."""
    folders = "|".join(sorted(path.name for path in (ROOT / base).iterdir() if path.is_dir()))
    return {path for path in re.findall(rf"`((?:{folders})/[^`\s]*)`", text) if not re.search(r"[<>*]", path)}


@pytest.mark.parametrize("page", PAGES)
def test_every_path_of_the_map_exists(page: str) -> None:
    text = (MAP.parent / page).read_text(encoding="utf-8")
    base = ROOT / PAGES[page]
    paths = named(text) | relative(text, PAGES[page])
    assert len(paths) > 30
    gone = sorted(path for path in paths if not (ROOT / path).exists() and not (base / path).exists())
    gone += sorted(target for target in linked(text) if not (MAP.parent / target).exists())
    assert not gone, f"docs/{page} names what is not there: {', '.join(gone)}"


def test_the_picture_shows_every_room() -> None:
    text = MAP.read_text(encoding="utf-8")
    rooms = re.findall(
        r"^emu_room\((\w+)", (ROOT / "emulator" / "rooms.cmake").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(rooms) > 15
    picture = text[text.index("## The rooms") : text.index("Beside them") + 300]
    missing = [room for room in rooms if not re.search(rf"\b{room}\b", picture)]
    assert not missing, f"the picture of docs/architecture.md does not show {', '.join(missing)}"


def test_a_path_that_is_gone_is_seen() -> None:
    assert named("see `emulator/nowhere/file.cpp` and `emulator/<name>.def` and `std::vector`") == {
        "emulator/nowhere/file.cpp"
    }
    assert not (ROOT / "emulator/nowhere/file.cpp").exists()

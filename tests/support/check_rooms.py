#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Includes point one way: each file of a room includes only rooms that its line in rooms.cmake names.

A line is `emu_room(room "what it is for" [the rooms it uses] [TESTS the rooms that only its tests use])`,
`emu_inner_room(...)` for a room within a room, and `course_room(...)` for one of common/. It may name only rooms whose
lines stand above it, so that there can be no circle. `.` is a room too: the files that lie in no other.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path

_LINE = re.compile(r"^(?:emu_|emu_inner_|course_)room\((.*?)\)$", re.MULTILINE | re.DOTALL)
_SOURCES = (".cpp", ".hpp", ".def", ".cu", ".cuh")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


@dataclass
class Room:
    name: str
    uses: set[str] = field(default_factory=set)
    test_uses: set[str] = field(default_factory=set)


def read_rooms(text: str) -> tuple[list[Room], list[str]]:
    """The rooms in their order, and what is wrong with their lines."""
    rooms: list[Room] = []
    wrong: list[str] = []
    for line in _LINE.findall(text):
        name, purpose, *uses = shlex.split(line)
        room = Room(name)
        if len(purpose.split()) < 3:
            wrong.append(f"{name}: {purpose!r} does not say what the room is for")
        above = {other.name for other in rooms}
        into = room.uses
        for use in uses:
            if use == "TESTS":
                into = room.test_uses
            elif use not in above and into is room.uses:
                wrong.append(f"{name} uses {use}, which no line above names")
            else:
                into.add(use)
        rooms.append(room)
    return rooms, wrong


def is_test(file: Path) -> bool:
    return ".test." in file.name or file.name.startswith("main_")


def room_of(file: Path, behind: str) -> str:
    """Of a file, by its path from the folder of the rooms; `behind` holds a folder for each, with what it hides."""
    folders = file.parts[:-1]
    if behind and folders[:1] == (behind,):
        folders = folders[1:]
    return folders[0] if folders else "."


def wrong_includes(folder: Path, prefix: str, rooms: list[Room], files: dict[Path, str]) -> list[str]:
    """Every include of a room that the including room does not use."""
    wrong = []
    by_name = {room.name: room for room in rooms}
    for file, name in files.items():
        if (room := by_name.get(name)) is None:
            continue
        allowed = room.uses | {room.name} | (room.test_uses if is_test(file) else set())
        for included in _INCLUDE.findall((folder / file).read_text(encoding="utf-8")):
            used = room_of(Path(included.removeprefix(prefix)), "")
            if included.startswith(prefix) and used in by_name and used not in allowed:
                wrong.append(f"{file} includes {included}, but {room.name} does not use {used}")
    return wrong


def problems(folder: Path, prefix: str, besides: frozenset[str] = frozenset(), behind: str = "") -> list[str]:
    rooms, wrong = read_rooms((folder / "rooms.cmake").read_text(encoding="utf-8"))
    # A folder that git left behind because something ignored lies in it is no room.
    paths = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.suffix in _SOURCES)
    files = {path: room_of(path, behind) for path in paths}
    listed, found = {room.name for room in rooms}, set(files.values())
    wrong += [f"there is no folder {name}" for name in sorted(listed - found)]
    wrong += [f"rooms.cmake has no line for {name}" for name in sorted(found - listed - besides)]
    return wrong + wrong_includes(folder, prefix, rooms, files)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="of the rooms, with their rooms.cmake")
    parser.add_argument("--prefix", default="", help="before a room's name in an #include")
    parser.add_argument(
        "--besides", nargs="*", default=[], metavar="FOLDER", help="that are no rooms, and use any of them"
    )
    parser.add_argument("--behind", default="", metavar="FOLDER", help="with a folder for what each room hides")
    arguments = parser.parse_args()
    wrong = problems(arguments.folder, arguments.prefix, frozenset(arguments.besides), arguments.behind)
    print("\n".join(wrong) if wrong else "every include points to a room that its own may use")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

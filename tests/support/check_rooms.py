#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Includes point one way: each file of a room includes only rooms that its line in rooms.cmake names.

A line is `emu_room(room "what it is for" [the rooms it uses] [TESTS the rooms that only its tests use])`, and
`emu_inner_room(...)` for a room within a room. It may name only rooms whose lines stand above it, so that there can be
no circle. A room may not be crowded either.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path

_LINE = re.compile(r"^emu_(?:inner_)?room\((.*?)\)$", re.MULTILINE | re.DOTALL)
MOST_SOURCES = 34  # of one folder, tests included: more is a crowd in which nothing is found
_SOURCES = (".cpp", ".hpp", ".def", ".cu")
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


def wrong_includes(folder: Path, prefix: str, rooms: list[Room]) -> list[str]:
    """Every include of a room that the including room does not use."""
    wrong = []
    names = {room.name for room in rooms}
    for room in rooms:
        for file in sorted((folder / room.name).rglob("*")):
            if file.suffix not in _SOURCES:
                continue
            allowed = room.uses | {room.name} | (room.test_uses if is_test(file) else set())
            for name in _INCLUDE.findall(file.read_text(encoding="utf-8")):
                used = name.removeprefix(prefix).split("/")[0]
                if name.startswith(prefix) and used in names and used not in allowed:
                    wrong.append(f"{file.relative_to(folder)} includes {name}, but {room.name} does not use {used}")
    return wrong


def crowded(folder: Path) -> list[str]:
    """Every folder with more sources than one can look through."""
    wrong = []
    for place in sorted({path.parent for path in folder.rglob("*") if path.suffix in _SOURCES}):
        count = sum(path.suffix in _SOURCES for path in place.iterdir())
        if count > MOST_SOURCES:
            wrong.append(f"{place.relative_to(folder)} holds {count} sources, more than {MOST_SOURCES}")
    return wrong


def problems(folder: Path, prefix: str, besides: frozenset[str] = frozenset()) -> list[str]:
    rooms, wrong = read_rooms((folder / "rooms.cmake").read_text(encoding="utf-8"))
    folders = {entry.name for entry in folder.iterdir() if entry.is_dir()}
    listed = {room.name for room in rooms}
    wrong += [f"there is no folder {name}" for name in sorted(listed - folders)]
    wrong += [f"rooms.cmake has no line for {name}" for name in sorted(folders - listed - besides)]
    return wrong + wrong_includes(folder, prefix, rooms) + crowded(folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="of the rooms, with their rooms.cmake")
    parser.add_argument("--prefix", default="", help="before a room's name in an #include")
    parser.add_argument(
        "--besides", nargs="*", default=[], metavar="FOLDER", help="that are no rooms, and use any of them"
    )
    arguments = parser.parse_args()
    wrong = problems(arguments.folder, arguments.prefix, frozenset(arguments.besides))
    print("\n".join(wrong) if wrong else "every include points to a room that its own may use")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

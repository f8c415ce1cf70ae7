#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Includes point one way: each file of a room includes only rooms that its line in rooms.cmake names.

A line is `emu_inner_room(room "what it is for" [the rooms it uses] [TESTS the rooms that only its tests use])`. It may
name only rooms whose lines stand above it, so that there can be no circle.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path

_LINE = re.compile(r"^emu_(?:inner_)?room\((.*?)\)$", re.MULTILINE | re.DOTALL)
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
        for file in sorted((folder / room.name).rglob("*.[hc]pp")):
            allowed = room.uses | {room.name} | (room.test_uses if is_test(file) else set())
            for name in _INCLUDE.findall(file.read_text(encoding="utf-8")):
                used = name.removeprefix(prefix).split("/")[0]
                if name.startswith(prefix) and used in names and used not in allowed:
                    wrong.append(f"{file.relative_to(folder)} includes {name}, but {room.name} does not use {used}")
    return wrong


def problems(folder: Path, prefix: str) -> list[str]:
    rooms, wrong = read_rooms((folder / "rooms.cmake").read_text(encoding="utf-8"))
    folders = {entry.name for entry in folder.iterdir() if entry.is_dir()}
    listed = {room.name for room in rooms}
    wrong += [f"there is no folder {name}" for name in sorted(listed - folders)]
    wrong += [f"rooms.cmake has no line for {name}" for name in sorted(folders - listed)]
    return wrong + wrong_includes(folder, prefix, rooms)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="of the rooms, with their rooms.cmake")
    parser.add_argument("--prefix", default="", help="before a room's name in an #include")
    arguments = parser.parse_args()
    wrong = problems(arguments.folder, arguments.prefix)
    print("\n".join(wrong) if wrong else "every include points to a room that its own may use")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

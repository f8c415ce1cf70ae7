#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What takes long to compile is compiled once: CUB per operation, CLI11, nlohmann-json.

nvcc reads a .cu three times, headers and all, so each lesson would pay for them again. Follows the #include lines of
every .cu of the lessons and of their tests; compiles nothing.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("lessons", "common", "tests/lessons", "tests/lock_free")
SOURCES = (".cu", ".cuh", ".hpp", ".cpp")
# What a header of common/ must not bring into a .cu. A program that uses one of the others itself may include it.
LIBRARIES = ("CLI/", "nlohmann/", "cub/", "thrust/")
HEAVY = ("chrono", "filesystem", "fstream", "functional", "future", "iostream", "random", "regex", "sstream", "thread")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:<([^>\n]+)>|"([^"\n]+)")', re.MULTILINE)
_OPERATION = re.compile(r"\bcub::(Device\w+)::(\w+)")
_NO_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|\"[^\"\n]*\"", re.DOTALL)  # comments, strings


def includes(file: Path) -> list[tuple[str, bool]]:
    """(name, whether in <>) of each."""
    text = file.read_text(encoding="utf-8")
    return [(match.group(1) or match.group(2), match.group(1) is not None) for match in _INCLUDE.finditer(text)]


def taken_in(root: Path, source: Path) -> dict[str, Path]:
    """Every <header> that a source takes in, and the file of ours that includes it first."""
    found: dict[str, Path] = {}
    todo, seen = [source], {source}
    while todo:
        file = todo.pop()
        for name, system in includes(file):
            if system:
                found.setdefault(name, file)
                continue
            for base in (root, root / "tests", file.parent):
                if (base / name).is_file():
                    if base / name not in seen:
                        seen.add(base / name)
                        todo.append(base / name)
                    break
    return found


def files(root: Path, *suffixes: str) -> list[Path]:
    found = [path for folder in FOLDERS for path in (root / folder).rglob("*") if path.suffix in suffixes]
    return sorted(path for path in found if "exercise" not in path.parts and "exercises" not in path.parts)


def faults(root: Path) -> list[str]:
    wrong = []
    for source in files(root, ".cu"):
        library = source.is_relative_to(root / "common" / "library") and source.name.startswith("cub_")
        for name, file in taken_in(root, source).items():
            allowed = library and name.startswith("cub/")
            if name.startswith(LIBRARIES) and not allowed:
                wrong.append(f"{source.relative_to(root)} takes in <{name}>, through {file.relative_to(root)}")
            if name in HEAVY and file.is_relative_to(root / "common"):
                wrong.append(f"{source.relative_to(root)} takes in <{name}>, through {file.relative_to(root)}")
    calls: dict[str, set[Path]] = defaultdict(set)
    for file in files(root, *SOURCES):
        for match in _OPERATION.finditer(_NO_CODE.sub("", file.read_text(encoding="utf-8"))):
            calls["::".join(match.groups())].add(file.relative_to(root))
    for operation, places in sorted(calls.items()):
        if len(places) > 1:
            wrong.append(f"cub::{operation} is compiled in more than one place: {', '.join(map(str, sorted(places)))}")
    for name in LIBRARIES[:2]:
        behind = sorted(file for file in (root / "common" / "library").rglob("*") if file.is_file())
        named = [file.name for file in behind if any(i.startswith(name) for i, _ in includes(file))]
        if len(named) > 1:
            wrong.append(f"<{name}...> is compiled in more than one place: {', '.join(named)}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--root", type=Path, default=ROOT)
    root = parser.parse_args().root
    sources, wrong = files(root, ".cu"), faults(root)
    print("\n".join(wrong) or f"{len(sources)} .cu files take in neither CLI11 nor JSON, and CUB is compiled once")
    return 1 if wrong or not sources else 0


if __name__ == "__main__":
    sys.exit(main())

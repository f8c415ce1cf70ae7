#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that every C++ and CUDA file is formatted as .clang-format says. Exit code: 0 yes, 1 no, 77 cannot tell."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

SKIPPED = 77
FOLDERS = ("emulator", "common", "lessons", "tests")
SUFFIXES = {".cpp", ".hpp", ".cu", ".cuh"}
MAJOR = 14  # Debian 12 and Ubuntu 22.04; other versions break some lines elsewhere


def version_of(clang_format: str) -> int:
    try:
        text = subprocess.run([clang_format, "--version"], capture_output=True, text=True).stdout
    except OSError:
        return 0
    match = re.search(r"version (\d+)", text)
    return int(match.group(1)) if match else 0


def sources(root: Path) -> list[Path]:
    return sorted(p for folder in FOLDERS for p in (root / folder).rglob("*") if p.suffix in SUFFIXES)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("--clang-format", default="clang-format")
    parser.add_argument("--fix", action="store_true", help="format the files instead")
    options = parser.parse_args()

    major = version_of(options.clang_format)
    if major != MAJOR:
        print(f"skipped: needs clang-format {MAJOR}, found {major or 'none'}")
        return SKIPPED
    files = sources(options.root)
    if not files:
        return 0
    if options.fix:
        return subprocess.run([options.clang_format, "-i", *map(str, files)]).returncode
    run = subprocess.run([options.clang_format, "--dry-run", *map(str, files)], capture_output=True, text=True)
    wrong = sorted({line.split(":", 1)[0] for line in run.stderr.splitlines() if "[-Wclang-format-violations]" in line})
    for name in wrong:
        print(f"not formatted: {Path(name).relative_to(options.root)}")
    if wrong:
        print(f"{len(wrong)} files; `{Path(__file__).name} --fix` formats them")
    return 1 if wrong or run.returncode else 0


if __name__ == "__main__":
    sys.exit(main())

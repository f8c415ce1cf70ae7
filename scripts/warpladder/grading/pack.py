# SPDX-License-Identifier: MIT
"""Makes the zip that Gradescope wants: setup.sh, run_autograder, and of the course only what grading needs.

No solutions, hints, wrong answers or tests are in it. The rules, with the seed if one is given, are readable by root
alone; submissions run as another user (sandbox/user.py).
"""

from __future__ import annotations

import argparse
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

from ..core.console import CourseError
from ..core.paths import ROOT, shown
from . import config
from .config import Item, Rules

_FOLDER = "course"
_DATE = (2020, 1, 1, 0, 0, 0)  # the same course gives the same zip
_TEMPLATES = Path(__file__).with_name("packed")
# What the emulator is built from; its tests and what measures it stay here.
_WHOLE = ("cmake", "emulator", "common", "scripts/warpladder")
_FILES = ("course", "CMakeLists.txt", "CMakePresets.json", "LICENSE", "tests/CMakeLists.txt")
_SETUP = ("scripts/setup_container.sh", "scripts/probe.py", "scripts/pinned.json", "scripts/requirements.txt")
_PROGRAMS = ("course", "scripts/setup_container.sh")
_SUPPORT = ("tests/support/catch_call.cpp", "tests/support/catch_main.cpp", "tests/support/catch.hpp")
_NOT = (".test.", "/testdata/", ".pyc", ".md")
_NOT_BELOW = ("emulator/tests", "emulator/fuzz", "scripts/warpladder/grading/packed")
_OF_AN_EXERCISE = ("exercise.json", "run.cu", "judge.cpp", "starter.cuh", "*.hpp")


def make(options: argparse.Namespace) -> int:
    """`./course grade --pack gradescope --out FILE`."""
    if options.paths:
        raise CourseError("--pack takes no submissions", exit_code=2)
    rules = config.load(options.config)
    out = options.out if options.out.suffix == ".zip" else Path("autograder.zip")
    files = dict(contents(rules, options))
    try:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as pack:
            for name, (data, mode) in sorted(files.items()):
                entry = zipfile.ZipInfo(name, _DATE)
                entry.external_attr = (0o100000 | mode) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                pack.writestr(entry, data)
    except OSError as error:
        raise CourseError(f"cannot write {out}: {error.strerror}", exit_code=2) from None
    out.chmod(0o600)  # the seed may stand in it
    print(f"{shown(out)}: {len(files)} files, {out.stat().st_size >> 10} KiB, {len(rules.items)} exercises")
    fixed = options.seed is not None or rules.seed is not None
    seed = "always the same seed" if fixed else "a new seed for every submission"
    print(f"hidden cases: {seed}; upload the zip as the assignment's autograder, base image Ubuntu 22.04")
    return 0


def contents(rules: Rules, options: argparse.Namespace) -> Iterator[tuple[str, tuple[bytes, int]]]:
    """Name, bytes and rights of every file in the pack."""
    for name in ("setup.sh", "run_autograder"):
        yield name, ((_TEMPLATES / name).read_bytes(), 0o755)
    for path in _course_files(list(rules.items)):
        inside = path.relative_to(ROOT)
        yield f"{_FOLDER}/{inside}", (path.read_bytes(), 0o755 if str(inside) in _PROGRAMS else 0o644)
    yield f"{_FOLDER}/grading.json", (_rules_text(rules, options).encode(), 0o600)


def _course_files(items: list[Item]) -> Iterator[Path]:
    for folder in _WHOLE:
        for path in sorted((ROOT / folder).rglob("*")):
            inside = str(path.relative_to(ROOT))
            if path.is_file() and not any(word in inside for word in _NOT) and not inside.startswith(_NOT_BELOW):
                yield path
    yield from (ROOT / name for name in (*_FILES, *_SETUP))
    yield from (ROOT / name for name in _SUPPORT if (ROOT / name).exists())
    for lesson in sorted({item.exercise.folder.parent.parent for item in items}):
        yield from sorted(lesson.glob("*.cuh"))
    for item in items:
        for pattern in _OF_AN_EXERCISE:
            yield from sorted(item.exercise.folder.glob(pattern))


def _rules_text(rules: Rules, options: argparse.Namespace) -> str:
    """The rules as they are, with all exercises named: the pack has no others, and the seed."""
    file = options.config or config.DEFAULT
    data = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {"schema": config.SCHEMA}
    data["exercises"] = {
        item.exercise.name: {"points": item.points, "weight": item.weight, "performance": item.performance}
        for item in rules.items
    }
    if options.seed is not None:
        data["seed"] = options.seed
    return json.dumps(data, indent=1) + "\n"

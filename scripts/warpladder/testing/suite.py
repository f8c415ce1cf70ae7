# SPDX-License-Identifier: MIT
"""What tests there are, of both runners; which of them a word means, and what has to be built for them."""

from __future__ import annotations

import ast
import difflib
import json
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.console import CourseError
from ..core.paths import BUILD, ROOT
from ..core.shard import Shard
from ..setup import machine

PYTHON_TESTS = ROOT / "tests" / "scripts"
PREFIX = "scripts."  # of the Python tests' names, wherever both kinds are named
LONG = "Long"  # the CTest configuration that has the long tests, too; pytest's marker is `long`
_EMULATOR = "emu_cudart_shared"  # what the Python tests need
_LIBRARIES = frozenset((_EMULATOR, "emu_cudart_static"))  # what a test means that is given the folder lib/
_NEAR = 6
# The name in brackets, as CMake wrote it for years, or in quotation marks, as CMake 4 does.
_ADD_TEST = re.compile(r"""^\s*add_test\((?:\[=*\[|")(?P<name>.*?)(?:\]=*\]|") (?P<command>.*)\)$""", re.MULTILINE)


@dataclass(frozen=True)
class Compiled:
    """A test of CTest."""

    name: str
    labels: tuple[str, ...]
    command: tuple[str, ...]


@dataclass(frozen=True)
class Script:
    """A test of pytest: a function, with whatever parameters it has."""

    name: str  # test_watch.test_a_reset_asks_first
    node: str  # what pytest calls it
    long: bool


@dataclass(frozen=True)
class Part:
    compiled: tuple[Compiled, ...]
    scripts: tuple[Script, ...]

    def __bool__(self) -> bool:
        return bool(self.compiled or self.scripts)


def shared(part: Part, of: Shard, more: Sequence[Script] = ()) -> Part:
    """What of it is in this part of N. All tests of a file stay together: they may share what is made once."""
    scripts = (*part.scripts, *more)
    return Part(
        tuple(test for test in part.compiled if of.has(test.name)),
        tuple(test for test in scripts if of.has(test.node.partition("::")[0])),
    )


def compiled_tests(preset: str, long: bool, env: Mapping[str, str], pattern: str = "") -> list[Compiled]:
    """What CTest would run in a configured build folder."""
    command = [machine.tool("ctest") or "ctest", "--preset", preset, "--show-only=json-v1"]
    command += ["-C", LONG] if long else []
    command += ["-R", pattern] if pattern else []
    listed = subprocess.run(command, cwd=ROOT, env=dict(env), capture_output=True, text=True)
    # Before the document CTest says what presets it reads; a pattern that is none is told there, too.
    start = listed.stdout.find("{")
    if listed.returncode != 0 or start < 0:
        lines = (listed.stderr or listed.stdout).strip().splitlines() or ["no answer"]
        raise CourseError(f"ctest does not list its tests: {lines[-1].strip()}", exit_code=2 if pattern else 1)
    commands = recorded_commands(BUILD / preset)
    return [_compiled(entry, commands) for entry in json.loads(listed.stdout[start:])["tests"]]


def _compiled(entry: dict[str, Any], commands: Mapping[str, tuple[str, ...]]) -> Compiled:
    properties = {each["name"]: each["value"] for each in entry.get("properties", [])}
    return Compiled(entry["name"], tuple(properties.get("LABELS", ())), commands.get(entry["name"], ()))


def recorded_commands(build: Path) -> dict[str, tuple[str, ...]]:
    """As CMake wrote them down: CTest does not tell the command of a test whose program is not built yet."""
    files = [file.read_text(encoding="utf-8") for file in build.rglob("CTestTestfile.cmake")]
    return {
        match["name"]: tuple(re.findall(r'"((?:[^"\\]|\\.)*)"', match["command"]))
        for text in files
        for match in _ADD_TEST.finditer(text)
    }


def script_tests(folder: Path = PYTHON_TESTS) -> list[Script]:
    """Read from the source: pytest itself takes seconds to list them."""
    found = []
    for file in sorted(folder.rglob("test_*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for item in tree.body:
            if isinstance(item, ast.FunctionDef) and item.name.startswith("test_"):
                long = any("mark.long" in ast.unparse(decorator) for decorator in item.decorator_list)
                found.append(Script(f"{file.stem}.{item.name}", f"{file}::{item.name}", long))
    return found


def choose(words: Sequence[str], compiled: Sequence[Compiled], scripts: Sequence[Script], long: bool) -> Part:
    """The tests that have one of these words in their name or are labelled with it."""
    chosen: tuple[list[Compiled], list[Script]] = [], []
    for word in words:
        some = [test for test in compiled if _means(word, test.name) or word in test.labels]
        more = [test for test in scripts if _means(word, PREFIX + test.name) and (long or not test.long)]
        if not some and not more:
            raise CourseError(_nothing(word, compiled, scripts), exit_code=2)
        chosen[0].extend(some)
        chosen[1].extend(more)
    return Part(tuple(dict.fromkeys(chosen[0])), tuple(dict.fromkeys(chosen[1])))


def _means(word: str, name: str) -> bool:
    return word.lower() in name.lower()


def _nothing(word: str, compiled: Sequence[Compiled], scripts: Sequence[Script]) -> str:
    if any(_means(word, PREFIX + test.name) for test in scripts):
        return f"only long tests have '{word}' in their name; add --long"
    names = [test.name for test in compiled] + [PREFIX + test.name for test in scripts]
    parts = {part for name in names for part in (name, *re.split(r"[.]", name))}
    parts |= {label for test in compiled for label in test.labels}
    near = difflib.get_close_matches(word, sorted(parts), n=_NEAR, cutoff=0.55)
    told = f"did you mean {', '.join(near)}?" if near else "`ctest --preset default -N` lists what CTest has"
    return f"no test has '{word}' in its name or among its labels; {told}"


def pattern_of(tests: Sequence[Compiled]) -> str:
    """A regular expression of CTest's kind that means exactly these."""
    return "^(" + "|".join(re.sub(r"([][.+*?^$()|\\])", r"\\\1", test.name) for test in tests) + ")$"


def built_by(tests: Sequence[Compiled]) -> list[str]:
    """The targets that are built by tests. Built before, with all others, they leave no core idle."""
    word = "--target"
    return sorted({test.command[test.command.index(word) + 1] for test in tests if word in test.command[:-1]})


def targets_of(part: Part, build: Path, outputs: frozenset[str]) -> list[str] | None:
    """What these tests are given of the build folder, as Ninja names it; None: of one it is unknown how it is made.

    `outputs`: everything that Ninja can make.
    """
    targets = {_EMULATOR} if part.scripts else set()
    for word in (word for test in part.compiled for word in test.command):
        if not word.startswith(f"{build}/"):
            continue
        file = str(Path(word).relative_to(build))
        if file not in outputs and file != "lib":
            return None
        targets |= _LIBRARIES if file == "lib" else {file}
    return sorted(targets)


def outputs_of(build: Path) -> frozenset[str]:
    """Everything that Ninja can make in this folder."""
    listing = machine.output_of([machine.tool("ninja") or "ninja", "-C", str(build), "-t", "targets", "all"])
    return frozenset(line.rpartition(": ")[0] for line in listing.splitlines() if ": " in line)

# SPDX-License-Identifier: MIT
"""The commands of the chapters work, and print what the page shows.

In the plain suite those that are quick run, with few elements; of all others it is checked that verb, options, lesson
and rung exist. A program that is called with nothing else, and whose output is not on the page, runs in CTest only:
lesson.* and command_line.* call every program like that. The long suite runs every command as it is written, but for
those that need a GPU or say `takes long`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import chapter_commands
import pytest
from chapter_commands import NEEDS_GPU, Command
from chapters import ROOT, Chapter

from warpladder import cli
from warpladder.lessons import catalog
from warpladder.setup import machine
from warpladder.testing import suite

COMMANDS = chapter_commands.every()
PROGRAMS = "build/default/lessons/"
FEW = ["--n", "1000", "--reps", "1"]
_MINUTES = 30


def program_of(command: Command) -> str:
    """The program that a command runs in the end; empty: it is none of a lesson."""
    words = command.words
    if words[:2] == ["./course", "run"] and len(words) == 3 and "." in words[2]:
        return catalog.choose_program(words[2])
    return next((word.removeprefix(PROGRAMS) for word in words if word.startswith(PROGRAMS)), "")


def is_program_alone(command: Command) -> bool:
    words = command.words
    return not command.shown and (words[:2] == ["./course", "run"] or words == [PROGRAMS + program_of(command)])


def is_quick(command: Command) -> bool:
    may = bool(program_of(command)) and not command.long and command.words[0] not in NEEDS_GPU
    return may and not is_program_alone(command)


QUICK = [command for command in COMMANDS if is_quick(command)]
AS_WRITTEN = [command for command in COMMANDS if command.words[0] not in NEEDS_GPU and not command.long]


def test_every_chapter_has_commands() -> None:
    assert {command.chapter.number for command in COMMANDS} >= {f"{number:02d}" for number in range(1, 10)}
    assert len(QUICK) >= 20
    assert any(command.shown for command in QUICK)


def test_a_program_alone_is_called_by_ctest() -> None:
    """With the build folder: by the file of the lessons, or by that of their tests."""
    folder = ROOT / "build" / "default"
    files = [folder / "lessons" / "CTestTestfile.cmake", folder / "tests" / "lessons" / "CTestTestfile.cmake"]
    if not all(file.is_file() for file in files):
        pytest.skip("build/default is not configured; `./course test` does it")
    alone = {program_of(command) for command in COMMANDS if program_of(command) and is_program_alone(command)}
    assert len(alone) > 20
    tests = [test.partition(".") for file in files for test in suite.recorded_commands(file.parent)]
    there = {program for kind, _, program in tests if kind in ("lesson", "command_line")}
    assert alone - there == set()


@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_it_is_understood(command: Command) -> None:
    words = command.words
    if name := program_of(command):
        lesson, _, program = name.partition(".")
        assert (ROOT / "lessons" / lesson / f"{program or 'main'}.cu").is_file(), f"there is no program {name}"
        rungs = {rung for rung, _ in catalog.read_lesson(lesson).rungs}
        assert {words[i + 1] for i, word in enumerate(words) if word == "--rung"} <= rungs
    if words[0] == "./course":
        assert words[1] in cli.VERBS
        verbs = next(e for e in cli.make_parser([words[1]])._actions if isinstance(e, argparse._SubParsersAction))
        known = {option for action in verbs.choices[words[1]]._actions for option in action.option_strings}
        own = words[2 : next((i for i, word in enumerate(words) if word.startswith(PROGRAMS)), len(words))]
        assert [word for word in own if word.startswith("--") and word.partition("=")[0] not in known] == []
    else:
        assert words[0] in (*NEEDS_GPU, "cmake") or words[0].startswith(PROGRAMS), f"what is {words[0]}?"


def run(command: list[str], folder: Path, seconds: int) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "WARPLADDER_MINE": str(folder / "mine"), "WARPLADDER_WORK": str(folder / "work")}
    words = [word.replace("/tmp/", f"{folder}/") for word in command]
    words = [sys.executable, str(ROOT / "course"), *words[1:]] if words[0] == "./course" else words
    return subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, timeout=seconds)


def ended_well(command: Command, done: subprocess.CompletedProcess[str]) -> bool:
    """A check or another schedule may be there to show an error: the program fails (1), or the check finds something
    (4). Wrong input (2) and what is missing (3) are faults of the page."""
    shows_errors = any(word.startswith(("--check", "--schedule")) for word in command.words)
    return done.returncode in ((0, 1, 4) if shows_errors and done.stdout + done.stderr else (0,))


def small(command: Command, program: str) -> list[str]:
    """Fewer elements, unless the page shows what is printed; the program itself in place of `./course run` for it."""
    words = command.words
    if words[:2] == ["./course", "run"]:
        words = [PROGRAMS + program]
    if command.shown or "." in program:
        return words
    if "--n" in words:
        at = words.index("--n")
        words = words[:at] + words[at + 2 :]
    return words + FEW


@pytest.mark.parametrize("command", QUICK, ids=str)
def test_it_runs(command: Command, tmp_path: Path) -> None:
    program = program_of(command)
    if not (ROOT / PROGRAMS / program).is_file():
        pytest.skip(f"{PROGRAMS}{program} is not built; `./course test` builds it")
    if command.shown and machine.gpus():
        pytest.skip("the page shows what the emulator prints")
    done = run(small(command, program), tmp_path, 300)
    assert ended_well(command, done), done.stdout[-2000:] + done.stderr[-2000:]
    assert chapter_commands.missing(command.shown, done.stdout + done.stderr) == ""


@pytest.mark.long
@pytest.mark.xdist_group("lessons_as_written")  # two builds of one folder would be in each other's way
@pytest.mark.parametrize("command", AS_WRITTEN, ids=str)
def test_it_runs_as_it_is_written(command: Command, tmp_path: Path) -> None:
    parts = " ".join(command.words).split(" && ")
    for part in parts:
        done = run(part.split(), tmp_path, _MINUTES * 60)
        assert ended_well(command, done), done.stdout[-2000:] + done.stderr[-2000:]
        assert chapter_commands.missing(command.shown, done.stdout + done.stderr) == ""


def test_what_is_a_command(tmp_path: Path) -> None:
    file = tmp_path / "README.md"
    file.write_text(
        "```sh\n./course run 01   # one\nncu --metrics \\\na,\\\nb \\\n   program --n 1\n```\n\n"
        "```\n$ ./course list\n...\na line\n```\n\n"
        "<!-- output of: ./course run 01.b -->\n```text\n  said\n```\n\n```cpp\nint i;\n```\n"
    )
    found = list(chapter_commands.of(Chapter("01", file)))
    assert [(each.text, each.comment, each.shown) for each in found] == [
        ("./course run 01", "one", ()),
        ("ncu --metrics a,b program --n 1", "", ()),
        ("./course list", "", ("...", "a line")),
        ("./course run 01.b", "", ("  said",)),
    ]


@pytest.mark.parametrize(
    ("shown", "first"),
    [
        (("a", "...", "c"), ""),
        (("c", "a"), "a"),
        (("d",), "d"),
        (("at x.cu:3",), ""),
        (("...",), ""),
        (("at ...3",), ""),
        (("a...b",), "a...b"),
    ],
)
def test_what_is_shown_must_be_printed(shown: tuple[str, ...], first: str) -> None:
    assert chapter_commands.missing(shown, "a\nb\n  c  \nat /some/where/x.cu:3\n") == first

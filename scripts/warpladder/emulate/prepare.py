# SPDX-License-Identifier: MIT
"""From what a user named, a .cu file or a program, to what is started: compiled if need be, and checked."""

from __future__ import annotations

import argparse
import contextlib
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..build import backend
from ..core.console import Console
from ..core.paths import ROOT
from ..setup import machine
from . import compile
from . import program as emulate_program
from . import settings as emulate_settings
from .settings import wrong

_COMPILER_OPTIONS = ("with", "nvcc_flags", "I", "D", "L", "l", "o")


@dataclass(frozen=True)
class Ready:
    file: Path  # what was named
    program: Path
    words: tuple[str, ...]
    runtime: dict[str, str]  # what brings the emulator into it, and its settings
    folders: tuple[Path, ...]  # where its sources may lie


def add_compiler_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--verbose", "-v", action="store_true", help="show the commands that are run")
    parser.add_argument("--quiet", "-q", action="store_true", help="do not say that something is compiled")
    group = parser.add_argument_group("compiling (with -std=c++20 -lineinfo -arch=..., unless you say otherwise)")
    for option, metavar, text in (
        (
            "--with",
            "FILE",
            "a further source, object or library; may be repeated (device code across files: -rdc=true)",
        ),
        ("--nvcc-flags", "FLAGS", 'any flags of nvcc, such as "-rdc=true -O1"; may be repeated'),
        ("-I", "DIR", "where headers are"),
        ("-D", "NAME[=VALUE]", "define a macro"),
        ("-L", "DIR", "where libraries are"),
        ("-l", "NAME", "link a library"),
    ):
        group.add_argument(option, metavar=metavar, action="append", default=[], help=text)
    group.add_argument(
        "-o", metavar="FILE", type=emulate_settings.file_to_write, help="also keep the program as this file"
    )


def sort_words(words: Sequence[str], add_arguments: Callable[[argparse.ArgumentParser], None]) -> list[str]:
    """Puts `--` before the program's name, so that its options stay its own, and ties each value to its option.

    A value may begin with a dash: those of --nvcc-flags do.
    """
    probe = argparse.ArgumentParser(add_help=False)
    add_arguments(probe)
    valued = {name for action in probe._actions if action.nargs is None for name in action.option_strings}
    rest, sorted_words = list(words), []
    while rest and rest[0].startswith("-") and rest[0] != "--":
        word = rest.pop(0)
        if word in valued and rest:
            word += ("=" if word.startswith("--") else "") + rest.pop(0)
        sorted_words.append(word)
    return [*sorted_words, "--", *(rest[1:] if rest[:1] == ["--"] else rest)]


def ready(options: argparse.Namespace, command: Sequence[str], settings: Mapping[str, str]) -> Ready:
    """`settings`: the variables that the options stand for."""
    device = emulate_settings.device({**os.environ, **settings})
    file = _existing(command[0])
    if file.suffix in compile.SOURCES:
        program, emulator = _compile(options, file, device.sm)
    else:
        given = [name for name in _COMPILER_OPTIONS if getattr(options, name)]
        if given:
            word = ("-" if len(given[0]) == 1 else "--") + given[0].replace("_", "-")
            raise wrong(f"{word} is for source files, and {command[0]} is none")
        program, emulator = file, None
    preload = emulate_program.check(program, device, command[0])
    if not os.access(program, os.X_OK):
        raise wrong(f"{command[0]} is not executable: `chmod +x {shlex.quote(command[0])}`")
    emulator = emulator or backend.find_emulator() or _set_up(options).emulator
    assert emulator is not None
    typed = command[0] if "/" in command[0] else f"./{command[0]}"
    words = (str(program) if program is not file else typed, *command[1:])
    return Ready(file, program, words, _runtime(settings, emulator, preload), _folders(options, file))


def _folders(options: argparse.Namespace, file: Path) -> tuple[Path, ...]:
    beside = [file, *(Path(each) for each in getattr(options, "with"))]
    nvcc = machine.find_nvcc()
    toolkit = [Path(nvcc).resolve().parent.parent] if nvcc else []
    own = [each.absolute().parent for each in beside]
    return (*own, *(Path(each).absolute() for each in options.I), Path.cwd(), ROOT, *toolkit)


def _existing(word: str) -> Path:
    path = Path(word)
    if not word or not path.exists():
        meant = next((word + end for end in compile.SOURCES if word and Path(word + end).is_file()), "")
        raise wrong(f"there is no file {word or 'without a name'}" + (f"; is {meant} meant?" if meant else ""))
    if not path.is_file():
        raise wrong(f"{word} is {'a folder' if path.is_dir() else 'no file'}, not a .cu file or a program")
    if not os.access(path, os.R_OK):
        raise wrong(f"{word} cannot be read: permission denied")
    return path


def _compile(options: argparse.Namespace, file: Path, sm: int) -> tuple[Path, Path | None]:
    """The program, and the emulator's folder."""
    further = [_existing(word) for word in getattr(options, "with")]
    for path in further:
        if path.suffix not in (*compile.SOURCES, *compile.LINKED):
            ends = ", ".join((*compile.SOURCES, *compile.LINKED))
            raise wrong(f"--with {path}: nvcc knows files that end in {ends}")
    flags = [word for text in options.nvcc_flags for word in compile.split(text)]
    flags += [f"-{name}{value}" for name in "IDLl" for value in getattr(options, name)]
    compile.check_flags(flags)
    where = _set_up(options)
    tell = _silence if options.quiet else say
    job = compile.Job((file, *further), tuple(flags), sm, where.nvcc, tell, options.verbose)
    program = compile.program(job)
    if options.o:
        _keep(program, Path(options.o))
    return program, where.emulator


def _set_up(options: argparse.Namespace) -> backend.Backend:
    """The compiler and the emulator, which is built if need be; what is said of that goes to standard error."""
    with contextlib.redirect_stdout(sys.stderr):
        return backend.choose(Console(options.verbose), "emulator")


def say(text: str) -> None:
    print(f"course: {text}", file=sys.stderr, flush=True)


def _silence(text: str) -> None:
    pass


def _keep(program: Path, target: Path) -> None:
    """A program of that name may be running: it is replaced, not written over."""
    try:
        fresh = target.with_name(f".{target.name}.new")
        shutil.copy2(program, fresh)
        fresh.replace(target)
    except OSError as error:
        raise wrong(f"-o {target}: {error.strerror}") from None


def _runtime(settings: Mapping[str, str], emulator: Path, preload: bool) -> dict[str, str]:
    """The variables that bring the emulator into the program."""
    runtime = dict(settings)
    names = {"LD_LIBRARY_PATH": emulator}
    if preload:  # a DT_RPATH goes before LD_LIBRARY_PATH, and nothing before a library that is already there
        names["LD_PRELOAD"] = emulator / emulate_program.RUNTIME
    for name, value in names.items():
        outer = os.environ.get(name)
        runtime[name] = f"{value}:{outer}" if outer else str(value)
    return runtime

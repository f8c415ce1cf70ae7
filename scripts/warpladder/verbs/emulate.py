# SPDX-License-Identifier: MIT
"""Run any CUDA program on the emulator: compiles a .cu file first, or takes a program that is already built.

  course emulate saxpy.cu 1000                              compile it (once) and run it with the argument 1000
  course emulate --annotate saxpy.cu                        what each line of the source did
  course emulate --report saxpy.html saxpy.cu               the same and much more, as a page for the browser
  course emulate --device t4 saxpy.cu                       on another GPU
  course emulate ./saxpy                                    a program that nvcc built with -cudart shared
  course emulate --schedule random:7 --memory weak lock.cu  another order of the threads, and weak memory
  course emulate --with kernels.cu -Iinclude --nvcc-flags "-rdc=true -O1" main.cpp

Options go before the file; all that follows it belongs to the program, as do standard input, output and the exit code.
Exit code when it is not started: 1 it does not compile, 2 wrong input or a program that the emulator cannot run, 3
something is missing.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shlex
import shutil
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from ..build import backend
from ..core.console import Console
from ..core.paths import ROOT
from ..emulate import compile
from ..emulate import program as emulate_program
from ..emulate import settings as emulate_settings
from ..emulate.settings import wrong
from ..report import run as reporting
from ..setup import machine

_COMPILER_OPTIONS = ("with", "nvcc_flags", "I", "D", "L", "l", "o")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.usage = "course emulate [options] FILE.cu | PROGRAM [arguments]"
    parser.allow_abbrev = False
    parser.add_argument(
        "command", nargs=argparse.REMAINDER, metavar="FILE.cu | PROGRAM [arguments]", help="what to run"
    )
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
    group = parser.add_argument_group("pictures of what the kernels did")
    for option, metavar, text in (
        ("--report", "FILE.html", "write a page that shows it: source with heat, requests, lanes over time"),
        ("--baseline", "FILE.html", "an earlier report, to be compared with"),
        ("--perfetto", "FILE.json", "write the recorded warps for ui.perfetto.dev"),
    ):
        read = Path if option == "--baseline" else emulate_settings.file_to_write
        group.add_argument(option, metavar=metavar, type=read, help=text)
    emulate_settings.add_arguments(parser)


def sort_words(words: Sequence[str]) -> list[str]:
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


def run(options: argparse.Namespace) -> int:
    settings = emulate_settings.environment(options, os.environ)
    device = emulate_settings.device({**os.environ, **settings})
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if options.baseline and not options.report:
        raise wrong("--baseline goes with --report FILE.html")
    if not command:
        raise wrong("name a .cu file or a program: `./course emulate [options] FILE.cu [arguments]`")
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
    words = [str(program) if program is not file else typed, *command[1:]]
    runtime = _runtime(settings, emulator, preload)
    if options.report or options.perfetto:
        return reporting.run(program, words, runtime, _wish(options, file))
    _start(program, words, runtime, options.verbose)


def _wish(options: argparse.Namespace, file: Path) -> reporting.Wish:
    """What is written of the run. Sources are quoted from where those of the program can lie, and from nowhere else."""
    folders = [
        file.absolute().parent,
        Path.cwd(),
        ROOT,
        *(Path(each).absolute().parent for each in getattr(options, "with")),
    ]
    folders += [Path(each).absolute() for each in options.I]
    nvcc = machine.find_nvcc()
    toolkit = [Path(nvcc).resolve().parent.parent] if nvcc else []
    return reporting.Wish(
        report=Path(options.report) if options.report else None,
        perfetto=Path(options.perfetto) if options.perfetto else None,
        baseline=reporting.baseline(options.baseline) if options.baseline else None,
        title=file.name,
        may_show=(*folders, *toolkit),
    )


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
    say = _silence if options.quiet else _say
    job = compile.Job((file, *further), tuple(flags), sm, where.nvcc, say, options.verbose)
    program = compile.program(job)
    if options.o:
        _keep(program, Path(options.o))
    return program, where.emulator


def _set_up(options: argparse.Namespace) -> backend.Backend:
    """The compiler and the emulator, which is built if need be; what is said of that goes to standard error."""
    with contextlib.redirect_stdout(sys.stderr):
        return backend.choose(Console(options.verbose), "emulator")


def _say(text: str) -> None:
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


def _start(program: Path, words: list[str], runtime: Mapping[str, str], verbose: bool) -> NoReturn:
    """This process becomes the program: signals, the terminal and the exit code are its own."""
    if verbose:
        _say("$ " + " ".join([*(f"{name}={shlex.quote(value)}" for name, value in runtime.items()), shlex.join(words)]))
    sys.stdout.flush()
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # which Python ignores, and its heir would, too
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execve(program, words, {**os.environ, **runtime})
    except OSError as error:
        raise wrong(f"{words[0]} cannot be started: {error.strerror}") from None

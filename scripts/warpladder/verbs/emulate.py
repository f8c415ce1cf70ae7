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
import os
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from ..emulate import prepare
from ..emulate import settings as emulate_settings
from ..emulate.settings import wrong
from ..report import run as reporting


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.usage = "course emulate [options] FILE.cu | PROGRAM [arguments]"
    parser.allow_abbrev = False
    parser.add_argument(
        "command", nargs=argparse.REMAINDER, metavar="FILE.cu | PROGRAM [arguments]", help="what to run"
    )
    prepare.add_compiler_arguments(parser)
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
    return prepare.sort_words(words, add_arguments)


def run(options: argparse.Namespace) -> int:
    settings = emulate_settings.environment(options, os.environ)
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if options.baseline and not options.report:
        raise wrong("--baseline goes with --report FILE.html")
    if not command:
        raise wrong("name a .cu file or a program: `./course emulate [options] FILE.cu [arguments]`")
    ready = prepare.ready(options, command, settings)
    if options.report or options.perfetto:
        return reporting.run(ready.program, ready.words, ready.runtime, _wish(options, ready))
    _start(ready, options.verbose)


def _wish(options: argparse.Namespace, ready: prepare.Ready) -> reporting.Wish:
    """What is written of the run. Sources are quoted from where those of the program can lie, and from nowhere else."""
    return reporting.Wish(
        report=Path(options.report) if options.report else None,
        perfetto=Path(options.perfetto) if options.perfetto else None,
        baseline=reporting.baseline(options.baseline) if options.baseline else None,
        title=ready.file.name,
        may_show=ready.folders,
    )


def _start(ready: prepare.Ready, verbose: bool) -> NoReturn:
    """This process becomes the program: signals, the terminal and the exit code are its own."""
    if verbose:
        settings = [f"{name}={shlex.quote(value)}" for name, value in ready.runtime.items()]
        prepare.say("$ " + " ".join([*settings, shlex.join(ready.words)]))
    sys.stdout.flush()
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # which Python ignores, and its heir would, too
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execve(ready.program, list(ready.words), {**os.environ, **ready.runtime})
    except OSError as error:
        raise wrong(f"{ready.words[0]} cannot be started: {error.strerror}") from None

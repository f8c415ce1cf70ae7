# SPDX-License-Identifier: MIT
"""The command line of `course`: one module per verb, each with add_arguments() and run()."""

from __future__ import annotations

import argparse
import importlib
import os
import shutil
import sys
from collections.abc import Sequence
from typing import NoReturn, Protocol, cast

from .core.console import CourseError
from .setup import machine


class Verb(Protocol):
    """What a module of verbs/ has; its docstring is the verb's help."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, options: argparse.Namespace) -> int: ...


# In the order of `course --help`. Each is a module of verbs/, which is read when it is asked for: to read all of them
# takes longer than most of what they do.
VERBS = (
    "run",
    "list",
    "plot",
    "test",
    "doctor",
    "setup",
    "toolkit",
    "bench",
    "vectors",
    "model",
    "emulate",
    "report",
    "explore",
    "book",
    "check",
    "watch",
    "hint",
    "reset",
    "solution",
    "progress",
    "submit",
    "lint",
    "grade",
)


def verb_called(name: str) -> Verb:
    return cast(Verb, importlib.import_module(f".verbs.{name}", __package__))


class OneLineParser(argparse.ArgumentParser):
    """Wrong input gets one line and exit code 2; --help tells the rest."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message}; see `{self.prog} --help`", file=sys.stderr)
        sys.exit(2)


def _nvcc(text: str) -> str:
    path = shutil.which(text)
    if path is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not a program")
    found = machine.nvcc_version(path)
    if found < machine.CUDA_MINIMUM:
        said = "is version {}.{}".format(*found) if found != (0, 0) else "is not nvcc"
        raise argparse.ArgumentTypeError(f"'{text}' {said}; 13.0 or later is needed")
    return os.path.abspath(path)


def make_parser(names: Sequence[str] = VERBS) -> argparse.ArgumentParser:
    """That knows these verbs."""
    parser = OneLineParser(prog="course", description="Warp Ladder: learn CUDA with or without a GPU.")
    parser.add_argument(
        "--nvcc", metavar="FILE", type=_nvcc, help="the nvcc to use, 13.0 or later (as CUDACXX=FILE does)"
    )
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", parser_class=OneLineParser)
    for name in names:
        module = verb_called(name)
        summary = (module.__doc__ or "").splitlines()[0]
        verb = verbs.add_parser(name, help=summary, description=module.__doc__)
        module.add_arguments(verb)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if argv is None else argv)
    if words and not words[0].startswith("-") and words[0] not in VERBS:
        print(f"course: unknown verb '{words[0]}' (there are: {', '.join(VERBS)})", file=sys.stderr)
        return 2
    parser = make_parser(words[:1] if words[:1] and words[0] in VERBS else VERBS)
    if words and words[0] in ("emulate", "explore"):
        from .verbs import emulate, explore

        sort_words = emulate.sort_words if words[0] == "emulate" else explore.sort_words
        words[1:] = sort_words(words[1:])  # they hand words on to another program
    options = parser.parse_args(words)
    if options.verb is None:
        parser.print_help()
        return 2
    if options.nvcc:
        os.environ["CUDACXX"] = options.nvcc
    try:
        return verb_called(options.verb).run(options)
    except CourseError as error:
        print(f"course: {error}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:  # `./course ... | head`: nobody reads on, which is no error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nor is it one when Python flushes at its end
        return 141
    except KeyboardInterrupt:
        print("\ncourse: interrupted", file=sys.stderr)
        return 130

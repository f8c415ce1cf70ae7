# SPDX-License-Identifier: MIT
"""Build the book: all chapters, exercises and pages as a site, to be read without a network.

  course book                       into build/book
  course book --open                and show it in the browser
  course book --out ~/warp-ladder   into a folder that can be copied to another machine, or put on a web server

Navigation, search, light and dark, and every source file that a chapter names. Exit code: 0 built, 1 a page has a
fault, 2 wrong input, 3 something is missing.
"""

from __future__ import annotations

import argparse
import os
import webbrowser
from pathlib import Path

from ..book import build
from ..core.console import Console, CourseError
from ..core.paths import shown
from ..setup import book as packages


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--out", metavar="FOLDER", type=_folder, default=build.OUT, help="default: build/book")
    parser.add_argument("--open", action="store_true", help="show it in the browser")
    parser.add_argument("--verbose", "-v", action="store_true", help="show the output of every command")


def _folder(text: str) -> Path:
    folder = Path(text).expanduser().absolute()
    if not text or (fault := build.may_write(folder)):
        raise argparse.ArgumentTypeError(fault if text else "a folder must have a name")
    above = next(each for each in (folder, *folder.parents) if each.exists())
    if not os.access(above, os.W_OK):
        raise argparse.ArgumentTypeError(f"'{text}' cannot be written: permission denied")
    return folder


def run(options: argparse.Namespace) -> int:
    console = Console(options.verbose)
    env = packages.environment(console)
    first = build.build(console, packages.python(), env, options.out)
    console.say(f"written: {shown(first)}")
    if options.open and not webbrowser.open(first.as_uri()):
        raise CourseError(f"no browser could be opened; the book begins with {shown(first)}", exit_code=3)
    return 0

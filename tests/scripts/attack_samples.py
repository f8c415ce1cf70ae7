# SPDX-License-Identifier: MIT
"""Hostile texts, sources and archives for the tests of grading, made by small functions. What each is for stands at it.

Sources do their mischief on the host before main(), with a right kernel behind it, so that only the mischief decides.
"""

from __future__ import annotations

from class_samples import RIGHT

# Files that a grader must not open for a student, whatever the compiler or the program says about them.
FOREIGN_FILES = ("/etc/passwd", "/proc/self/environ", "/dev/zero", "/dev/stdin", "../../../../etc/passwd")


def names_a_line_of(path: str) -> str:
    """An error that the compiler reports as line 1 of another file."""
    return f'#line 1 "{path}"\nthis_is_no_declaration;\n'


_REPORT = "warp-ladder emulator: deadlock in k(int*)\n"
_MANY = 1 << 20
# What a program may print to keep a parser busy: each is about a megabyte, the most that is read of it.
FLOODS = {
    "brackets": _REPORT + "  waits   " + "  [" * (_MANY // 3),
    "continued lines": _REPORT + "  waits   x\n" + "          y\n" * (_MANY // 12),
    "labels": _REPORT + "  waits   x\n" * (_MANY // 12),
    "places": _REPORT + "  waits   " + " at a:" * (_MANY // 6),
    "one place": _REPORT + "  waits    at " + "a:" * (_MANY // 2),
    "digits": _REPORT + "  at      warp_sum.cuh:" + "9" * _MANY,
    "a word": _REPORT + "  " + "w" * _MANY,
    "spaces": _REPORT + "  at" + " " * _MANY,
    "reports": _REPORT * (_MANY // len(_REPORT)),
    "complaints": "exercise: x\n" * (_MANY // 12),
    "one complaint": "exercise: " + "x" * _MANY,
}
# The same for what a compiler prints: a student's file decides much of it.
COMPILER_FLOODS = {
    "a path without end": "a" * _MANY + "\n",
    "brackets": "a(" * (_MANY // 2),
    "a line number without end": "student/warp_sum.cuh(" + "9" * _MANY + "): error: x\n",
    "errors": "a(1): error: x\n" * (_MANY // 15),
    "colours": "student/warp_sum.cuh(1): error: \x1b[2J\x1b]0;title\x07 x\n",
}
# And for the file of annotated lines that `check --annotate` shows.
ANNOTATION_FLOODS = {
    "digits": "9" * (_MANY // 4) + " |",
    "headers": " line | " * (_MANY // 32),
    "a line number": " line | warp_sum.cuh\n" + "9" * 5000 + " | (the source file cannot be read)\n",
}


def before_main(body: str) -> str:
    """Runs this when the program is loaded, then is a right answer."""
    return f"#include <unistd.h>\n#include <stdlib.h>\nstatic const int kMischief = [] {{\n{body}\n  return 0;\n}}();\n" + RIGHT

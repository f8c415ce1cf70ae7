# SPDX-License-Identifier: MIT
"""Makes a starter from a solution.

A region that the student writes looks like this; what stands behind `//| ` is the starter's text, indented as the
mark is:

    // <solution>
    the solution's lines
    // <starter>
    //| // TODO: what is to do
    // </solution>
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..core.console import CourseError

_BEGIN, _STARTER, _END = "// <solution>", "// <starter>", "// </solution>"
_LINE = re.compile(r"^(\s*)//\|(?: (.*)|)$")


def _walk(solution: str) -> Iterator[tuple[int, str, str]]:
    """Number, text and place (outside, solution, starter) of every line that is no mark."""
    place = "outside"
    for number, line in enumerate(solution.splitlines(), start=1):
        mark = line.strip()
        if mark in (_BEGIN, _STARTER, _END):
            place = _next(place, mark, number)
        else:
            yield number, line, place
    if place != "outside":
        raise CourseError(f"the solution has no {_END} for its last {_BEGIN}")


def starter(solution: str) -> str:
    """The student's file as it is handed out."""
    lines: list[str] = []
    for number, line, place in _walk(solution):
        if place == "outside":
            lines.append(line)
        elif place == "starter":
            match = _LINE.match(line)
            if match is None:
                raise CourseError(f"line {number} of the solution: between {_STARTER} and {_END} lines begin with //| ")
            lines.append((match.group(1) + match.group(2)) if match.group(2) else "")
    return "\n".join(lines) + "\n"


def without_marks(solution: str) -> str:
    """The solution as a student should see it: without the marks and the starter's lines."""
    return "\n".join(line for _, line, place in _walk(solution) if place != "starter") + "\n"


def _next(place: str, mark: str, number: int) -> str:
    allowed = {("outside", _BEGIN): "solution", ("solution", _STARTER): "starter"}
    allowed |= {("solution", _END): "outside", ("starter", _END): "outside"}
    if (place, mark) not in allowed:
        raise CourseError(f"line {number} of the solution: {mark} does not belong here")
    return allowed[(place, mark)]

# SPDX-License-Identifier: MIT
"""Pages of docs/ with parts that a command writes, between `<!-- NAME:begin -->` and `<!-- NAME:end -->`."""

from __future__ import annotations

from .console import CourseError


def replace_part(page: str, name: str, text: str) -> str:
    """The page with what stands between the markers of that name replaced."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    start, stop = page.find(begin), page.find(end)
    if start < 0 or stop < start:
        raise CourseError(f"the page has no {begin} and {end} to write between")
    return page[: start + len(begin)] + f"\n{text.strip()}\n" + page[stop:]

# SPDX-License-Identifier: MIT
"""Text that a stranger wrote, made fit to print: no escape codes, no end of it out of sight.

All that a student's compiler or program says comes through here before a pattern is laid on it or anybody sees it.
"""

from __future__ import annotations

import unicodedata


def one_line(text: str, most: int = 300) -> str:
    """Without what a terminal or a log would take for more than text."""
    line = "".join(c if c.isprintable() else " " for c in text[: most + 1])
    return line if len(line) <= most else line[: most - 3] + "..."


def plain_text(text: str, most: int = 8000) -> str:
    lines = "".join(c if c.isprintable() or c == "\n" else " " for c in text[: most + 1])
    return lines if len(lines) <= most else lines[: most - 4] + "\n..."


def wrapped(line: str, width: int) -> list[str]:
    """A line for a terminal of this width, broken between words; what follows stands under the text, not the label."""
    if width < 20 or visible(line) <= width:
        return [line]
    start = len(line) - len(line.lstrip(" "))
    gap = line.find("  ", start, start + 30)
    column = gap + len(line[gap:]) - len(line[gap:].lstrip(" ")) if gap >= 0 else start
    if column > width // 2:
        column = start
    lines, current = [], line[:column]
    used = visible(current)
    for word in line[column:].split(" "):
        size = visible(word)
        if used > column and used + size > width:
            lines.append(current.rstrip())
            current, used = " " * column, column
        current += word + " "
        used += size + 1
    return [*lines, current.rstrip()]


def visible(text: str) -> int:
    """How many columns a text takes; our own colours take none."""
    size, at = 0, 0
    while at < len(text):
        if text.startswith("\033[", at):
            at = text.find("m", at) + 1 or len(text)
            continue
        size += 2 if unicodedata.east_asian_width(text[at]) in "WF" else 0 if unicodedata.combining(text[at]) else 1
        at += 1
    return size


def small_number(digits: str, most: int = 1 << 53) -> int | None:
    """What a few digits say; None where they are none, or so many that reading them would take a while."""
    if not 0 < len(digits) <= 20 or not digits.isascii() or not digits.isdigit():
        return None
    number = int(digits)
    return number if number <= most else None

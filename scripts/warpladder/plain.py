# SPDX-License-Identifier: MIT
"""Text that a stranger wrote, made fit to print: no escape codes, no end of it out of sight.

All that a student's compiler or program says comes through here before a pattern is laid on it or anybody sees it.
"""

from __future__ import annotations


def one_line(text: str, most: int = 300) -> str:
    """Without what a terminal or a log would take for more than text."""
    line = "".join(c if c.isprintable() else " " for c in text[: most + 1])
    return line if len(line) <= most else line[: most - 3] + "..."


def plain_text(text: str, most: int = 8000) -> str:
    lines = "".join(c if c.isprintable() or c == "\n" else " " for c in text[: most + 1])
    return lines if len(lines) <= most else lines[: most - 4] + "\n..."


def small_number(digits: str, most: int = 1 << 53) -> int | None:
    """What a few digits say; None where they are none, or so many that reading them would take a while."""
    if not 0 < len(digits) <= 20 or not digits.isascii() or not digits.isdigit():
        return None
    number = int(digits)
    return number if number <= most else None

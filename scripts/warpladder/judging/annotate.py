# SPDX-License-Identifier: MIT
"""The student's source with the emulator's counters beside it (`course check --annotate`)."""

from __future__ import annotations

from pathlib import Path

from ..core.plain import plain_text, small_number

_MOST_CHARACTERS = 1 << 20
# What was compiled is a copy that is gone; the student's own file has the same lines.
_UNREAD = " | (the source file cannot be read)"
_HEADER = " line | "


def with_source(text: str, student: Path) -> str:
    """Puts the student's lines where the emulator could not read them."""
    source = student.read_text(encoding="utf-8", errors="replace").splitlines()
    lines, file = [], ""
    for line in text.splitlines():
        if _HEADER in line:
            file = line.rpartition(_HEADER)[2]
        if line.endswith(_UNREAD) and file == student.name:
            before = line[: -len(_UNREAD)]
            number = small_number((before.split() or [""])[-1]) or 0
            if 0 < number <= len(source):
                line = f"{before} | {source[number - 1]}".rstrip()
        lines.append(line)
    return plain_text("\n".join(lines), _MOST_CHARACTERS)

# SPDX-License-Identifier: MIT
"""The student's source with the emulator's counters beside it (`course check --annotate`)."""

from __future__ import annotations

import re
from pathlib import Path

# What was compiled is a copy that is gone; the student's own file has the same lines.
_UNREAD = re.compile(r"^(.*?(\d+) \| )\(the source file cannot be read\)$")
_HEADER = re.compile(r" line \| (\S+)$")


def with_source(text: str, student: Path) -> str:
    """Puts the student's lines where the emulator could not read them."""
    source = student.read_text(encoding="utf-8", errors="replace").splitlines()
    lines, file = [], ""
    for line in text.splitlines():
        if header := _HEADER.search(line):
            file = header.group(1)
        match = _UNREAD.match(line)
        if match and file == student.name and int(match.group(2)) <= len(source):
            line = (match.group(1) + source[int(match.group(2)) - 1]).rstrip()
        lines.append(line)
    return "\n".join(lines)

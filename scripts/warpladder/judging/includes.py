# SPDX-License-Identifier: MIT
"""What a student's file may include: the toolkit, the system, and copies of the course's headers; never a solution."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from ..build import compiling
from ..core.paths import ROOT

ALLOWED = "a student's file may include the toolkit, common/ and the headers of its own lesson"


def forbidden(text: bytes) -> str:
    """A path that leaves the folder; what a macro hides is found after compiling."""
    match = re.search(
        rb'^[ \t]*#[ \t]*include(?:_next)?[ \t]*["<](/[^">\n]*|[^">\n]*\.\./[^">\n]*)', text, re.MULTILINE
    )
    return match.group(1).decode("utf-8", "replace") if match else ""


def elsewhere(listing: str, folder: Path, also: Iterable[Path]) -> str:
    """The first file in a compiler's list of dependencies that is neither a copy here, nor of the system or toolkit."""
    allowed = [f"{path}/" for path in (folder.resolve(), folder, *also)]
    for word in compiling.listed(listing):
        path = os.path.normpath(folder / word)
        for name in (path, os.path.realpath(path)):
            system = name.startswith("/usr/") and not name.startswith(f"{ROOT}/")
            if not system and not any(f"{name}/".startswith(prefix) for prefix in allowed):
                return word
    return ""

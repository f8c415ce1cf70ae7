# SPDX-License-Identifier: MIT
"""What a student's file may include: the toolkit, the system, and copies of the course's headers; never a solution."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from ..build import compiling
from ..core.paths import ROOT

# What a file of an exercise may use of a header, and must name it for: all but what the course's own headers bring.
_USES = {
    "<algorithm>": r"std::(sort|stable_sort|nth_element|max|min|clamp|(max|min|minmax)_element|fill(_n)?|count(_if)?"
    r"|find(_if)?|reverse|unique|equal|copy(_if|_n)?|(all|any|none)_of|generate|shuffle|is_sorted|(lower|upper)_bound"
    r"|transform|rotate)\b",
    "<climits>": r"(U?INT|CHAR|U?LONG|SHRT)_(MAX|MIN)\b",
    "<cooperative_groups.h>": r"cooperative_groups\b",
    "<cooperative_groups/reduce.h>": r"cg::(reduce|plus|less|greater|bit_\w+)\b",
    "<cuda/atomic>": r"cuda::(std::)?(atomic|memory_order|thread_scope)",
    "<numeric>": r"std::(accumulate|iota|partial_sum|inclusive_scan|exclusive_scan|reduce|gcd)\b",
    "<set>": r"std::(multi)?set\b",
    '"common/check.cuh"': r"COURSE_CHECK\b",
}
_INCLUDE = re.compile(r"^#include (\S+)", re.MULTILINE)
_NO_CODE = re.compile(r'//.*|^#.*|"[^"\n]*"', re.MULTILINE)
ALLOWED = "a student's file may include the toolkit, common/ and the headers of its own lesson"


def forbidden(text: bytes) -> str:
    """A path that leaves the folder; what a macro hides is found after compiling."""
    match = re.search(
        rb'^[ \t]*#[ \t]*include(?:_next)?[ \t]*["<](/[^">\n]*|[^">\n]*\.\./[^">\n]*)', text, re.MULTILINE
    )
    return match.group(1).decode("utf-8", "replace") if match else ""


def named(text: str) -> list[str]:
    return _INCLUDE.findall(text)


def missing(text: str) -> list[str]:
    """Headers that a file uses something of and does not include. Compiled with others, it would not be noticed."""
    names, code = named(text), _NO_CODE.sub("", text)
    return [header for header, use in _USES.items() if header not in names and re.search(rf"\b{use}", code)]


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

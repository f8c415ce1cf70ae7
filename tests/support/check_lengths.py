# SPDX-License-Identifier: MIT
"""Nothing in C++ or CUDA is too long to be read at once: files, headers, functions.

A header tells what others may use, and a function does one thing: both are short. Where one is better left whole, its
comment says so ("Long because ..."), above the function or at the top of the header. A file of code has no such excuse.
Tables (.def) may be as long as what they list. Of Python, check_packages.py holds the same.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

FOLDERS = ("emulator", "common", "lessons")
MOST_LINES, MOST_LINES_OF_A_HEADER, MOST_LINES_OF_A_FUNCTION = 400, 150, 60
REASON = "Long because"
# clang-format puts what ends a definition under what begins it, so that no C++ has to be understood here.
OPENS = re.compile(r"^(?P<indent> *)\S.*\{$")
NO_FUNCTION = re.compile(
    r"^\s*(inline )?(namespace|struct|class|union|enum|extern|else|\}|template <.*> struct)\b|= \{$|^\s*\{$"
)


def too_long(root: Path, folders: Sequence[str] = FOLDERS) -> Iterator[str]:
    """What is over its limit without a reason, in one line each."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".cpp", ".hpp", ".cu", ".cuh"):
                continue
            lines = path.read_text(encoding="utf-8").splitlines()
            name = path.relative_to(root)
            if len(lines) > MOST_LINES:
                yield f"{name} has {len(lines)} lines, over {MOST_LINES}"
            elif path.suffix == ".hpp" and len(lines) > MOST_LINES_OF_A_HEADER and not _reason_in(_top(lines)):
                yield f"{name} has {len(lines)} lines, over {MOST_LINES_OF_A_HEADER} for a header"
            for line, size in _long_functions(lines):
                yield f"{name}:{line}: a function of {size} lines, over {MOST_LINES_OF_A_FUNCTION}"


def _reason_in(comment: Sequence[str]) -> bool:
    return REASON in " ".join(line.strip().lstrip("/ ") for line in comment)


def _top(lines: Sequence[str]) -> list[str]:
    """The comment that a file begins with."""
    end = next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))
    return list(lines[:end])


def _long_functions(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """(line, size) of every function that is too long and gives no reason."""
    last = -1
    for i, line in enumerate(lines):
        opened = OPENS.match(line)
        if i <= last or not opened or NO_FUNCTION.search(line):
            continue
        first = _signature(lines, i, opened["indent"])
        if first is None:
            continue
        # The brace may stand at the end of a parameter list that is indented further than its function.
        indent = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
        end = next((j for j in range(i + 1, len(lines)) if re.match(rf"{indent}\}}(?! else)", lines[j])), i)
        last = end
        size = end - first + 1
        if size > MOST_LINES_OF_A_FUNCTION and not _reason_in(_above(lines, first)):
            yield first + 1, size


def _signature(lines: Sequence[str], brace: int, indent: str) -> int | None:
    """Where the definition begins whose body opens at the end of a line; None: it is no function."""
    first = brace
    while first > 0 and (before := lines[first - 1].strip()) and not before.startswith("#"):
        if not before.startswith("//") and before.endswith((";", "{", "}", ":", "\\")):
            break
        first -= 1
    while lines[first].lstrip().startswith("//"):
        first += 1
    text = " ".join(lines[first : brace + 1])
    return None if "(" not in text or NO_FUNCTION.search(lines[first]) or "namespace" in text else first


def _above(lines: Sequence[str], first: int) -> list[str]:
    start = first
    while start > 0 and lines[start - 1].lstrip().startswith("//"):
        start -= 1
    return list(lines[start:first])


def main() -> int:
    found = list(too_long(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

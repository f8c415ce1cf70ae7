# SPDX-License-Identifier: MIT
"""Nothing is too large to be read at once: folders, files, headers, functions, in every language of the project.

A folder with more sources than one can look through is a crowd in which nothing is found. A header (.hpp) tells what
others may use, and a function does one thing: both are short. Where one of these two is better left whole, its comment
says so ("Long because ..."), above the function, in its docstring, or at the top of the header. A file of code has no
such excuse. Tables (.def) and data may be as long as what they list.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

FOLDERS = ("cmake", "common", "emulator", "lessons", "scripts", "tests")
C_LIKE, TABLES = (".cpp", ".hpp", ".cu", ".cuh"), (".def",)
SOURCES = (*C_LIKE, ".py", ".sh", ".cmake")
MOST_SOURCES = 32  # of one folder, tests included, and not those of its folders
MOST_LINES, MOST_LINES_OF_A_HEADER, MOST_LINES_OF_A_FUNCTION = 400, 150, 60
REASON = "Long because"
# clang-format puts what ends a definition under what begins it, so that no C++ has to be understood here.
OPENS = re.compile(r"^ *\S.*\{$")
NO_FUNCTION = re.compile(
    r"^\s*(inline )?(namespace|struct|class|union|enum|extern|else|\}|template <.*> struct)\b|= \{$|^\s*\{$"
)


def too_large(root: Path, folders: Sequence[str] = FOLDERS) -> Iterator[str]:
    """What is over its limit without a reason, in one line each."""
    files = [path for folder in folders for path in sorted((root / folder).rglob("*")) if path.is_file()]
    counts = Counter(path.parent.relative_to(root) for path in files if path.suffix in (*SOURCES, *TABLES))
    for place, count in counts.items():
        if count > MOST_SOURCES:
            yield f"{place} holds {count} sources, over {MOST_SOURCES}"
    for path in files:
        if path.suffix in SOURCES or path.name == "CMakeLists.txt":
            yield from _too_long(path.relative_to(root), path.read_text(encoding="utf-8"))


def _too_long(name: Path, text: str) -> Iterator[str]:
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        yield f"{name} has {len(lines)} lines, over {MOST_LINES}"
    elif name.suffix == ".hpp" and len(lines) > MOST_LINES_OF_A_HEADER and not _reason_in(_top(lines)):
        yield f"{name} has {len(lines)} lines, over {MOST_LINES_OF_A_HEADER} for a header"
    for line, size, comment in _functions_of(name.suffix, text):
        if size > MOST_LINES_OF_A_FUNCTION and not _reason_in(comment):
            yield f"{name}:{line}: a function of {size} lines, over {MOST_LINES_OF_A_FUNCTION}"


def _reason_in(comment: Sequence[str]) -> bool:
    return REASON in " ".join(line.strip().lstrip("/# ") for line in comment)


def _top(lines: Sequence[str]) -> list[str]:
    """The comment that a file begins with."""
    end = next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))
    return list(lines[:end])


def _functions_of(suffix: str, text: str) -> Iterable[tuple[int, int, Sequence[str]]]:
    """(line, size, comment) of every function of a file."""
    if suffix == ".py":
        return _functions_of_python(text)
    return _functions_of_c(text.splitlines()) if suffix in C_LIKE else ()


def _functions_of_python(text: str) -> Iterator[tuple[int, int, Sequence[str]]]:
    """A docstring is a comment."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            comment = [*_above(lines, first - 1, "#"), *(ast.get_docstring(node) or "").splitlines()]
            yield node.lineno, (node.end_lineno or node.lineno) - node.lineno + 1, comment


def _functions_of_c(lines: Sequence[str]) -> Iterator[tuple[int, int, Sequence[str]]]:
    last = -1
    for i, line in enumerate(lines):
        if i <= last or not OPENS.match(line) or NO_FUNCTION.search(line):
            continue
        first = _signature(lines, i)
        if first is None:
            continue
        # The brace may stand at the end of a parameter list that is indented further than its function.
        indent = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
        end = next((j for j in range(i + 1, len(lines)) if re.match(rf"{indent}\}}(?! else)", lines[j])), i)
        last = end
        yield first + 1, end - first + 1, _above(lines, first, "//")


def _signature(lines: Sequence[str], brace: int) -> int | None:
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


def _above(lines: Sequence[str], first: int, sign: str) -> list[str]:
    start = first
    while start > 0 and lines[start - 1].lstrip().startswith(sign):
        start -= 1
    return list(lines[start:first])


def main() -> int:
    found = list(too_large(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

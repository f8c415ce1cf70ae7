# SPDX-License-Identifier: MIT
"""Which package of scripts/warpladder may import which: written down here and nowhere else, compared with the files.

A package may import those named beside it. The table is exact: a direction that nobody takes any more has to go, so
that it says what is, not what once was allowed. `(top)` is what lies in scripts/warpladder itself, the command line.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

DIRECTIONS: dict[str, frozenset[str]] = {
    name: frozenset(below.split())
    for name, below in {
        "core": "",
        "setup": "core",
        "build": "core setup",
        "results": "core",
        "lessons": "core setup results",
        "model": "core setup build results",
        "charts": "core results model",
        "sandbox": "core",
        "exercises": "core",
        "judging": "core setup build sandbox exercises",
        "grading": "core setup build sandbox exercises judging",
        "emulate": "core setup build",
        "testing": "core setup",
        "report": "core",
        "book": "core exercises",
        "verbs": "core setup build results lessons model charts sandbox exercises judging grading emulate report "
        "book testing",
        "(top)": "core setup verbs",
    }.items()
}
# `./course` has to run before anything is installed; so only what another process runs needs more: the charts, and
# what Sphinx reads of the book (it runs conf.py by itself, as no module of a package).
NEED_MORE = {"charts": frozenset({"matplotlib"}), "book": frozenset({"docutils", "pygments", "sphinx", "warpladder"})}


def faults(root: Path, directions: Mapping[str, frozenset[str]] = DIRECTIONS) -> list[str]:
    """What is not as it should be, in one line each. `root`: scripts/warpladder."""
    trees = {file.relative_to(root): ast.parse(file.read_text(encoding="utf-8")) for file in sorted(root.rglob("*.py"))}
    imports = {file: set(_imports(root, file, tree)) for file, tree in trees.items()}
    return [
        *_wrong_directions(imports, directions),
        *_circles(imports),
        *_verbs_that_know_each_other(imports),
        *(fault for file, tree in trees.items() for fault in _foreign(file, tree)),
    ]


def _package(file: Path) -> str:
    return file.parts[0] if len(file.parts) > 1 else "(top)"


def _imports(root: Path, file: Path, tree: ast.Module) -> Iterator[Path]:
    """The files of the course that a file imports, wherever in it."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        folder = Path(*file.parts[: -node.level], *(node.module.split(".") if node.module else []))
        for name in node.names:
            found = (folder / f"{name.name}.py", folder.with_suffix(".py") if folder.name else folder)
            yield next((each for each in found if (root / each).is_file()), folder / "__init__.py")


def _wrong_directions(imports: Mapping[Path, set[Path]], directions: Mapping[str, frozenset[str]]) -> Iterator[str]:
    taken: dict[str, set[str]] = {_package(file): set() for file in imports}
    for file, others in imports.items():
        for other in sorted(others):
            above, below = _package(file), _package(other)
            if above == below:
                continue
            taken[above].add(below)
            if below not in directions.get(above, frozenset()):
                yield f"{file} imports {other}: {above} may not know {below}"
    for above in taken.keys() - directions.keys():
        yield f"the package {above} is not in the table of directions"
    for above, allowed in directions.items():
        for below in sorted(allowed - taken.get(above, set())):
            yield f"nothing in {above} imports {below} any more: take it out of the table"


def _circles(imports: Mapping[Path, set[Path]]) -> Iterator[str]:
    done: set[Path] = set()

    def visit(file: Path, way: tuple[Path, ...]) -> Iterator[str]:
        if file in way:
            yield "a circle: " + " -> ".join(map(str, (*way[way.index(file) :], file)))
        elif file not in done:
            for other in sorted(imports.get(file, set())):
                yield from visit(other, (*way, file))
            done.add(file)

    for file in imports:
        yield from visit(file, ())


def _verbs_that_know_each_other(imports: Mapping[Path, set[Path]]) -> Iterator[str]:
    for file, others in imports.items():
        for other in others if _package(file) == "verbs" else ():
            if _package(other) == "verbs":
                yield f"{file} imports {other}: what two verbs need belongs into a package below"


def _foreign(file: Path, tree: ast.Module) -> Iterator[str]:
    known = sys.stdlib_module_names | NEED_MORE.get(_package(file), frozenset())
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
        for name in names:
            if name.partition(".")[0] not in known:
                yield f"{file} imports {name}, which comes neither with Python nor with the course"

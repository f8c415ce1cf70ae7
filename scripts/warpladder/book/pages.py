# SPDX-License-Identifier: MIT
"""Which pages the book has, in which order. A new lesson, exercise or page of docs/ is found by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..core.paths import LESSONS, ROOT
from ..exercises import catalog

FIRST = "README"  # the page the book opens with
# Pages of docs/ by the part of the book they are in; one that is not named here is in the last part.
_REFERENCE = ("glossary", "checklists", "measuring", "checking", "emulator", "litmus", "elsewhere")
_TEACHING = ("instructors", "writing-exercises")
_PROJECT = ("CONTRIBUTING", "docs/architecture", "docs/architecture-runtime", "docs/architecture-scripts", "CHANGELOG")


@dataclass(frozen=True)
class Part:
    """A part of the book, as the navigation shows it. Names are paths from the root without `.md`."""

    title: str
    pages: tuple[str, ...]


def _name(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").as_posix()


def lessons() -> list[str]:
    """The chapters, in order."""
    return [_name(path) for path in sorted(LESSONS.glob("[0-9][0-9]_*/README.md"))]


def below(chapter: str) -> list[str]:
    """The pages of a lesson that come after its chapter: its further parts, then its exercises."""
    folder = (ROOT / chapter).parent
    parts = [_name(path) for path in sorted(folder.glob("*.md")) if path.stem != "README"]
    return parts + [_name(each.folder / "README.md") for each in exercises() if each.folder.is_relative_to(folder)]


def exercises() -> list[catalog.Exercise]:
    return catalog.everything()


def parts() -> list[Part]:
    docs = [f"docs/{path.stem}" for path in sorted((ROOT / "docs").glob("*.md"))]
    named = [f"docs/{name}" for name in (*_REFERENCE, *_TEACHING)]
    rest = [page for page in docs if page not in named and page not in _PROJECT]
    return [
        Part("The lessons", tuple(lessons())),
        Part("Reference", tuple(page for page in named[: len(_REFERENCE)] if page in docs)),
        Part("Teaching", tuple(page for page in named[len(_REFERENCE) :] if page in docs)),
        Part("The project", (*_PROJECT, *rest)),
    ]


def every() -> Iterator[str]:
    """All pages, as one reads them."""
    yield FIRST
    for part in parts():
        for page in part.pages:
            yield page
            yield from below(page) if page.startswith("lessons/") else ()

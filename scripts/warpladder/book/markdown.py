# SPDX-License-Identifier: MIT
"""A page's Markdown, as it is committed, made ready for the book: where its links lead, and what is added to it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection
from pathlib import Path

from ..core.paths import ROOT
from ..exercises.catalog import Exercise
from . import pages

SOURCE = "source:"  # the scheme of a link to a file of the repository that is no page of the book
_FENCE = re.compile(r"^( *)(`{3,}|~{3,})")
_LINK = re.compile(r"(\]\()([^)\s]+)(\))")
_PICTURES = (".svg", ".png")


def prepared(name: str, text: str, known: Collection[str]) -> str:
    """`known`: the names of all pages."""
    text = outside_code(text, lambda line: _LINK.sub(lambda m: m[1] + target(name, m[2], known) + m[3], line))
    if name == "docs/glossary":
        text = re.sub(r"\*Lesson (\d\d)\.\*", lambda m: lesson_link(m[0], m[1], known), text)
    for exercise in pages.exercises():
        if name == exercise.folder.relative_to(ROOT).as_posix() + "/README":
            text = text.rstrip() + "\n\n" + hints(exercise)
    return text.rstrip() + "\n\n" + contents(name)


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """The text with each line changed that is in no fenced block."""
    lines, fence = [], ""
    for line in text.splitlines():
        found = _FENCE.match(line)
        if found and (not fence or found[2].startswith(fence)):
            fence = "" if fence else found[2]
        lines.append(line if fence or found else change(line))
    return "\n".join(lines) + "\n"


def target(name: str, link: str, known: Collection[str]) -> str:
    """A relative link: to a page of the book, to a heading, to a picture, or else to a file, as `source:PATH`."""
    path, hash_, anchor = link.partition("#")
    if not path or re.match(r"[a-z]+:", link):
        return link
    there = Path(os.path.normpath(ROOT / Path(name).parent / path))
    if there.is_dir() and (there / "README.md").is_file():
        there /= "README.md"
    inside = there.relative_to(ROOT).as_posix() if there.is_relative_to(ROOT) else ""
    if there.suffix == ".md" and inside.removesuffix(".md") in known:
        return os.path.relpath(there, ROOT / Path(name).parent) + hash_ + anchor
    return link if there.suffix in _PICTURES else SOURCE + inside + hash_ + anchor


def lesson_link(text: str, number: str, known: Collection[str]) -> str:
    """The glossary names lessons by their numbers; where there is such a lesson, the name becomes a link."""
    chapter = next((page for page in known if re.fullmatch(rf"lessons/{number}_[^/]+/README", page)), "")
    return f"*[Lesson {number}](../{chapter}.md).*" if chapter else text


def hints(exercise: Exercise) -> str:
    """Folded: a reader opens one at a time."""
    folded = [
        f"<details><summary>Hint {number}: {title.lower()}</summary>\n\n{body}\n\n</details>\n"
        for number, (title, body) in enumerate(exercise.hints(), start=1)
    ]
    return "## Hints\n\nEach says more than the one before. Open the next only when you are stuck.\n\n" + "\n".join(
        folded
    )


def contents(name: str) -> str:
    """The tables of contents that make the navigation; they are not shown on the page itself."""
    if name == pages.FIRST:
        return "\n".join(_toctree(part.pages, part.title) for part in pages.parts())
    return _toctree(pages.below(name)) if re.fullmatch(r"lessons/[^/]+/README", name) else ""


def _toctree(names: Collection[str], caption: str = "") -> str:
    if not names:
        return ""
    options = f":caption: {caption}\n" if caption else ""
    return "```{toctree}\n:hidden:\n" + options + "\n" + "".join(f"/{name}\n" for name in names) + "```\n"

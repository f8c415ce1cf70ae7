# SPDX-License-Identifier: MIT
"""The book, built as a user builds it, once for all tests of a run; and its pages as a program reads them."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).resolve().parents[3]
MISSING = 3  # the exit code of a course that cannot install what it needs


def build(folder: Path) -> Path:
    """Skips, with the reason, where Sphinx can neither be found nor fetched."""
    command = [sys.executable, str(ROOT / "course"), "book", "--out", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ)
    if done.returncode == MISSING:
        pytest.skip(done.stderr.strip())
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return folder


@dataclass
class Page(HTMLParser):
    """Where a page's links lead, what it loads, which places in it can be linked to."""

    file: Path
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    pictures_without_words: list[str] = field(default_factory=list)
    next: str = ""

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" and given.get("rel") == "next":
            self.next = given["href"]
        elif tag == "link" and given.get("rel") in ("stylesheet", "icon"):
            self.loads.append(given["href"])
        elif tag in ("img", "script", "iframe", "source") and "src" in given:
            self.loads.append(given["src"])
        if tag == "img" and not given.get("alt"):
            self.pictures_without_words.append(given.get("src", ""))

    def leads(self, link: str) -> tuple[Path, str]:
        """The file, and the place in it."""
        path, _, anchor = link.partition("#")
        path = unquote(path.partition("?")[0])
        return (Path(os.path.normpath(self.file.parent / path)) if path else self.file), unquote(anchor)

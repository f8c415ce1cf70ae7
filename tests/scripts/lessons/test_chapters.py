# SPDX-License-Identifier: MIT
"""The chapters quote the source word for word, and their links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
# A lesson's README.md, and the further parts beside it.
CHAPTERS = sorted((ROOT / "lessons").glob("*/*.md"))
EXERCISES = sorted((ROOT / "lessons").glob("*/exercises/*/README.md"))


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("chapter", CHAPTERS, ids=name)
def test_its_code_is_that_of_the_source(chapter: Path) -> None:
    files = [
        *chapter.parent.parent.glob("*/*.cu*"),
        *chapter.parent.glob("pitfalls/*.cu"),
        *(ROOT / "common").rglob("*.[ch]*"),
    ]
    sources = [p.read_text(encoding="utf-8") for p in files if p.is_file()]
    for quote in re.findall(r"^```cpp\n(.*?)^```$", chapter.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        assert any(quote in source for source in sources), f"not in the source any more:\n{quote}"


def anchors(page: Path) -> set[str]:
    """Of its headings, as they are made on the web."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^a-z0-9_ -]", "", heading.lower()).replace(" ", "-") for heading in headings}


PAGES = [*CHAPTERS, *EXERCISES, *sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_its_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if target.startswith("http"):
            continue
        path, _, anchor = target.partition("#")
        there = page.parent / path if path else page
        assert there.exists(), target
        if anchor:
            assert anchor in anchors(there), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_no_claim_begins_a_line_inside_of_a_paragraph(page: Path) -> None:
    """There Markdown ends the paragraph, and does not read the rest of the line behind the comment."""
    assert re.findall(r"^.*\S.*\n *<!-- claim: .*", page.read_text(encoding="utf-8"), re.MULTILINE) == []

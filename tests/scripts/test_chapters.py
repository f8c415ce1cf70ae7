# SPDX-License-Identifier: MIT
"""The chapters quote the source word for word, and their links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted((ROOT / "lessons").glob("*/README.md"))


def name(path: Path) -> str:
    return path.parent.name


@pytest.mark.parametrize("chapter", CHAPTERS, ids=name)
def test_its_code_is_that_of_the_source(chapter: Path) -> None:
    files = [*chapter.parent.parent.glob("*/*.cu*"), *(ROOT / "common").glob("*")]
    sources = [p.read_text(encoding="utf-8") for p in files if p.is_file()]
    for quote in re.findall(r"^```cpp\n(.*?)^```$", chapter.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        assert any(quote in source for source in sources), f"not in the source any more:\n{quote}"


@pytest.mark.parametrize("chapter", CHAPTERS, ids=name)
def test_its_links_lead_somewhere(chapter: Path) -> None:
    text = chapter.read_text(encoding="utf-8")
    anchors = {re.sub(r"[^a-z0-9_ -]", "", h.lower()).replace(" ", "-") for h in re.findall(r"^#+ (.*)$", text, re.M)}
    for target in re.findall(r"\]\(([^)]+)\)", text):
        if target.startswith("#"):
            assert target[1:] in anchors, target
        elif not target.startswith("http"):
            assert (chapter.parent / target).exists(), target

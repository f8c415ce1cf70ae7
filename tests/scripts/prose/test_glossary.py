# SPDX-License-Identifier: MIT
"""No term of the glossary is used before the lesson that introduces it, and each is used."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from chapters import ROOT, Chapter, chapters

GLOSSARY = ROOT / "docs" / "glossary.md"
_ENTRY = re.compile(r"^(?P<text>.+?) \*Lesson (?P<lesson>\d\d)\.\*(?: <!-- also: (?P<also>.*?) -->)?$", re.DOTALL)
_LESSON = re.compile(r"\blessons? (\d\d)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Term:
    name: str
    text: str
    lesson: str
    also: tuple[str, ...]

    def is_in(self, paragraph: str) -> bool:
        """As a whole word; a form in capitals only as it is written: an SM is no sm."""
        return any(
            re.search(rf"(?<![\w-]){re.escape(form)}(?![\w-])", paragraph, 0 if form.isupper() else re.IGNORECASE)
            for form in (self.name, *self.also)
        )


def terms(page: str) -> list[Term]:
    found = []
    for section in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        name, _, body = section.partition("\n")
        entry = _ENTRY.match(body.strip())
        assert entry, f"'{name}' does not end with *Lesson NN.*"
        also = tuple(filter(None, (entry["also"] or "").split(", ")))
        found.append(Term(name.strip(), " ".join(entry["text"].split()), entry["lesson"], also))
    return found


CHAPTERS = chapters()
TERMS = terms(GLOSSARY.read_text(encoding="utf-8"))


def used_too_early(term: Term, among: list[Chapter]) -> list[str]:
    """A paragraph that says in which lesson it comes may use it."""
    early = []
    for chapter in among:
        if chapter.number >= term.lesson:
            continue
        for paragraph in chapter.paragraphs:
            announced = any(number >= term.lesson for number in _LESSON.findall(paragraph))
            if term.is_in(paragraph) and not announced:
                early.append(f"'{term.name}' is of lesson {term.lesson}, but lesson {chapter.number} says: {paragraph}")
    return early


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.name.replace(" ", "_"))
def test_it_is_not_used_before_its_lesson(term: Term) -> None:
    assert used_too_early(term, CHAPTERS) == []


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.name.replace(" ", "_"))
def test_the_lesson_that_introduces_it_uses_it(term: Term) -> None:
    there = [chapter for chapter in CHAPTERS if chapter.number == term.lesson]
    if not there:
        pytest.skip(f"there is no lesson {term.lesson} yet")
    used = any(term.is_in(paragraph) for chapter in there for paragraph in chapter.paragraphs)
    assert used, f"no sentence of lesson {term.lesson} uses '{term.name}'"


def test_the_glossary_is_in_order_and_short() -> None:
    names = [term.name.lower() for term in TERMS]
    assert names == sorted(set(names))
    assert len(names) >= 80
    assert [term.name for term in TERMS if len(term.text) > 320] == []


def test_a_term_that_comes_too_early_is_named(tmp_path: Path) -> None:
    (tmp_path / "01_one").mkdir()
    file = tmp_path / "01_one" / "README.md"
    term = Term("shuffle", "", "04", ("shuffles",))
    for text, count in (
        ("It shuffles.", 1),
        ("A *shuffle*, of lesson 04.", 0),
        ("As in lesson 02, shuffles.", 1),
        ("`shuffle`\n\n```sh\nshuffle\n```\n", 0),
        ("A reshuffle.", 0),
        ("## Further reading\n\n- On shuffles.", 0),
    ):
        file.write_text(text)
        assert len(used_too_early(term, chapters(tmp_path))) == count, text

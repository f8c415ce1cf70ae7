# SPDX-License-Identifier: MIT
"""Spelling, by codespell with the project's own words (tests/support/words.txt), and sentences nobody should write."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from chapters import ROOT, chapters

from warpladder.core.console import Console, CourseError
from warpladder.setup import book

WORDS = ROOT / "tests" / "support" / "words.txt"
READ = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", "lessons", "common", "scripts", "tests", "emulator")
NOT_READ = "*.json,*.svg,*.png,*.ipynb,*.ptx,*/words.txt,*/requirements*.txt"
PAGES = [*(each.file for each in chapters()), *sorted((ROOT / "docs").glob("*.md")), *sorted(ROOT.glob("*.md"))]

# Word order and phrases of another language, each with what to write instead.
PHRASES = {
    r", `\w+`\s+tells\b": "`f` says whether ...",
    r"\byours to choose\b": "you can choose",
    r"\bstops? to matter\b": "no longer matters",
    r"\blies since\b": "has been there since",
    r"\bis long there\b": "has long been there",
    r"\bwho is close behind whom\b": "how closely one follows the other",
    r"\bOnly who\b": "Only a thread that",
    r"\bbus arithmetic\b": "what the bus could carry",
    r"^And what was wrong with\b": "a whole sentence",
    r"\b(the|a|of|to|is|and|that|with) \1\b(?! [-+*/=])": "the word once",
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_no_sentence_is_word_by_word_from_another_language(page: Path) -> None:
    text = re.sub(r"^( *)```.*?^\1```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"\s*\n(?!\s*\n)\s*", " ", text)
    found = [
        f"'{m[0]}': write {cure}" for phrase, cure in PHRASES.items() for m in re.finditer(phrase, text, re.MULTILINE)
    ]
    assert found == []


def spelling(env: dict[str, str], *files: str) -> str:
    command = [book.python(), "-m", "codespell_lib", "-I", str(WORDS), "--skip", NOT_READ, *files]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **env}, capture_output=True, text=True).stdout


def environment() -> dict[str, str]:
    try:
        return book.environment(Console())
    except CourseError as error:
        pytest.skip(str(error))


@pytest.mark.xdist_group("book")  # which installs the same packages
def test_codespell_has_nothing_to_say(tmp_path: Path) -> None:
    env = environment()
    assert spelling(env, *READ) == ""
    (tmp_path / "page.md").write_text("It reci" + "eves an adr" + "ess.\n")
    assert len(spelling(env, str(tmp_path)).splitlines()) == 2, "it would notice"


def test_the_projects_words_are_in_order() -> None:
    words = WORDS.read_text(encoding="utf-8").split()
    assert words == sorted(set(words), key=str.lower)

# SPDX-License-Identifier: MIT
"""The chapters as a reader reads them: in order, paragraph by paragraph, without code, tables and lists of literature."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
_FENCED = re.compile(r"^( *)(```+|~~~+).*?^\1\2 *$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_RESULTS = re.compile(r"<!-- results: .*?<!-- /results -->", re.DOTALL)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_CODE = re.compile(r"`[^`]*`")
_PASSED_OVER = ("Further reading",)


@dataclass(frozen=True)
class Chapter:
    """A file of a lesson: its README.md, or a further part beside it."""

    number: str
    file: Path

    @property
    def text(self) -> str:
        return self.file.read_text(encoding="utf-8")

    @cached_property
    def paragraphs(self) -> tuple[str, ...]:
        return tuple(self._paragraphs())

    def _paragraphs(self) -> Iterator[str]:
        text = _RESULTS.sub("", self.text)
        text = _CODE.sub("", _LINK.sub(r"\1", _COMMENT.sub("", _FENCED.sub("\n\n", text))))
        for section in re.split(r"^#+ +", text, flags=re.MULTILINE):
            title, _, body = section.partition("\n")
            if title.strip() in _PASSED_OVER:
                continue
            yield title
            # A list's items are read one by one; rows of a table are labels, not sentences.
            for part in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", body):
                lines = [line for line in part.splitlines() if not line.lstrip().startswith("|")]
                if " ".join(lines).strip():
                    yield " ".join(" ".join(lines).split())


def chapters(root: Path = ROOT / "lessons") -> list[Chapter]:
    """In the order of the course."""
    folders = sorted(root.glob("[0-9][0-9]_*"))
    files = [
        (folder, [folder / "README.md", *sorted(set(folder.glob("*.md")) - {folder / "README.md"})])
        for folder in folders
    ]
    return [Chapter(folder.name[:2], file) for folder, each in files for file in each if file.is_file()]

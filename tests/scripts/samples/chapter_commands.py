# SPDX-License-Identifier: MIT
"""The commands that chapters show, with what they say is printed.

A line of a block ```sh is a command; so is what follows `$ ` in a block that also shows the output, and what a comment
`<!-- output of: COMMAND -->` right above a block names. In shown output `...` stands for anything that was left out.
`takes long` in a command's comment says that nobody should wait for it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from chapters import Chapter, chapters

_BLOCK = re.compile(
    r"(?:^<!-- output of: (?P<of>[^\n]*?) -->\n+)?^(?P<indent> *)```(?P<kind>[\w+]*)\n(?P<text>.*?)^(?P=indent)```",
    re.MULTILINE | re.DOTALL,
)
LONG = "takes long"
NEEDS_GPU = (
    "ncu",
    "compute-sanitizer",
)  # NVIDIA's tools look at a GPU; on a machine without one they have nothing to do


@dataclass(frozen=True)
class Command:
    chapter: Chapter
    line: int
    text: str
    comment: str = ""
    shown: tuple[str, ...] = ()

    @property
    def words(self) -> list[str]:
        return shlex.split(self.text)

    @property
    def long(self) -> bool:
        return LONG in self.comment

    def __str__(self) -> str:
        return f"{self.chapter.number}-{self.line}-{re.sub(r'[^a-z0-9_.]+', '-', self.text.lower())[:60]}"


def of(chapter: Chapter) -> Iterator[Command]:
    for block in _BLOCK.finditer(chapter.text):
        first = chapter.text.count("\n", 0, block.start("text")) + 1
        text = block["text"]
        if block["of"]:
            yield Command(chapter, first, block["of"], shown=tuple(text.splitlines()))
        elif text.startswith("$ "):
            head, _, rest = text.partition("\n")
            yield Command(chapter, first, head.removeprefix("$ "), shown=tuple(rest.splitlines()))
        elif block["kind"] == "sh":
            lines = enumerate(text.replace("\\\n", "\0").splitlines(), start=first)
            for number, line in lines:
                command, _, comment = line.replace("\0", " ").partition(" #")
                if command.strip():
                    # A list of metrics may be broken after a comma, where no space may come in.
                    joined = line.replace(",\0", ",").replace("\0", " ") if "\0" in line else command
                    yield Command(chapter, number, " ".join(joined.split()), comment.strip())


def every() -> list[Command]:
    return [command for chapter in chapters() for command in of(chapter)]


def missing(shown: tuple[str, ...], printed: str) -> str:
    """The first line that is shown and was not printed, in this order; empty if there is none."""
    lines = iter(line.strip() for line in printed.splitlines())
    for line in (line.strip() for line in shown):
        if line and line != "..." and not any(_same(line, other) for other in lines):
            return line
    return ""


def _same(shown: str, printed: str) -> bool:
    """`...` may also stand inside of a line; a path is shown without its folder."""
    pattern = ".*".join(re.escape(part) for part in shown.split("..."))
    return any(re.fullmatch(pattern, line) for line in (printed, re.sub(r"\S*/(\S+:\d+)", r"\1", printed)))

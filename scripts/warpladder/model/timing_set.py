# SPDX-License-Identifier: MIT
"""The kernels of tests/timing_set: their cases, and which of them the model may learn from.

A case is a kernel at one of its sizes, with a cold or a warm L2 cache. The first set was split once, by kernel, into a
part to learn from and a part that was only judged. That second part has been looked at since, when the model was
changed for what it showed: it is retired, and learned from too. So is the set `fresh`, which was judged after it. The
set `unseen` has other kernels, of other families, written before anything was measured with them and without a look at
the model. All of it was judged once, then it was split as the first had been; its second half was judged for a long
time, until a choice was made by what it said, and is retired. So is the set `strangers`, written by four who had seen
neither the model nor other sets, which was judged once. The set `newcomers`, by four others, was split before it was
measured; its second half was judged once, and is retired. Each of these sets was to have other families than those
before it, so they went ever farther from what people learn with. The set `textbook`, by four others again, has what is
found in every textbook, and was split before it was measured; its second half was judged once, and is retired. The set
`classroom` was made in the same way, of the same kinds of kernels, by four others, and retired in the same way. The
set `seminar`, by four others once more, has what people write who come to CUDA from a field of their own, and was
retired in the same way. The set `homework`, by yet four others, has what students hand in who have read a book on
CUDA; its second half was judged three times, and is retired. The set `exams`, by four others again, has the problems
that every course sets, with six answers to each of them: what is judged now is its second half. The set `patterns` is
another thing: a kernel of it does one thing again and again, so that the cost of it shows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from ..core.console import CourseError
from ..core.paths import RESULTS, ROOT

SEED = "warp ladder, 2026-11-15"  # written before anything was measured, and never changed
LEARN, RETIRED, SINGLE, JUDGE = "learn", "retired", "single", "judge"
HALVES = (LEARN, RETIRED, SINGLE, JUDGE)

SOURCES = ROOT / "tests" / "timing_set"


@dataclass(frozen=True)
class Program:
    """A program of kernels, and what was measured with it."""

    name: str
    folder: str  # with the files of its families
    sample: str  # a kernel on which groups of metrics are tried
    measured: Path
    halves: tuple[str, ...]  # those that its kernels are in
    split: Path | None = None  # which of them, where there are two

    @property
    def sources(self) -> tuple[Path, ...]:
        own = SOURCES / f"{self.folder}.cu"
        return (
            *([own] if own.is_file() else []),
            *sorted((SOURCES / self.folder).glob("*.cu")),
            SOURCES / "program.cu",
        )


FIRST = Program(
    "timing_set",
    "first",
    "saxpy",
    RESULTS / "h200" / "timing_set.json",
    (LEARN, RETIRED),
    SOURCES / "split.json",
)
FRESH = Program(
    "timing_set_fresh",
    "fresh",
    "drop_some",
    RESULTS / "h200" / "timing_set_fresh.json",
    (RETIRED,),
)
UNSEEN = Program(
    "timing_set_unseen",
    "unseen",
    "particles_fours",
    RESULTS / "h200" / "timing_set_unseen.json",
    (LEARN, RETIRED),
    SOURCES / "split_unseen.json",
)
PATTERNS = Program(
    "timing_set_patterns",
    "patterns",
    "words_copied",
    RESULTS / "h200" / "timing_set_patterns.json",
    (SINGLE,),
)
STRANGERS = Program(
    "timing_set_strangers",
    "strangers",
    "adam_plain",
    RESULTS / "h200" / "timing_set_strangers.json",
    (RETIRED,),
)
NEWCOMERS = Program(
    "timing_set_newcomers",
    "newcomers",
    "radio_plain",
    RESULTS / "h200" / "timing_set_newcomers.json",
    (LEARN, RETIRED),
    SOURCES / "split_newcomers.json",
)
TEXTBOOK = Program(
    "timing_set_textbook",
    "textbook",
    "vectors_saxpy",
    RESULTS / "h200" / "timing_set_textbook.json",
    (LEARN, RETIRED),
    SOURCES / "split_textbook.json",
)
CLASSROOM = Program(
    "timing_set_classroom",
    "classroom",
    "copies_add",
    RESULTS / "h200" / "timing_set_classroom.json",
    (LEARN, RETIRED),
    SOURCES / "split_classroom.json",
)
SEMINAR = Program(
    "timing_set_seminar",
    "seminar",
    "gradients_plain",
    RESULTS / "h200" / "timing_set_seminar.json",
    (LEARN, RETIRED),
    SOURCES / "split_seminar.json",
)
HOMEWORK = Program(
    "timing_set_homework",
    "homework",
    "axpys_plain",
    RESULTS / "h200" / "timing_set_homework.json",
    (LEARN, RETIRED),
    SOURCES / "split_homework.json",
)
EXAMS = Program(
    "timing_set_exams",
    "exams",
    "updates_plain",
    RESULTS / "h200" / "timing_set_exams.json",
    (LEARN, JUDGE),
    SOURCES / "split_exams.json",
)
PROGRAMS = {
    "first": FIRST,
    "fresh": FRESH,
    "unseen": UNSEEN,
    "strangers": STRANGERS,
    "newcomers": NEWCOMERS,
    "textbook": TEXTBOOK,
    "classroom": CLASSROOM,
    "seminar": SEMINAR,
    "homework": HOMEWORK,
    "exams": EXAMS,
    "patterns": PATTERNS,
}


@dataclass(frozen=True)
class Kernel:
    family: str
    id: str
    sizes: tuple[int, ...]


@dataclass(frozen=True)
class Case:
    family: str
    kernel: str
    n: int
    cache: str  # "cold" or "warm"

    @staticmethod
    def of(row: dict[str, Any]) -> Case:
        return Case(row["family"], row["kernel"], row["n"], row["cache"])

    def __str__(self) -> str:
        return f"{self.kernel} {self.n} {self.cache}"


def listed(text: str) -> list[Kernel]:
    """What the program's --list says: a family, a kernel and its sizes in each line."""
    rows = [line.split() for line in text.splitlines()]
    return [Kernel(family, id, tuple(int(n) for n in sizes)) for family, id, *sizes in rows]


def cases(kernel: Kernel) -> list[Case]:
    """Each size with a cold cache, the second with a warm one too: as the program runs them."""
    states = [(n, cache) for n in kernel.sizes for cache in ("cold", "warm") if cache == "cold" or n == kernel.sizes[1]]
    return [Case(kernel.family, kernel.id, n, cache) for n, cache in states]


def _drawn(text: str) -> str:
    return hashlib.sha256(f"{SEED}: {text}".encode()).hexdigest()


def split(kernels: Iterable[Kernel], of: Program) -> dict[str, list[str]]:
    """The two halves of a set. Families follow each other and kernels within them as the seed draws them, and every
    other kernel is of the second half: a family with an odd number gives its last one now to this half, now to that."""
    families = groupby(sorted(kernels, key=lambda k: (_drawn(k.family), _drawn(k.id))), key=lambda k: k.family)
    drawn = [kernel.id for _, own in families for kernel in own]
    return {of.halves[0]: sorted(drawn[::2]), of.halves[1]: sorted(drawn[1::2])}


def split_text(kernels: Iterable[Kernel], of: Program) -> str:
    return json.dumps({"seed": SEED, **split(kernels, of)}, indent=2) + "\n"


def halves(of: Program) -> dict[str, str]:
    """Of each kernel of a set that was split: its half."""
    assert of.split is not None
    data = json.loads(of.split.read_text(encoding="utf-8"))
    return {kernel: half for half in of.halves for kernel in data[half]}


def load_measured(program: Program = FIRST) -> dict[str, Any]:
    file = program.measured
    if not file.is_file():
        raise CourseError(f"{file.name} is missing: `python3 scripts/timing_set.py measure` writes it, on a GPU")
    data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return data

# SPDX-License-Identifier: MIT
"""`./course grade --shard K/N` and `grade merge`: a class in parts, each with a gradebook of its own, put together.

Nothing is judged when parts are put together. They must be parts of one whole: the same seed, the same exercises, each
of the N there once and ended, and no student in two of them.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from ..core.console import CourseError
from ..core.paths import shown
from ..core.shard import Shard
from .book import Book, Run
from .record import ClassGrade, StudentGrade
from .writer import Writer, one_at_a_time

_NOTE = re.compile(r"shard (\d+)/(\d+)")


def note(shard: Shard) -> list[str]:
    """Stands in the gradebook of a part."""
    return [f"shard {shard}"] if shard.count > 1 else []


def merge(options: argparse.Namespace) -> int:
    paths = options.paths[1:]
    if not paths:
        raise CourseError("which parts? `./course grade merge DIR... --out DIR`", exit_code=2)
    books = [(path, Book(path)) for path in paths]
    try:
        parts = [(path, book, book.last()) for path, book in books]
        _same_whole(parts)
        with one_at_a_time(options.out):
            return _merged(parts, options.out)
    finally:
        for _, book in books:
            book.close()


def _of(run: Run) -> Shard | None:
    found = [match for text in run.notes if (match := _NOTE.fullmatch(text))]
    return Shard(int(found[0].group(1)), int(found[0].group(2))) if found else None


def _same_whole(parts: list[tuple[Path, Book, Run]]) -> None:
    shards: dict[int, Path] = {}
    counts = set()
    for path, _, run in parts:
        shard = _of(run)
        if shard is None:
            raise CourseError(f"{shown(path)} is no part: its last run had no --shard", exit_code=2)
        if run.ended is None:
            raise CourseError(f"{shown(path)}, shard {shard}, has not ended: the same command goes on", exit_code=2)
        if shard.number in shards:
            raise CourseError(f"{shown(shards[shard.number])} and {shown(path)} are both shard {shard}", exit_code=2)
        shards[shard.number] = path
        counts.add(shard.count)
    if len(counts) > 1:
        raise CourseError("these are parts of different wholes: " + ", ".join(f"of {n}" for n in sorted(counts)), 2)
    if missing := [str(n) for n in range(1, counts.pop() + 1) if n not in shards]:
        raise CourseError(f"missing: shard {', '.join(missing)}", exit_code=2)
    if len({run.seed for _, _, run in parts}) > 1:
        raise CourseError("the parts have hidden cases of different seeds: give all the same --seed", exit_code=2)


def _merged(parts: list[tuple[Path, Book, Run]], out: Path) -> int:
    students: dict[str, tuple[StudentGrade, dict[str, tuple[str, str]]]] = {}
    versions: dict[str, set[str]] = {}
    for path, book, run in parts:
        for grade in book.result(run).students:
            if grade.student in students:
                raise CourseError(f"{grade.student} is in two parts, one of them {shown(path)}", exit_code=2)
            files = book.files(grade.student, run)
            students[grade.student] = grade, files
            for exercise, (_, circumstances) in files.items():
                versions.setdefault(exercise, set()).add(circumstances)
    if differ := sorted(name for name, found in versions.items() if len(found - {""}) > 1):
        raise CourseError(
            f"the parts were judged with different versions of the course, the compiler or the limits: {differ[0]}", 2
        )
    first = parts[0][2]
    notes = tuple(text for text in first.notes if not _NOTE.fullmatch(text))
    common = tuple(sorted(set.intersection(*(set(run.protection) for _, _, run in parts))))
    empty = ClassGrade((), first.seed, first.backend, common, notes, complete=False)
    book = Book(out, make=True)
    try:
        for _, part, _ in parts:
            book.take_outcomes(part)
        number = book.begin(empty, len(students))
        writer = Writer(out, empty, sorted(students))
        for name in sorted(students):
            book.add(number, *students[name])
            writer.add(students[name][0])
        book.end(number)
        writer.finish(book.result(book.last()))
        book.keep_alike(number, parts[0][1].alike(first))  # each part has looked at all files
    finally:
        book.close()
    print(f"{len(students)} student{'' if len(students) == 1 else 's'} of {len(parts)} parts: {shown(out)}/class.csv")
    return 0

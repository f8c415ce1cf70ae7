# SPDX-License-Identifier: MIT
"""`./course grade status`, `diff` and `export`: what a gradebook says, without judging anything."""

from __future__ import annotations

import argparse
from collections import Counter

from ..core.console import CourseError
from ..core.paths import shown
from .book import Book, Change, Run
from .record import ExerciseGrade, one_line
from .writer import Writer

WORDS = ("status", "diff", "export", "merge", "report", "worker")
_WITH_MORE = ("merge", "worker")


def asked(options: argparse.Namespace) -> str:
    """Which of them is meant, if any; a folder of that name is one of submissions."""
    words = [str(path) for path in options.paths]
    if not words or words[0] not in WORDS or options.paths[0].exists():
        return ""
    if len(words) > 1 and words[0] not in _WITH_MORE:
        raise CourseError(
            f"grade {words[0]} takes no submissions; --out names the folder of the gradebook", exit_code=2
        )
    return words[0]


def run(word: str, options: argparse.Namespace) -> int:
    book = Book(options.out)
    last = book.last()
    lines = {"status": status, "diff": diff}.get(word)
    if lines is not None:
        print("\n".join(lines(book, last)))
        return 0
    result = book.result(last)
    writer = Writer(options.out, result, [student.student for student in result.students])
    for student in result.students:
        writer.add(student)
    writer.finish(result)
    print(f"written: {shown(options.out)}/class.csv, class.json, and a folder for {_students(len(result.students))}")
    return 0


def status(book: Book, last: Run) -> list[str]:
    result = book.result(last)
    done = f"{len(result.students)} of {_students(last.expected)} graded"
    end = f"ended {last.ended}" if last.ended else "not ended: `./course grade` with the same --out goes on"
    lines = [f"run {last.id}, begun {last.started}, {end}", f"{done}, on {last.backend}, seed {last.seed}"]
    kinds: dict[str, Counter[str]] = {}
    for student in result.students:
        for entry in student.exercises:
            kinds.setdefault(entry.exercise, Counter())[entry.kind.value] += 1
    width = max(map(len, kinds), default=0)
    for name, counts in kinds.items():
        rest = ", ".join(f"{count} {kind}" for kind, count in counts.most_common() if kind != "passed")
        lines.append(f"  {name:{width}}  {counts['passed']} passed{', ' + rest if rest else ''}")
    return lines


def diff(book: Book, last: Run) -> list[str]:
    changes = book.changes(last)
    new = [change for change in changes if change.before is None]
    count = len(changes) - len(new)
    changed = f"{count} grade{'' if count == 1 else 's'} changed"
    lines = [f"run {last.id} of {last.started}: {changed}, {len(new)} {'is' if len(new) == 1 else 'are'} new"]
    lines += [_line(change) for change in changes if change.before is not None]
    return lines


def _line(change: Change) -> str:
    assert change.before is not None
    what = f"{_short(change.before)} -> {_short(change.after)}"
    return one_line(f"  {change.student}, {change.exercise}: {what} (changed: {change.why})")


def _short(grade: ExerciseGrade) -> str:
    return f"{grade.kind.value} {grade.score:g} of {grade.most:g}"


def _students(count: int) -> str:
    return f"{count} student{'' if count == 1 else 's'}"

# SPDX-License-Identifier: MIT
"""`./course grade report`: the class as one page of HTML that needs no network and runs no script.

Names, feedback and remarks come from strangers: all text goes through one function that escapes it, and the page itself
forbids everything but its own style.
"""

from __future__ import annotations

import argparse
import html
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ..core.console import CourseError
from ..core.paths import shown
from . import report_page
from .book import Book
from .record import ClassGrade, ExerciseGrade, StudentGrade, one_line, plain_text
from .similar import Pair
from .writer import replaced


def run(options: argparse.Namespace) -> int:
    file = options.report or options.out / "report.html"
    write(options.out, file)
    print(f"written: {shown(file)}")
    return 0


def write(out: Path, file: Path) -> None:
    book = Book(out)
    try:
        result, pairs = book.result(book.last()), book.alike(book.last())
    finally:
        book.close()
    try:
        replaced(file, page(result, pairs), mode=0o600)  # grades are nobody else's business
    except OSError as error:
        raise CourseError(f"cannot write {file}: {error.strerror}", exit_code=2) from None


def safe(text: object, lines: bool = False) -> str:
    """The only way of a text into the page."""
    return html.escape(plain_text(str(text)) if lines else one_line(str(text)))


def page(result: ClassGrade, pairs: Sequence[Pair]) -> str:
    names = list(dict.fromkeys(entry.exercise for student in result.students for entry in student.exercises))
    scores = sorted(student.score for student in result.students)
    most = max((student.most for student in result.students), default=0)
    median = scores[len(scores) // 2] if scores else 0
    state = "" if result.complete else "<p class='warn'>Not all students are graded yet.</p>"
    facts = f"{len(scores)} students, median {median:g}, best {scores[-1] if scores else 0:g} of {most:g} points"
    parts = [
        report_page.HEAD,
        f"<h1>Class report</h1><p>{safe(facts)}. Judged on {safe(result.backend)}.</p>{state}",
        _distribution("Points", [student.score for student in result.students], most),
        "<h2>Exercises</h2><div class='cards'>",
        *(_exercise(name, result.students) for name in names),
        "</div>",
        _similar(pairs),
        "<h2>Students</h2><p class='dim'>What each of them sees, and below it what only you see.</p>",
        *(_student(student) for student in result.students),
        report_page.FOOT,
    ]
    return "\n".join(parts)


def _exercise(name: str, students: Sequence[StudentGrade]) -> str:
    entries = [entry for student in students for entry in student.exercises if entry.exercise == name]
    kinds = Counter(entry.kind.value for entry in entries)
    passed, count = kinds.pop("passed", 0), len(entries)
    rows = "".join(
        f"<tr><td>{safe(kind.replace('_', ' '))}</td><td class='n'>{number}</td></tr>"
        for kind, number in kinds.most_common()
    )
    speeds = [entry.speed for entry in entries if entry.speed is not None]
    return (
        f"<section class='card'><h3>{safe(entries[0].title)}</h3><p class='dim'>{safe(name)}</p>"
        f"<p><b>{passed}</b> of {count} passed</p>{_bar(passed, count)}"
        f"<table>{rows}</table>{_hints(entries)}"
        f"{_distribution('Speed, solution = 1', speeds, max([1.0, *speeds])) if speeds else ''}</section>"
    )


def _bar(part: float, whole: float) -> str:
    share = 100 * part / whole if whole else 0
    return f"<div class='bar'><span style='width:{share:.1f}%'></span></div>"


def _hints(entries: Sequence[ExerciseGrade]) -> str:
    said = Counter(entry.hints for entry in entries if entry.hints is not None)
    used = sum(number for hints, number in said.items() if hints)
    if not said:
        return "<p class='dim'>hints: nobody says</p>"
    each = ", ".join(f"{number} used {hints}" for hints, number in sorted(said.items()) if hints)
    some = f"{used} of {sum(said.values())} used any{': ' + each if each else ''}"
    return f"<p class='dim'>hints, by their own word: {some}</p>"


def _distribution(title: str, values: Sequence[float], most: float) -> str:
    """Ten columns, as plain boxes: nothing has to be drawn."""
    if not values or most <= 0:
        return ""
    columns = Counter(min(9, int(10 * value / most)) for value in values)
    top = max(columns.values())
    boxes = "".join(
        f"<i style='height:{100 * columns[i] / top:.0f}%' title='{most * i / 10:.3g} to {most * (i + 1) / 10:.3g}: "
        f"{columns[i]}'></i>"
        for i in range(10)
    )
    return (
        f"<figure><figcaption>{safe(title)}</figcaption><div class='chart'>{boxes}</div>"
        f"<div class='axis'><span>0</span><span>{most:.3g}</span></div></figure>"
    )


def _similar(pairs: Sequence[Pair]) -> str:
    if not pairs:
        return ""
    rows = "".join(
        f"<tr><td>{safe(pair.exercise)}</td><td>{safe(pair.one)}</td><td>{safe(pair.other)}</td>"
        f"<td class='n'>{100 * pair.share:.0f}%</td></tr>"
        for pair in pairs
    )
    return (
        "<h2>Files that look alike</h2><p class='dim'>A remark, no verdict: short exercises have one obvious answer. "
        "The share is of the shorter file, without what the starter has.</p>"
        "<div class='wide'><table><tr><th>exercise</th><th colspan='2'>students</th><th class='n'>alike</th></tr>"
        f"{rows}</table></div>"
    )


def _student(student: StudentGrade) -> str:
    late = f", {student.days_late:.1f} days late" if student.late else ""
    bad = f"<p class='warn'>{safe(student.bad)}</p>" if student.bad else ""
    parts = []
    for entry in student.exercises:
        remarks = "".join(f"<p class='warn'>{safe(remark)}</p>" for remark in entry.remarks)
        parts.append(f"<h4>{safe(entry.title)}: {entry.score:g} of {entry.most:g}</h4>")
        parts.append(f"<pre>{safe(entry.text, lines=True)}</pre>{remarks}")
    return (
        f"<details><summary><span>{safe(student.student)}</span> <b>{student.score:g}</b> of {student.most:g}{late}"
        f"</summary>{bad}{''.join(parts)}</details>"
    )

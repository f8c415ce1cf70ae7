# SPDX-License-Identifier: MIT
"""The gradebook: nothing is judged twice, nothing is lost, and it says what changed. Nothing is compiled here."""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import json
import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from warpladder.build import backend
from warpladder.build.backend import Backend
from warpladder.core.console import CourseError
from warpladder.exercises.verdict import CaseResult, Kind, Verdict
from warpladder.grading import book as grade_book
from warpladder.grading.book import Book
from warpladder.grading.config import Item
from warpladder.grading.grader import Grader
from warpladder.grading.outcome import Outcome
from warpladder.grading.speed import Speed
from warpladder.grading.writer import one_at_a_time
from warpladder.sandbox import sandbox
from warpladder.sandbox.allowance import Allowance
from warpladder.verbs import grade

NAMES = [f"s{number:02}" for number in range(35)]
EXERCISES = {"warp_sum": 10, "lost_tail": 5}


class School:
    """A class whose files say what their verdict is; counts what is judged."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.judged = folder, 0
        self.slow = 0.0
        for number, name in enumerate(NAMES):
            self.hand_in(name, "warp_sum", f"passed // {name}")
            self.hand_in(name, "lost_tail", f"wrong_value // {number % 3}")  # many have the same
        self.rules()

    def rules(self, **more: object) -> None:
        data = {"schema": "warpladder-grading/1", "exercises": EXERCISES, **more}
        (self.folder / "rules.json").write_text(json.dumps(data))

    def hand_in(self, name: str, exercise: str, text: str) -> None:
        file = self.folder / "in" / name / f"{exercise}.cuh"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def course(self, *words: str) -> tuple[int, str]:
        out = io.StringIO()
        parser = argparse.ArgumentParser()
        grade.add_arguments(parser)
        common = ["--out", str(self.folder / "out"), "--config", str(self.folder / "rules.json")]
        with contextlib.redirect_stdout(out):
            code = grade.run(parser.parse_args([*words, *common]))
        return code, out.getvalue()

    def grade(self, *words: str) -> int:
        """How many files were judged."""
        before = self.judged
        assert self.course(str(self.folder / "in"), *words)[0] == 0
        return self.judged - before

    def scores(self) -> dict[tuple[str, str], float]:
        with (self.folder / "out" / "class.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        found = {(row["student"], row["exercise"]): float(row["score"]) for row in rows}
        assert len(found) == len(rows), "none twice"
        return found


@pytest.fixture
def school(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[School]:
    made = School(tmp_path)

    def evaluated(self: Grader, item: Item, text: bytes, allowance: Allowance) -> tuple[Verdict, None, list[str]]:
        made.judged += 1
        time.sleep(made.slow)
        return Verdict(Kind(text.split()[0].decode()), "as it says"), None, []

    (tmp_path / "emulator").mkdir()
    monkeypatch.setattr(Grader, "_evaluate", evaluated)
    monkeypatch.setattr(backend, "choose", lambda *words, **more: Backend("/bin/true", False, tmp_path / "emulator"))
    monkeypatch.setattr(sandbox, "isolation", lambda: sandbox.ALL)
    yield made


def right() -> dict[tuple[str, str], float]:
    return {(name, "warp_sum"): 10.0 for name in NAMES} | {(name, "lost_tail"): 0.0 for name in NAMES}


def test_a_class_twice_and_one_change(school: School) -> None:
    assert school.grade() == 35 + 3
    assert school.scores() == right()
    assert school.grade() == 0
    assert school.scores() == right()
    school.hand_in("s07", "lost_tail", "passed // now")
    assert school.grade() == 1
    assert school.scores() == right() | {("s07", "lost_tail"): 5.0}
    code, text = school.course("diff")
    assert code == 0 and "1 grade changed, 0 are new" in text
    assert "  s07, lost_tail: wrong_value 0 of 5 -> passed 5 of 5 (changed: the file)" in text


def test_other_points_cost_nothing(school: School) -> None:
    school.grade()
    school.rules(exercises={"warp_sum": 20, "lost_tail": 5})
    assert school.grade() == 0
    assert school.scores()["s00", "warp_sum"] == 20
    assert "(changed: the rules for points, or the time it was handed in)" in school.course("diff")[1]


def test_another_seed_is_another_question(school: School) -> None:
    school.grade("--seed", "1")
    assert school.grade() == 0, "without one the seed stays"
    assert school.grade("--seed", "2") == 38
    assert school.grade("--seed", "1") == 0, "what was known is still known"


def test_one_exercise_again(school: School) -> None:
    school.grade()
    assert school.grade("--again", "lost_tail") == 3
    with pytest.raises(CourseError, match="there is no exercise 'lost_tale'"):
        school.grade("--again", "lost_tale")


def test_a_run_that_is_killed_goes_on(school: School) -> None:
    school.slow = 0.02
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            school.grade("-j", "2")
        os._exit(0)
    book = school.folder / "out" / grade_book.NAME
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and _count(book, "student") < 8:
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    known = _count(book, "outcome")
    assert 8 <= _count(book, "student") < 35
    assert "not ended" in school.course("status")[1] and "of 35 students graded" in school.course("status")[1]
    assert len(school.scores()) >= 2 * (_count(book, "student") - 1), "what was graded is there"
    assert school.course("export")[0] == 0
    assert len(school.scores()) == 2 * _count(book, "student"), "and what was just stored"
    school.slow = 0
    assert school.grade() == 38 - known
    assert school.scores() == right()
    assert "35 of 35 students graded" in school.course("status")[1]


def _count(book: Path, table: str) -> int:
    try:
        with contextlib.closing(sqlite3.connect(f"file:{book}?mode=ro", uri=True)) as data:
            return int(data.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    except sqlite3.Error:
        return 0


def test_all_that_is_written_comes_from_the_book(school: School) -> None:
    school.grade()
    out = school.folder / "out"
    files = [path for path in out.rglob("*") if path.is_file() and not path.name.startswith((".", "gradebook"))]
    before = {path: path.read_bytes() for path in files}
    assert len(before) > 35 * 5
    for path in files:
        path.unlink()
    code, _ = school.course("export")
    assert code == 0
    assert {path: path.read_bytes() for path in files} == before
    assert (out / grade_book.NAME).stat().st_mode & 0o077 == 0, "the seed stands in it"


def test_a_grader_that_fails_is_not_remembered(school: School, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*words: object) -> tuple[Verdict, None, list[str]]:
        raise RuntimeError("no disk")

    with monkeypatch.context() as patch:
        patch.setattr(Grader, "_evaluate", broken)
        assert school.course(str(school.folder / "in"))[0] == 1
    assert school.grade() == 38


def test_two_runs_at_once(school: School) -> None:
    with one_at_a_time(school.folder / "out"), pytest.raises(CourseError, match="another run writes to"):
        school.grade()
    assert school.grade() == 38


@pytest.mark.parametrize("data", [b"this is no database", b"SQLite format 3\0" + bytes(4000)])
def test_a_damaged_book(school: School, data: bytes) -> None:
    (school.folder / "out").mkdir()
    (school.folder / "out" / grade_book.NAME).write_bytes(data)
    with pytest.raises(CourseError, match="cannot be used") as error:
        school.grade()
    assert error.value.exit_code == 2 and "\n" not in str(error.value)


def test_a_book_of_another_version(school: School) -> None:
    school.grade()
    with contextlib.closing(sqlite3.connect(school.folder / "out" / grade_book.NAME)) as data:
        data.execute("PRAGMA user_version = 99")
    with pytest.raises(CourseError, match="another version of the course"):
        school.grade()


def test_no_book(school: School) -> None:
    for word in ("status", "diff", "export"):
        with pytest.raises(CourseError, match="there is no gradebook") as error:
            school.course(word)
        assert error.value.exit_code == 2
    with pytest.raises(CourseError, match="takes no submissions"):
        school.course("status", "in")


def test_an_outcome_comes_back_as_it_was(tmp_path: Path) -> None:
    case = CaseResult("n5", False, False, Kind.LOST_TAIL, "why", 5, 1 << 62, {"index": 3, "actual": "7"})
    verdict = Verdict(Kind.LOST_TAIL, "head", (("a", "b\nc"),), "n5", (case,), ("note",))
    outcome = Outcome(verdict, 1.5, Speed(0.5, "text"), calls=("fork",))
    book = Book(tmp_path, make=True)
    book.store("e", "file", "c", outcome)
    book.store("e", "file2", "c", outcome, "anna")
    assert book.find("e", "file", "c", "anyone") == outcome
    assert book.find("e", "file", "other", "anyone") is None
    assert book.find("e", "file2", "c", "anna") == outcome and book.find("e", "file2", "c", "bert") is None

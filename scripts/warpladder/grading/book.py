# SPDX-License-Identifier: MIT
"""The gradebook: a SQLite file beside the results. What is known stands in it at once, so that a run that was stopped
goes on where it stopped, and a file that did not change is not judged again.

Outcomes are found by the hash of the file and of all that they depend on: course, judge, emulator, compiler, seed and
limits. Grades are made anew from them each time, so other points or another due date cost nothing. A grade is stored
when it differs from the one before, so what is stored is the history.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from ..core.console import CourseError
from ..exercises.verdict import Kind
from .outcome import Outcome
from .record import ClassGrade, ExerciseGrade, StudentGrade
from .similar import Pair

NAME = "gradebook.sqlite"
_VERSION = 1
_TABLES = """
CREATE TABLE run(id INTEGER PRIMARY KEY, started TEXT NOT NULL, ended TEXT, expected INTEGER NOT NULL,
                 seed TEXT NOT NULL, backend TEXT NOT NULL, protection TEXT NOT NULL, notes TEXT NOT NULL);
CREATE TABLE outcome(exercise TEXT, file TEXT, circumstances TEXT, student TEXT, record TEXT NOT NULL,
                     PRIMARY KEY(exercise, file, circumstances, student)) WITHOUT ROWID;
CREATE TABLE student(run INTEGER, name TEXT, record TEXT NOT NULL, PRIMARY KEY(run, name)) WITHOUT ROWID;
CREATE TABLE grade(student TEXT, exercise TEXT, run INTEGER, file TEXT NOT NULL, circumstances TEXT NOT NULL,
                   record TEXT NOT NULL, PRIMARY KEY(student, exercise, run)) WITHOUT ROWID;
"""
_LATER = "CREATE TABLE IF NOT EXISTS alike(run INTEGER PRIMARY KEY, record TEXT NOT NULL)"  # older books have none


@dataclass(frozen=True)
class Run:
    id: int
    started: str
    ended: str | None
    expected: int  # students
    seed: int
    backend: str
    protection: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Change:
    student: str
    exercise: str
    before: ExerciseGrade | None
    after: ExerciseGrade
    why: str


class Book:
    """Used by all threads of a run, and by one run at a time."""

    def __init__(self, folder: Path, make: bool = False) -> None:
        self.path = folder / NAME
        if not make and not self.path.exists():
            raise CourseError(f"there is no {NAME} in {folder}: `./course grade PATH --out {folder}` makes one", 2)
        self._lock = threading.RLock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600))  # the seed stands in it
            self._data = sqlite3.connect(self.path, timeout=30, isolation_level=None, check_same_thread=False)
            self._prepare()
        except OSError as error:
            raise CourseError(f"cannot write {self.path}: {error.strerror}", exit_code=2) from None
        except sqlite3.Error as error:
            raise self._unusable(error) from None

    def _prepare(self) -> None:
        version = self._data.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            self._data.executescript(f"BEGIN EXCLUSIVE; {_TABLES} PRAGMA user_version = {_VERSION}; COMMIT;")
        elif version != _VERSION:
            raise CourseError(f"{self.path} is of another version of the course ({version}): take another --out", 2)
        self._data.execute(_LATER)

    def _unusable(self, error: sqlite3.Error) -> CourseError:
        return CourseError(f"{self.path} cannot be used: {error}; move it away, or take another --out", exit_code=2)

    def close(self) -> None:
        self._data.close()

    @contextlib.contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        """All of it or nothing, and on the disk when it is done."""
        with self._lock:
            try:
                self._data.execute("BEGIN IMMEDIATE")
                yield self._data
                self._data.execute("COMMIT")
            except sqlite3.Error as error:
                with contextlib.suppress(sqlite3.Error):
                    self._data.execute("ROLLBACK")
                raise self._unusable(error) from None

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._data.execute(query, values).fetchall()
            except sqlite3.Error as error:
                raise self._unusable(error) from None

    # Outcomes

    def find(self, exercise: str, file: str, circumstances: str, student: str) -> Outcome | None:
        """What is known of a file, for everybody or for this student alone."""
        query = "SELECT record FROM outcome WHERE exercise=? AND file=? AND circumstances=? AND student IN ('', ?)"
        rows = self._rows(query + " ORDER BY student DESC LIMIT 1", exercise, file, circumstances, student)
        return Outcome.from_json(json.loads(rows[0][0])) if rows else None

    def store(self, exercise: str, file: str, circumstances: str, outcome: Outcome, student: str = "") -> None:
        """`student`: if it holds for this one alone, who had no time left."""
        record = json.dumps(outcome.to_json())
        with self._change() as data:
            words = (exercise, file, circumstances, student, record)
            data.execute("INSERT OR REPLACE INTO outcome VALUES(?, ?, ?, ?, ?)", words)

    def take_outcomes(self, other: Book) -> None:
        """What another book knows is known here too."""
        rows = other._rows("SELECT * FROM outcome")
        with self._change() as data:
            data.executemany("INSERT OR IGNORE INTO outcome VALUES(?, ?, ?, ?, ?)", rows)

    def forget(self, exercises: Sequence[str]) -> None:
        """Judge these again, whether their files changed or not."""
        with self._change() as data:
            data.executemany("DELETE FROM outcome WHERE exercise=?", [(name,) for name in exercises])

    # Runs and grades

    def begin(self, empty: ClassGrade, expected: int) -> int:
        words = (
            _now(),
            expected,
            str(empty.seed),
            empty.backend,
            json.dumps(empty.protection),
            json.dumps(empty.notes),
        )
        with self._change() as data:
            made = data.execute(
                "INSERT INTO run(started, expected, seed, backend, protection, notes) VALUES(?, ?, ?, ?, ?, ?)", words
            )
            return int(made.lastrowid or 0)

    def add(self, run: int, grade: StudentGrade, files: dict[str, tuple[str, str]]) -> None:
        """`files`: for each exercise the hash of the file, and of the circumstances."""
        with self._change() as data:
            whole = {name: value for name, value in asdict(grade).items() if name != "exercises"}
            order = [entry.exercise for entry in grade.exercises]
            record = json.dumps({"order": order, **whole})
            data.execute("INSERT OR REPLACE INTO student VALUES(?, ?, ?)", (run, grade.student, record))
            for entry in grade.exercises:
                record = json.dumps(asdict(entry), sort_keys=True)
                query = "SELECT record, file, circumstances FROM grade WHERE student=? AND exercise=?"
                last = data.execute(query + " ORDER BY run DESC LIMIT 1", (grade.student, entry.exercise)).fetchone()
                file, circumstances = files.get(entry.exercise, ("", ""))
                if last != (record, file, circumstances):
                    words = (grade.student, entry.exercise, run, file, circumstances, record)
                    data.execute("INSERT OR REPLACE INTO grade VALUES(?, ?, ?, ?, ?, ?)", words)

    def end(self, run: int) -> None:
        with self._change() as data:
            data.execute("UPDATE run SET ended=? WHERE id=?", (_now(), run))

    def keep_alike(self, run: int, pairs: Sequence[Pair]) -> None:
        with self._change() as data:
            record = json.dumps([asdict(pair) for pair in pairs])
            data.execute("INSERT OR REPLACE INTO alike VALUES(?, ?)", (run, record))

    def alike(self, run: Run) -> list[Pair]:
        rows = self._rows("SELECT record FROM alike WHERE run=?", run.id)
        return [Pair(**entry) for entry in json.loads(rows[0][0])] if rows else []

    def runs(self) -> list[Run]:
        return [
            Run(row[0], row[1], row[2], row[3], int(row[4]), row[5], *(tuple(json.loads(text)) for text in row[6:]))
            for row in self._rows("SELECT * FROM run ORDER BY id")
        ]

    def last(self) -> Run:
        runs = self.runs()
        if not runs:
            raise CourseError(f"{self.path} has no run yet", exit_code=2)
        return runs[-1]

    def result(self, run: Run) -> ClassGrade:
        """The class as this run left it, students by name."""
        students = []
        for name, text in self._rows("SELECT name, record FROM student WHERE run=? ORDER BY name", run.id):
            whole = json.loads(text)
            grades = {grade.exercise: grade for grade in self._grades(name, run.id)}
            exercises = tuple(grades[exercise] for exercise in whole.pop("order"))
            students.append(StudentGrade(**whole, exercises=exercises))
        done = run.ended is not None
        return ClassGrade(tuple(students), run.seed, run.backend, run.protection, run.notes, complete=done)

    def _grades(self, student: str, run: int) -> list[ExerciseGrade]:
        query = "SELECT record, max(run) FROM grade WHERE student=? AND run<=? GROUP BY exercise"
        return [_grade(text) for text, _ in self._rows(query, student, run)]

    def files(self, student: str, run: Run) -> dict[str, tuple[str, str]]:
        """For each exercise the hash of the file, and of the circumstances, as this run left it."""
        query = "SELECT exercise, file, circumstances, max(run) FROM grade WHERE student=? AND run<=? GROUP BY exercise"
        return {name: (file, how) for name, file, how, _ in self._rows(query, student, run.id)}

    def changes(self, run: Run) -> list[Change]:
        """What this run changed, by student and exercise."""
        found = []
        query = (
            "SELECT student, exercise, file, circumstances, record FROM grade WHERE run=? ORDER BY student, exercise"
        )
        for student, exercise, file, circumstances, text in self._rows(query, run.id):
            query = "SELECT file, circumstances, record FROM grade WHERE student=? AND exercise=? AND run<?"
            rows = self._rows(query + " ORDER BY run DESC LIMIT 1", student, exercise, run.id)
            before, after = (_grade(rows[0][2]) if rows else None), _grade(text)
            if before is not None and (before.score, before.most, before.kind) == (after.score, after.most, after.kind):
                continue
            why = "it is new" if not rows else "the rules for points, or the time it was handed in"
            if rows and rows[0][1] != circumstances:
                why = "the course, its limits or the hidden cases"
            if rows and rows[0][0] != file:
                why = "the file"
            found.append(Change(student, exercise, before, after, why))
        return found


def _grade(text: str) -> ExerciseGrade:
    data = json.loads(text)
    return ExerciseGrade(**data | {"kind": Kind(data["kind"]), "remarks": tuple(data["remarks"])})


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")

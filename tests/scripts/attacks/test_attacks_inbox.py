# SPDX-License-Identifier: MIT
"""Hostile names, archives and words of students; and a run that is stopped loses nothing."""

from __future__ import annotations

import csv
import json
import time
import unicodedata
import zipfile
from collections.abc import Iterator
from pathlib import Path

import attack_samples
import pytest

from warpladder.build.backend import Backend
from warpladder.core.console import CourseError
from warpladder.core.paths import LESSONS
from warpladder.exercises import catalog
from warpladder.exercises.verdict import Kind
from warpladder.grading import csv_file, inbox
from warpladder.grading import names as grade_names
from warpladder.grading.config import Item, Rules
from warpladder.grading.grader import Grader
from warpladder.grading.inbox import Submission
from warpladder.grading.record import ClassGrade, ExerciseGrade, StudentGrade
from warpladder.grading.remarks import odd_words
from warpladder.grading.writer import Writer

EVERYTHING = catalog.everything()
LESSON = "04_warp_shuffle"
EMPTY = ClassGrade((), 7, "the emulator", (), complete=False)


def give(folder: Path, name: str, inside: str = f"{LESSON}/warp_sum.cuh") -> None:
    file = folder / name / inside
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(name)


def grade(name: str, text: str = "") -> StudentGrade:
    entry = ExerciseGrade("warp_sum", "t", LESSON, 10, 10, Kind.PASSED, text, text, 1.0)
    return StudentGrade(name, (entry,))


@pytest.mark.parametrize("names", attack_samples.ALIKE)
def test_names_that_look_alike_have_results_of_their_own(tmp_path: Path, names: tuple[str, ...]) -> None:
    for name in names:
        give(tmp_path / "in", name)
    found = {submission.source.name: submission.student for submission in inbox.collect([tmp_path / "in"], EVERYTHING)}
    assert len({unicodedata.normalize("NFKC", name).casefold() for name in found.values()}) == len(names)
    assert found[names[0]] == names[0], "an honest name stays"
    assert all(name.isprintable() for name in found.values())
    writer = Writer(tmp_path / "out", EMPTY, list(found.values()))
    for name in found.values():
        writer.add(grade(name, name))
    folders = [path for path in (tmp_path / "out").iterdir() if path.is_dir()]
    assert len(folders) == len(names)
    assert (tmp_path / "out" / "class.csv").is_file() and (tmp_path / "out" / "class.json").is_file()


def test_a_name_that_is_made_into_anothers_folder() -> None:
    made = grade_names.folder_name("o'neill")
    first, second = grade_names.folders(["o'neill", made])
    assert first != second and second == made


@pytest.mark.parametrize("name", [LESSON, "99_x", "warp_sum.cuh", "00_"])
def test_a_folder_that_is_named_like_a_lesson_is_a_students(tmp_path: Path, name: str) -> None:
    give(tmp_path, "anna")
    give(tmp_path, "bert", "warp_sum.cuh")
    give(tmp_path, name, "warp_sum.cuh")
    assert [s.student for s in inbox.collect([tmp_path], EVERYTHING)] == sorted(["anna", "bert", name])


def test_one_students_folder_is_still_one_students(tmp_path: Path) -> None:
    give(tmp_path, "work")
    (tmp_path / "work" / "notes").mkdir()
    (tmp_path / "work" / "progress.json").write_text("{}")
    assert [s.student for s in inbox.collect([tmp_path / "work"], EVERYTHING)] == ["work"]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("a pipe", "it is no plain file"),
        ("gigantic", "it is larger than 8 MiB"),
        ("many members", "it holds more than 2000 files"),
        ("lzma", "it is packed in a way"),
        ("bzip2", "it is packed in a way"),
    ],
)
def test_archives(tmp_path: Path, kind: str, said: str) -> None:
    attack_samples.hostile_zip(tmp_path / "x.zip", kind)
    start = time.monotonic()
    found = inbox.collect([tmp_path], EVERYTHING)
    assert time.monotonic() - start < 10
    assert [(s.student, s.files) for s in found] == [("x", {})] and found[0].bad.startswith(said)


def test_a_pipe_that_is_named(tmp_path: Path) -> None:
    attack_samples.hostile_zip(tmp_path / "x.zip", "a pipe")
    with pytest.raises(CourseError, match="there is no folder or zip"):
        inbox.collect([tmp_path / "x.zip"], EVERYTHING)


@pytest.mark.parametrize("count", attack_samples.HINTS)
def test_hints_that_are_no_number_of_hints(tmp_path: Path, count: str) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as pack:
        pack.writestr("warp_sum.cuh", "x")
        pack.comment = f'{{"hints": {{"warp_sum": {count}, "no_such": 1}}}}'.encode()
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "progress.json").write_text(f'{{"exercises": {{"warp_sum": {{"hints": {count}}}}}}}')
    for name in ("a.zip", "b"):
        found = inbox.read("s", tmp_path / name, EVERYTHING)
        assert found.hints == {} and found.bad == ""


@pytest.mark.parametrize("text", attack_samples.FORMULAE)
def test_formulae(text: str) -> None:
    assert csv_file.harmless(text) == attack_samples.FORMULAE[text]
    row = next(csv.reader([csv_file.rows(grade(text.replace("\t", " "), "note"))]))
    assert len(row) == len(csv_file.COLUMNS)


@pytest.mark.parametrize("text", attack_samples.ODD)
def test_remarks(text: str) -> None:
    assert attack_samples.ODD[text] in odd_words(text.encode())


def test_no_remark_on_the_courses_own_files() -> None:
    own = {str(file): odd_words(file.read_bytes()) for file in LESSONS.glob("*/exercises/*/**/*.cuh")}
    assert len(own) > 50 and {file: words for file, words in own.items() if words} == {}


def test_remarks_on_a_large_file_take_no_time() -> None:
    start = time.process_time()
    for text in (b"#" + b" " * (1 << 20), b"WARPLADDER_" * 95_000, b"main" + b"\t" * (1 << 20), b"\\\n" * (1 << 19)):
        odd_words(text)
    assert time.process_time() - start < 2


def submissions() -> Iterator[Submission]:
    for number in range(6):
        yield Submission(f"s{number}", Path("x"), None)


def test_what_was_graded_is_there_when_the_rest_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the machine had stopped while the fourth was graded."""
    plain = Grader.student

    def student(self: Grader, submission: Submission) -> StudentGrade:
        if submission.student == "s3":
            raise KeyboardInterrupt
        return plain(self, submission)

    monkeypatch.setattr(Grader, "student", student)
    everyone = list(submissions())
    grader = Grader(Rules((Item(EVERYTHING[0], 10),)), Backend("nvcc", False, Path("/e")), 7, lambda text: None)
    writer = Writer(tmp_path / "out", EMPTY, [submission.student for submission in everyone])
    with pytest.raises(KeyboardInterrupt):
        grader.everyone(everyone, 1, lambda submission, grade: writer.add(grade))
    rows = list(csv.DictReader((tmp_path / "out" / "class.csv").open()))
    assert [row["student"] for row in rows][:3] == ["s0", "s1", "s2"]
    assert (tmp_path / "out" / "s2" / "gradescope" / "results.json").is_file()
    record = json.loads((tmp_path / "out" / "class.json").read_text())
    assert record["complete"] is False and record["seed"] == 7, "so that it can be graded again in the same way"
    assert (tmp_path / "out" / "class.json").stat().st_mode & 0o077 == 0


def test_a_link_in_the_place_of_a_result_is_replaced_not_followed(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "mine").write_text("mine")
    for name in ("class.csv", "class.json", ".class.json.new"):
        (tmp_path / "out" / name).symlink_to(tmp_path / "mine")
    Writer(tmp_path / "out", EMPTY, ["anna"]).finish(ClassGrade((grade("anna"),), 7, "e", ()))
    assert (tmp_path / "mine").read_text() == "mine"

# SPDX-License-Identifier: MIT
"""The exercises: their list, their starters, the student's files, progress, handing in. Nothing is compiled here."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from exercise_samples import WARP_SUM, course

from warpladder.core import paths
from warpladder.core.console import CourseError
from warpladder.exercises import catalog, markers, progress, workbench
from warpladder.exercises.catalog import Exercise
from warpladder.exercises.progress import Progress
from warpladder.exercises.verdict import Kind
from warpladder.verbs import lint

ALL = catalog.everything()
NAMES = [exercise.name for exercise in ALL]


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(paths, "WORK", tmp_path)
    return tmp_path


@pytest.mark.parametrize("exercise", ALL, ids=NAMES)
def test_the_files_of_every_exercise_keep_the_rules(exercise: Exercise) -> None:
    assert lint.static_problems(exercise) == []


def test_names_are_unique_and_the_order_is_the_course_s() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert [exercise.lesson for exercise in ALL] == sorted(exercise.lesson for exercise in ALL)


def test_a_starter_is_the_solution_without_its_regions() -> None:
    solution = "a\n  // <solution>\n  right\n  // <starter>\n  //| // TODO: b\n  //|\n  //|   c\n  // </solution>\nd\n"
    assert markers.starter(solution) == "a\n  // TODO: b\n\n    c\nd\n"
    assert markers.without_marks(solution) == "a\n  right\nd\n"


@pytest.mark.parametrize(
    ("solution", "complaint"),
    [
        ("// <solution>\nx\n", "no // </solution>"),
        ("// <starter>\n", "line 1 of the solution: // <starter> does not belong here"),
        ("// <solution>\n// <starter>\nx\n// </solution>\n", "line 3 of the solution: between"),
    ],
)
def test_wrong_markers_are_named_with_their_line(solution: str, complaint: str) -> None:
    with pytest.raises(CourseError, match=complaint):
        markers.starter(solution)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"kind": "fun"}, "kind 'fun' is none of complete, repair, budget"),
        ({"points": None}, "int"),
        ({"starter": "tired"}, "'tired' is not a valid Kind"),
        ({"wrong": None}, "has no attribute"),
        ({"races": {"nobody.cuh": [1, 2]}}, "races: 'nobody.cuh' is no wrong answer"),
        ({"races": {"lost_tail.cuh": [1]}}, "races: lost_tail.cuh: two lines"),
    ],
)
def test_a_wrong_exercise_json_is_one_sentence(tmp_path: Path, change: dict[str, object], complaint: str) -> None:
    folder = tmp_path / "09_topic" / "exercises" / "some"
    folder.mkdir(parents=True)
    data = json.loads((WARP_SUM / "exercise.json").read_text()) | change
    (folder / "exercise.json").write_text(json.dumps(data))
    with pytest.raises(CourseError, match=complaint) as error:
        catalog.load(folder)
    assert str(error.value).startswith("09_topic/some/exercise.json: ")


def test_a_missing_field_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "09_topic" / "exercises" / "some"
    folder.mkdir(parents=True)
    (folder / "exercise.json").write_text("{}")
    with pytest.raises(CourseError, match="'kind' is missing"):
        catalog.load(folder)


def test_lint_sees_what_is_wrong_with_the_files(tmp_path: Path) -> None:
    folder = tmp_path / "09_topic" / "exercises" / "some"
    (folder / "wrong").mkdir(parents=True)
    for name in lint.FILES:
        (folder / name).write_text("")
    (folder / "wrong" / "extra.cuh").write_text("")
    data = json.loads((WARP_SUM / "exercise.json").read_text())
    data |= {"wrong": {"gone.cuh": "budget"}, "kind": "budget", "races": {}}
    (folder / "exercise.json").write_text(json.dumps(data))
    assert lint.static_problems(catalog.load(folder)) == [
        "README.md says nothing",
        "explanation.md says nothing",
        "hints.md has 0 sections (##), not 3",
        "starter.cuh is not what the solution makes; `./course lint --write` writes it",
        "the starter has no TODO",
        "wrong/extra.cuh is not named in exercise.json",
        "wrong/gone.cuh is named in exercise.json and not there",
        "1 wrong answers; at least 3 are needed",
        "kind 'budget' without a budget",
    ]


def test_a_file_is_made_from_the_starter_once(work: Path) -> None:
    exercise = catalog.find("warp_sum")
    file, made = workbench.ensure(exercise)
    assert made and file == work / "04_warp_shuffle" / "warp_sum.cuh"
    assert file.read_text() == (WARP_SUM / "starter.cuh").read_text()
    file.write_text("mine")
    assert workbench.ensure(exercise) == (file, False)
    assert file.read_text() == "mine"


def test_reset_keeps_every_version(work: Path) -> None:
    exercise = catalog.find("warp_sum")
    file, _ = workbench.ensure(exercise)
    assert workbench.reset(exercise) is None, "a starter needs no backup"
    backups = []
    for text in ("first", "second"):
        file.write_text(text)
        backups.append(workbench.reset(exercise))
        assert workbench.is_untouched(exercise)
    assert [backup.read_text() for backup in backups if backup] == ["first", "second"]


def test_progress_remembers_and_once_passed_stays_passed(work: Path) -> None:
    exercise = catalog.find("warp_sum")
    state = Progress()
    state.checked(exercise, Kind.WRONG_VALUE)
    state.checked(exercise, Kind.PASSED)
    state.checked(exercise, Kind.COMPILE_ERROR)
    entry = Progress().of(exercise)
    assert (entry.passed, entry.checks, entry.verdict) == (True, 3, "compile_error")
    assert progress.mark(exercise, Progress()) == "passed"


def test_a_damaged_progress_file_is_set_aside(work: Path) -> None:
    (work / "progress.json").write_text("{broken")
    assert Progress().entries == {}
    assert (work / "progress.damaged").read_text() == "{broken"


def test_the_next_exercise_is_the_next_open_one(work: Path) -> None:
    state = Progress()
    assert progress.next_open(ALL, state) is ALL[0]
    state.checked(ALL[0], Kind.PASSED)
    assert progress.next_open(ALL, state) is ALL[1]
    state.checked(ALL[1], Kind.PASSED)
    assert progress.next_open(ALL, state, ALL[-1]) is ALL[2]
    for exercise in ALL:
        state.checked(exercise, Kind.PASSED)
    assert progress.next_open(ALL, state) is None


def test_hints_come_one_after_the_other(tmp_path: Path) -> None:
    for level, title in ((1, "A question"), (2, "The concept"), (3, "Pseudo-code"), (3, "Pseudo-code")):
        run = course("hint", "warp_sum", work=tmp_path)
        assert run.stdout.startswith(f"hint {level} of 3 for warp_sum: {title}")
    assert "hint 1 of 3" in course("hint", "warp_sum", "--level", "1", work=tmp_path).stdout
    assert "3 of 3 hints" in course("progress", work=tmp_path).stdout


def test_the_solution_is_for_those_who_passed_or_insist(tmp_path: Path) -> None:
    run = course("solution", "warp_sum", work=tmp_path)
    assert run.returncode == 1 and run.stdout == "" and len(run.stderr.splitlines()) == 1
    run = course("solution", "warp_sum", "--anyway", work=tmp_path)
    assert "__shfl_down_sync" in run.stdout and "explained" in run.stdout
    assert "<solution>" not in run.stdout and "TODO" not in run.stdout
    assert "solution seen" in course("progress", work=tmp_path).stdout


def test_a_submission_holds_the_student_s_files_only(tmp_path: Path) -> None:
    lesson = tmp_path / "04_warp_shuffle"
    lesson.mkdir()
    pack = tmp_path / "mine.zip"
    assert course("submit", "--out", str(pack), work=tmp_path).returncode == 1, "there is nothing yet"
    (lesson / "warp_sum.cuh").write_text("mine")
    for other in ("warp_sum.20260101-000000.backup", "notes.txt", "other.cuh"):
        (lesson / other).write_text("not this")
    (tmp_path / "progress.json").write_text('{"exercises": {}}')
    run = course("submit", "--out", str(pack), work=tmp_path)
    assert run.returncode == 0, run.stderr
    assert "1 file in" in run.stdout and "not checked" in run.stdout
    with zipfile.ZipFile(pack) as files:
        assert files.namelist() == ["04_warp_shuffle/warp_sum.cuh"]
        assert files.read("04_warp_shuffle/warp_sum.cuh") == b"mine"


@pytest.mark.parametrize(
    "words",
    [
        ("check", "nothing"),
        ("check", "warp_sum", "--seed", "x"),
        ("check", "--all", "warp_sum"),
        ("check", "--file", "x.cuh"),
        ("check", "warp_sum", "--file", "not_there.cuh"),
        ("hint",),
        ("hint", "warp_sum", "--level", "4"),
        ("reset", "warp_sun"),
        ("solution", "nothing"),
        ("submit", "warp_sum"),
        ("lint", "nothing"),
    ],
)
def test_wrong_input_gets_one_line_and_exit_code_2(words: tuple[str, ...], tmp_path: Path) -> None:
    run = course(*words, work=tmp_path)
    assert run.returncode == 2, run.stdout + run.stderr
    assert len(run.stderr.splitlines()) == 1 and run.stdout == ""

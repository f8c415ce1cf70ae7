# SPDX-License-Identifier: MIT
"""`course list`, and reading a lesson's tables from its source."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from warpladder import cli
from warpladder.build import cmake
from warpladder.core import paths
from warpladder.lessons import catalog
from warpladder.verbs import list as list_lessons

SOURCE = r"""
// Rungs in a comment: Rung kRungs[] = {{"comment", "no"}};
inline double depth(std::size_t n) { return n; }
/* Lesson kLesson{"wrong", "wrong?", kRungs}; */
inline constexpr course::Rung kRungs[] = {
    {"first", "an idea with } and { and \"quotes\" // in it", &launch<float>, &launch<int>, &depth},
    // {"gone", "commented out"},
    {"second",
     "an idea over "
     "two lines",
     nullptr, &launch<int>, [](std::size_t n, int, const Device&) { return n * 2.0; }, 90},
};
inline constexpr course::Lesson kLesson{
    "07_made_up", "What is asked, "
                  "and how?", kRungs};
"""


@pytest.fixture
def lessons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "lessons" / "07_made_up"
    folder.mkdir(parents=True)
    (folder / "made_up.cuh").write_text(SOURCE)
    (folder / "helper.cuh").write_text("struct Rung; // nothing of interest\n")
    (folder / "main.cu").write_text("")
    (tmp_path / "lessons" / "notes").mkdir()
    for module in (catalog, list_lessons):
        monkeypatch.setattr(module, "LESSONS", tmp_path / "lessons")
    monkeypatch.setattr(catalog, "BUILD", tmp_path / "build")
    monkeypatch.setattr(cmake, "configure", lambda *_: pytest.fail("a build was begun"))
    return tmp_path


def test_the_tables_are_read_from_the_source(lessons: Path) -> None:
    lesson = catalog.read_lesson("07_made_up")
    assert lesson.question == "What is asked, and how?"
    first = ("first", 'an idea with } and { and "quotes" // in it')
    assert lesson.rungs == (first, ("second", "an idea over two lines"))


def test_tables_of_families_come_in_the_order_of_the_families(lessons: Path) -> None:
    folder = lessons / "lessons" / "07_made_up"
    (folder / "a_table.cuh").write_text('inline constexpr Rung<Last> kLastRungs[] = {{"last", "in an early file"}};\n')
    (folder / "made_up.cuh").write_text(
        'inline constexpr Rung<Mid> kMidRungs[] = {{"mid", "in the header"}};\n'
        'inline const Family kFirst("first", kFirstRungs), kMid("mid", kMidRungs), kLast("last", kLastRungs);\n'
        'inline const Lesson kLesson{"07_made_up", "Which is first?", kFamilies};\n'
    )
    (folder / "z_table.cuh").write_text('inline constexpr Rung<First> kFirstRungs[] = {{"first", "in a late file"}};\n')
    assert [id_ for id_, _ in catalog.read_lesson("07_made_up").rungs] == ["first", "mid", "last"]


def test_a_lesson_that_is_not_built_is_listed_from_its_source(
    lessons: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "07_made_up: What is asked, and how?"
    assert lines[1] == "  not built: `./course run` builds it"
    assert lines[3] == "    second  an idea over two lines"


def test_a_built_lesson_lists_itself_and_its_further_programs(
    lessons: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = lessons / "build" / "default" / "lessons"
    folder.mkdir(parents=True)
    (folder / "07_made_up").write_text("#!/bin/sh\necho 'alone      what the program says'\n")
    (folder / "07_made_up").chmod(0o755)
    (lessons / "lessons" / "07_made_up" / "extra.cu").write_text("")
    assert cli.main(["list", "7"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:] == [
        "  built: default",
        "    alone  what the program says",
        "    and the program 07_made_up.extra: `./course run 07.extra`",
    ]


@pytest.mark.parametrize("words", [["list", "9"], ["run", "9"], ["list", "made_up"], ["run", "--no-setup", ""]])
def test_an_unknown_lesson_gets_one_line_and_exit_code_2(
    words: list[str], lessons: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(words) == 2
    error = capsys.readouterr().err
    assert error == f"course: there is no lesson '{words[-1]}' (there are: 07_made_up)\n"


def test_lessons_may_be_named_by_number_or_by_name(lessons: Path) -> None:
    for word in ("7", "07", "07_made_up", "07_made"):
        assert catalog.choose([word]) == ["07_made_up"]
    assert catalog.choose([]) == ["07_made_up"]
    assert catalog.choose(["7", "07"]) == ["07_made_up"]


def test_every_lesson_of_the_course_has_a_question_and_rungs() -> None:
    for name in catalog.names():
        lesson = catalog.read_lesson(name)
        assert lesson.question.endswith("?"), name
        assert lesson.rungs, name
        assert len({id_ for id_, _ in lesson.rungs}) == len(lesson.rungs), name


def test_the_source_says_what_the_built_programs_say() -> None:
    compared = 0
    for name in catalog.names():
        newest = max(path.stat().st_mtime for path in (paths.LESSONS / name).iterdir())
        for preset in catalog.built(name):
            if (paths.BUILD / preset / "lessons" / name).stat().st_mtime < newest:
                continue  # the source was changed since
            listed = catalog.listed([preset], name)
            if listed:
                compared += 1
                assert catalog.read_lesson(name).rungs == listed, f"{name}, {preset}"
    if compared == 0:
        pytest.skip("no lesson is built from the sources as they are")


def test_the_readme_lists_every_lesson_with_its_question_and_rungs() -> None:
    text = (paths.ROOT / "README.md").read_text(encoding="utf-8")
    text = text.partition("## The lessons")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| \[[^\]]*\]\(lessons/(\w+)/README\.md\) \| (.* \|)$", text, re.MULTILINE))
    assert list(rows) == catalog.names()
    for name, row in rows.items():
        lesson = catalog.read_lesson(name)
        question, rungs, _ = (cell.strip() for cell in row.split("|"))
        assert (name, question) == (name, lesson.question)
        assert (name, re.findall(r"`(\w+)`", rungs)) == (name, [rung for rung, _ in lesson.rungs])

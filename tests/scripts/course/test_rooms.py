# SPDX-License-Identifier: MIT
"""A room may include only what its line in rooms.cmake names (tests/support/check_rooms.py)."""

from __future__ import annotations

from pathlib import Path

import check_rooms

LINES = 'emu_inner_room(low "what all others need")\nemu_inner_room(high "what needs the\n  others" low TESTS top)\n'


def problems(folder: Path, lines: str, files: dict[str, str], behind: str = "") -> list[str]:
    (folder / "rooms.cmake").write_text(lines, encoding="utf-8")
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return check_rooms.problems(folder, "r/", behind=behind)


def test_downwards_is_allowed(tmp_path: Path) -> None:
    files = {"low/a.hpp": "#include <map>\n", "high/b.cpp": '#include "r/low/a.hpp"\n#include "elsewhere/x.hpp"\n'}
    assert problems(tmp_path, LINES, files) == []


def test_upwards_is_not(tmp_path: Path) -> None:
    found = problems(tmp_path, LINES, {"low/a.hpp": '#include "r/high/b.hpp"\n', "high/b.hpp": ""})
    assert found == ["low/a.hpp includes r/high/b.hpp, but low does not use high"]


def test_only_tests_include_what_is_for_tests(tmp_path: Path) -> None:
    lines = LINES + 'emu_inner_room(top "what needs them all" low high)\n'
    text = '#include "r/top/c.hpp"\n'
    files = {"low/a.hpp": "", "top/c.hpp": "", "high/b.test.cpp": text, "high/b.cpp": text}
    assert problems(tmp_path, lines, files) == ["high/b.cpp includes r/top/c.hpp, but high does not use top"]


def test_a_circle_cannot_be_written_down(tmp_path: Path) -> None:
    lines = 'emu_inner_room(a "one of the two" b)\nemu_inner_room(b "the other of them" a)\n'
    assert problems(tmp_path, lines, {"a/x.hpp": "", "b/x.hpp": ""}) == ["a uses b, which no line above names"]


def test_every_folder_has_its_line(tmp_path: Path) -> None:
    found = problems(tmp_path, 'emu_inner_room(a "words")\n', {"b/x.hpp": ""})
    assert found == [
        "a: 'words' does not say what the room is for",
        "there is no folder a",
        "rooms.cmake has no line for b",
    ]


OPEN = 'course_room(. "what lies in no folder")\ncourse_room(high "what needs the others" .)\n'


def test_the_folder_itself_may_be_a_room(tmp_path: Path) -> None:
    files = {"a.cuh": "", "high/b.hpp": '#include "r/a.cuh"\n'}
    assert problems(tmp_path, OPEN, files) == []
    found = problems(tmp_path, OPEN, {"a.cuh": '#include "r/high/b.hpp"\n'})
    assert found == ["a.cuh includes r/high/b.hpp, but . does not use high"]


def test_what_a_room_hides_belongs_to_it(tmp_path: Path) -> None:
    upwards = '#include "r/high/b.hpp"\n'
    files = {"a.hpp": "", "high/b.hpp": "", "library/a.cpp": upwards, "library/high/b.cpp": upwards}
    found = problems(tmp_path, OPEN, files, "library")
    assert found == ["library/a.cpp includes r/high/b.hpp, but . does not use high"]
    (tmp_path / "library" / "a.cpp").unlink()
    found = problems(tmp_path, OPEN, {"library/other/c.cpp": ""}, "library")
    assert found == ["rooms.cmake has no line for other"]


def test_an_empty_folder_is_no_room(tmp_path: Path) -> None:
    (tmp_path / "left_behind").mkdir()
    assert problems(tmp_path, LINES, {"low/a.hpp": "", "high/b.hpp": ""}) == []

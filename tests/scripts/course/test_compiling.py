# SPDX-License-Identifier: MIT
"""What all calls of a compiler share: the list of what it read, and folders that are whole or not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from warpladder.build import compiling
from warpladder.core.console import CourseError


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("judge: a.cpp /usr/include/b.h\n", ["a.cpp", "/usr/include/b.h"]),
        ("runner : a.cu \\\n  b.h \\\n    c.h\n", ["a.cu", "b.h", "c.h"]),  # as nvcc writes it
        ("x: my\\ scale.cu a\\#b.h $$c.h", ["my scale.cu", "a#b.h", "$c.h"]),
        ("x:\n", []),
        ("x: a:b.h", ["a:b.h"]),
    ],
)
def test_the_list_of_what_a_compiler_read(text: str, files: list[str]) -> None:
    assert compiling.listed(text) == files


def test_what_is_not_moved_to_its_place_goes_away(tmp_path: Path) -> None:
    with compiling.new_folder(tmp_path / "cache") as fresh:
        (fresh / "result").touch()
        fresh.rename(tmp_path / "cache" / "kept")
    with pytest.raises(RuntimeError), compiling.new_folder(tmp_path / "cache") as fresh:
        (fresh / "half").touch()
        raise RuntimeError
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["kept"]


def test_a_cache_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "cache").touch()
    with pytest.raises(CourseError, match="cannot write .*cache: ") as error, compiling.new_folder(tmp_path / "cache"):
        pass
    assert error.value.exit_code == 3

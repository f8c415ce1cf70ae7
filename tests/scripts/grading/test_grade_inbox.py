# SPDX-License-Identifier: MIT
"""What is handed in: found where students put it, and refused in one line where it is no submission."""

from __future__ import annotations

import json
import os
import random
import zipfile
from pathlib import Path

import pytest
from class_samples import link_in_a_zip
from exercise_samples import course

from warpladder.core.console import CourseError
from warpladder.exercises import catalog
from warpladder.grading import inbox
from warpladder.grading.inbox import Submission

EVERYTHING = catalog.everything()
LESSON = "04_warp_shuffle"


def read(path: Path) -> Submission:
    return inbox.read("s", path, EVERYTHING)


def make_zip(path: Path, **files: bytes | str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, data in files.items():
            pack.writestr(name, data)
    return path


@pytest.mark.parametrize("name", [f"{LESSON}/warp_sum.cuh", "warp_sum.cuh", f"work/{LESSON}/warp_sum.cuh"])
def test_a_file_is_found_wherever_it_lies(tmp_path: Path, name: str) -> None:
    assert read(make_zip(tmp_path / "a.zip", **{name: "text"})).files == {"warp_sum": b"text"}
    (tmp_path / "b" / name).parent.mkdir(parents=True)
    (tmp_path / "b" / name).write_text("text")
    assert read(tmp_path / "b").files == {"warp_sum": b"text"}


def test_what_submit_makes_is_understood(tmp_path: Path) -> None:
    file = tmp_path / "work" / LESSON / "warp_sum.cuh"
    file.parent.mkdir(parents=True)
    file.write_text("// mine\n")
    assert course("hint", "warp_sum", work=tmp_path / "work").returncode == 0
    made = course("submit", "--out", str(tmp_path / "anna.zip"), work=tmp_path / "work")
    assert made.returncode == 0, made.stderr
    found = read(tmp_path / "anna.zip")
    assert found.files == {"warp_sum": b"// mine\n"} and found.bad == ""
    assert found.hints == {"warp_sum": 1}


def test_the_one_in_the_lesson_counts_two_elsewhere_do_not(tmp_path: Path) -> None:
    pack = make_zip(tmp_path / "a.zip", **{f"{LESSON}/warp_sum.cuh": "right", "old/warp_sum.cuh": "old"})
    assert read(pack).files == {"warp_sum": b"right"}
    pack = make_zip(tmp_path / "b.zip", **{"new/warp_sum.cuh": "new", "old/warp_sum.cuh": "old"})
    assert read(pack).problems == {"warp_sum": "there are 2 files warp_sum.cuh"}


@pytest.mark.parametrize(
    "name", ["../warp_sum.cuh", "/etc/warp_sum.cuh", "a/../../x", "C:\\warp_sum.cuh", "..\\warp_sum.cuh"]
)
def test_a_path_that_leaves_the_zip(tmp_path: Path, name: str) -> None:
    found = read(make_zip(tmp_path / "a.zip", **{name: "text"}))
    assert found.bad.startswith("a path in it leaves its folder") and found.files == {}


def test_links(tmp_path: Path) -> None:
    link_in_a_zip(tmp_path / "a.zip")
    assert read(tmp_path / "a.zip").bad.startswith("there is a link in it")
    (tmp_path / "target").mkdir()
    (tmp_path / "b").symlink_to(tmp_path / "target")
    assert read(tmp_path / "b").bad == "it is a link"
    (tmp_path / "c").mkdir()
    (tmp_path / "target" / "warp_sum.cuh").write_text("text")
    (tmp_path / "c" / LESSON).symlink_to(tmp_path / "target")
    assert read(tmp_path / "c").files == {}, "a folder that is a link is not entered"


def test_pipes_are_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    os.mkfifo(tmp_path / "a" / "warp_sum.cuh")
    assert "no plain file" in read(tmp_path / "a").problems["warp_sum"]


def test_too_large(tmp_path: Path) -> None:
    found = read(make_zip(tmp_path / "a.zip", **{"warp_sum.cuh": bytes(2 << 20)}))
    assert found.problems == {"warp_sum": "warp_sum.cuh is larger than 1024 KiB"}
    many = {f"f{number}": "" for number in range(2100)}
    assert read(make_zip(tmp_path / "b.zip", **many)).bad == "it holds more than 2000 files"


def test_a_zip_that_lies_about_its_size(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", **{"warp_sum.cuh": bytes(4 << 20)})
    data = path.read_bytes().replace((4 << 20).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    path.write_bytes(data)
    found = read(path)
    assert found.files.get("warp_sum", b"") == bytes(10) or found.bad or found.problems, "never all of it"


_NOISE = random.Random(1).randbytes(4000)


@pytest.mark.parametrize(
    "data",
    [b"", b"PK", b"PK\x05\x06" + bytes(18) + b"x" * 7, _NOISE],
    ids=["empty", "a beginning", "an end", "noise"],
)
def test_damaged_zips(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.zip").write_bytes(data)
    found = read(tmp_path / "a.zip")
    assert found.files == {} and "\n" not in found.bad


def test_a_zip_with_a_damaged_member(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", **{"warp_sum.cuh": _NOISE[:1000]})
    data = bytearray(path.read_bytes())
    data[200] ^= 255
    path.write_bytes(data)
    assert read(path).bad.startswith("it cannot be read")


@pytest.mark.parametrize("text", ["[]", "{", '{"exercises": 5}', '{"exercises": {"warp_sum": []}}'])
def test_any_words_about_hints(tmp_path: Path, text: str) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "progress.json").write_text(text)
    assert read(tmp_path / "a").hints == {} and read(tmp_path / "a").bad == ""
    pack = make_zip(tmp_path / "a.zip", **{"warp_sum.cuh": "x"})
    with zipfile.ZipFile(pack, "a") as zipped:
        zipped.comment = text.encode()
    assert read(pack).hints == {} and read(pack).files == {"warp_sum": b"x"}


def collect(*paths: Path) -> list[str]:
    return [submission.student for submission in inbox.collect(paths, EVERYTHING)]


def test_a_class(tmp_path: Path) -> None:
    (tmp_path / "zoe" / LESSON).mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / "notes.txt").write_text("")
    make_zip(tmp_path / "anna.zip", **{"warp_sum.cuh": "x"})
    assert collect(tmp_path) == ["anna", "zoe"]
    assert collect(tmp_path / "anna.zip", tmp_path / "zoe") == ["anna", "zoe"]


@pytest.mark.parametrize("second", ["anna", "Anna"])
def test_the_same_student_twice(tmp_path: Path, second: str) -> None:
    make_zip(tmp_path / "anna.zip", **{"warp_sum.cuh": "x"})
    (tmp_path / second).mkdir()
    with pytest.raises(CourseError, match="two submissions of") as error:
        collect(tmp_path)
    assert error.value.exit_code == 2 and "\n" not in str(error.value)


def test_nothing_handed_in(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="no submissions"):
        collect(tmp_path)
    with pytest.raises(CourseError, match="there is no folder or zip"):
        collect(tmp_path / "nowhere")


def test_wrong_calls_of_grade(tmp_path: Path) -> None:
    for words in (["grade"], ["grade", str(tmp_path)], ["grade", "nowhere"], ["grade", str(tmp_path), "--seed", "-1"]):
        done = course(*words, work=tmp_path)
        assert done.returncode == 2 and done.stderr.count("\n") == 1, words
    (tmp_path / "rules.json").write_text(json.dumps({"schema": "other"}))
    done = course("grade", str(tmp_path), "--config", str(tmp_path / "rules.json"), work=tmp_path)
    assert done.returncode == 2 and done.stderr.count("\n") == 1

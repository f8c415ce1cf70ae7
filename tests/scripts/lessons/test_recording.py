# SPDX-License-Identifier: MIT
"""What scripts that write down what programs do have in common (warpladder/core/recording.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

from warpladder.core.recording import Recording, record_and_write


@pytest.fixture
def recording(tmp_path: Path) -> Recording:
    (tmp_path / "data.json").write_text("old\n")
    (tmp_path / "program").write_text("")
    return Recording("record_it", "08_no_such.program", tmp_path / "data.json", "it does something else now")


def test_a_check_says_what_differs_and_writes_nothing(
    recording: Recording, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "program"
    assert recording.make(["--check", str(program)], lambda given: "old\n" if given == program else "") == 0
    assert capsys.readouterr().err == ""
    assert recording.make(["--check", str(program)], lambda _: "new\n") == 1
    assert capsys.readouterr().err == "record_it: it does something else now\n"
    assert recording.file.read_text() == "old\n"


def test_without_words_the_file_is_written(
    recording: Recording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warpladder.core.recording.BUILD", tmp_path)
    (tmp_path / "default" / "lessons").mkdir(parents=True)
    (tmp_path / "default" / "lessons" / "08_no_such.program").write_text("")
    assert recording.make([], lambda program: f"{program.name}\n") == 0
    assert recording.file.read_text() == "08_no_such.program\n"


@pytest.mark.parametrize("words", [["--chek"], ["program"], ["--check", "a", "b"]])
def test_other_words_are_refused(recording: Recording, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert recording.make(words, lambda _: "new\n") == 2
    assert capsys.readouterr().err == "record_it: it takes --check, a program behind it, and nothing else\n"


@pytest.mark.parametrize(("program", "part"), [("08_no_such.program", "08.program"), ("11_none", "11")])
def test_what_is_not_built_is_told_with_the_command(
    program: str, part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("warpladder.core.recording.BUILD", tmp_path)
    assert Recording("record_it", program, tmp_path / "data.json", "").make([], lambda _: "new\n") == 2
    assert f"`./course run {part}` builds it" in capsys.readouterr().err
    assert not (tmp_path / "data.json").exists()


def test_what_is_recorded_on_a_gpu_can_be_written_anywhere(tmp_path: Path) -> None:
    parser, recording = record_and_write("what it does", tmp_path / "a.json")
    recording.add_argument("--only", default="")
    options = parser.parse_args(["record", "--only", "04"])
    assert (options.verb, options.file, options.preset, options.only) == ("record", tmp_path / "a.json", "gpu", "04")
    options = parser.parse_args(["--file", "b.json", "write", "--check"])
    assert (options.verb, options.file, options.check) == ("write", Path("b.json"), True)
    with pytest.raises(SystemExit):
        parser.parse_args([])

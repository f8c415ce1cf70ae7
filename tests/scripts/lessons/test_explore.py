# SPDX-License-Identifier: MIT
"""`course explore`: what it asks of the search program, and what it writes into the chapter."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import pytest

from warpladder import cli
from warpladder.build import cmake
from warpladder.core.console import CourseError
from warpladder.setup import machine, provision
from warpladder.verbs import explore


def options(*words: str) -> argparse.Namespace:
    return cli.make_parser().parse_args(["explore", *words])


def test_the_search_gets_what_was_asked() -> None:
    asked = options("stack_naive", "queue_ring", "--seeds", "7", "--memory", "weak", "--first-seed", "3", "--trace")
    assert explore.command(asked)[1:] == [
        *("--structure", "stack_naive", "--structure", "queue_ring", "--seeds", "7", "--first-seed", "3"),
        *("--policy", "both", "--memory", "weak", "--trace"),
    ]
    assert explore.command(options("--list"))[1:] == ["--list"]


@pytest.mark.parametrize(
    "words", (["--seeds", "0"], ["--seeds", "-1"], ["--policy", "fair"], ["--chapter"], ["stack", "--chapter"])
)
def test_wrong_input_gets_one_line_and_exit_code_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code: str | int | None
    try:
        code = cli.main(["explore", *words])
    except SystemExit as end:
        code = end.code
    assert code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_exit_code_is_that_of_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provision, "ensure_nvcc", lambda *_: "nvcc")
    monkeypatch.setattr(machine, "build_environment", lambda nvcc: {})
    monkeypatch.setattr(cmake, "build", lambda *_, **__: True)
    monkeypatch.setattr(explore, "command", lambda options: [sys.executable, "-c", "raise SystemExit(1)"])
    assert cli.main(["explore", "--no-setup"]) == 1
    monkeypatch.setattr(cmake, "build", lambda *_, **__: False)
    monkeypatch.setattr(explore, "command", lambda options: pytest.fail("nothing was built"))
    assert cli.main(["explore", "--no-setup"]) == 1


def prints(text: str, code: int = 0) -> list[str]:
    return [sys.executable, "-c", f"print({text!r}); raise SystemExit({code})"]


def test_the_trace_goes_between_the_markers_of_its_structure(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("no trace here\n")
    chapter = tmp_path / "3_stack.md"
    start = "a\n<!-- trace stack_naive:begin -->\nold\n<!-- trace stack_naive:end -->\nb\n"
    chapter.write_text(start)
    assert explore.page_of(tmp_path, "stack_naive") == chapter
    found = "stack_naive  12 runs  1.2 s\n  lost: 3 \n  step 1"
    assert explore.write_chapter(chapter, "stack_naive", prints(found, code=1)) == 1
    assert chapter.read_text() == start
    assert explore.write_chapter(chapter, "stack_naive", prints(found)) == 0
    expected = "<!-- trace stack_naive:begin -->\n```text\n  lost: 3\n  step 1\n```\n<!-- trace stack_naive:end -->"
    assert chapter.read_text() == f"a\n{expected}\nb\n"
    with pytest.raises(CourseError, match="no <!-- trace other:begin -->"):
        explore.write_chapter(explore.page_of(tmp_path, "other"), "other", prints(found))
    with pytest.raises(CourseError, match="no failing run"):
        explore.write_chapter(chapter, "stack_naive", prints("stack_naive  ok"))


def test_a_failed_build_is_explained(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Failing:
        def run(self, title: str, command: list[str], log: str, env: dict[str, str]) -> int:
            return subprocess.run([sys.executable, "-c", "raise SystemExit(1)"], check=False).returncode

        def say(self, text: str) -> None:
            print(text)

        def explain_failure(self, log: str) -> None:
            print(log)

    assert not cmake.build(Failing(), "emulator", "the search", 1, {})  # type: ignore[arg-type]
    assert capsys.readouterr().out == "configuring (preset emulator) failed\nconfigure.log\n"

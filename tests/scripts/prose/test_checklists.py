# SPDX-License-Identifier: MIT
"""Each line of the checklists names a command that exists, with options that exist, or says that a reader must look."""

from __future__ import annotations

import argparse
import re

import pytest
from chapters import ROOT

from warpladder import cli
from warpladder.lessons import catalog

PAGE = (ROOT / "docs" / "checklists.md").read_text(encoding="utf-8")
ROWS = [
    line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith(("| ---", "| the question"))
]
COMMANDS = sorted(set(re.findall(r"`\./course ([^`]*)`", PAGE)))


def test_there_is_a_list_for_each_stage() -> None:
    assert re.findall(r"^## (.*)$", PAGE, re.MULTILINE) == [
        "Design",
        "Implementation",
        "Optimisation",
        "Tests",
        "Deployment",
        "Review",
    ]
    assert len(ROWS) > 35


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[2:40])
def test_each_line_says_what_answers_it(row: str) -> None:
    _, question, answer, _ = (cell.strip() for cell in row.split("|"))
    assert question.endswith("?")
    assert re.search(r"`[^`]+`|\]\(|\breader\b|run it again", answer), answer


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_is_understood(command: str) -> None:
    """Parsed, not run: the commands of the chapters are run by another test."""
    words = command.split()
    assert words[0] in cli.VERBS
    parser = cli.make_parser([words[0]])
    known = {option for action in _actions(parser, words[0]) for option in action.option_strings}
    for word in words[1:]:
        if word.startswith("-"):
            assert word.partition("=")[0] in known, f"{words[0]} has no option {word}"
        if words[0] in ("run", "report") and re.match(r"\d\d", word):
            (catalog.choose_program if "." in word else lambda name: catalog.choose([name]))(word)


def _actions(parser: argparse.ArgumentParser, verb: str) -> list[argparse.Action]:
    verbs = next(each for each in parser._actions if isinstance(each, argparse._SubParsersAction))
    return list(verbs.choices[verb]._actions)

# SPDX-License-Identifier: MIT
"""Which walls stand between a submission and this machine: what `grade` says about them, and what it can insist on."""

from __future__ import annotations

from collections.abc import Iterable

from ..core.console import CourseError
from ..sandbox.sandbox import ALL, Plan

STANDING = {
    "network": "no network",
    "processes": "its own processes",
    "files": "its own files",
    "user": "another user",
    "calls": "few system calls",
    "group": "a control group for memory and processes",
}
MISSING = {
    "network": "it may use the network",
    "processes": "it shares the process tree of this machine",
    "files": "it can read all files that its user can",
    "user": "it runs as you",
    "calls": "it may make every system call",
    "group": "memory and processes are only looked at four times a second",
}
_STRICT = ALL - {"user"}  # an ordinary user has no other to give; root always gives one
HELP = "what must hold submissions, else nothing is run: strict, or names of walls with commas"


def said(plan: Plan) -> str:
    by = "bubblewrap" if plan.bwrap else "our own namespaces"
    words = [STANDING[name] + (f" (by {by})" if name == "files" else "") for name in STANDING if name in plan.stands]
    return "walls: " + (", ".join(words) or "none")


def notes(stands: frozenset[str]) -> list[str]:
    return [text for name, text in MISSING.items() if name not in stands]


def required(text: str) -> set[str]:
    """What `--require` asks for."""
    words = {word.strip() for word in text.split(",") if word.strip()}
    for word in sorted(words - ALL - {"strict"}):
        raise CourseError(f"--require: '{word}' is none of strict, {', '.join(sorted(ALL))}", exit_code=2)
    return (words - {"strict"}) | (_STRICT if "strict" in words else set())


def insist(wanted: Iterable[str], stands: frozenset[str]) -> None:
    missing = [MISSING[name] for name in MISSING if name in set(wanted) - stands]
    if missing:
        raise CourseError(
            f"--require: not all of it can be had here: {'; '.join(missing)} (docs/instructors.md)", exit_code=2
        )

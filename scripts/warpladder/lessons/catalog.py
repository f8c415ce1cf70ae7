# SPDX-License-Identifier: MIT
"""The lessons of the course: their names, their questions and their rungs.

Rungs and questions stand in one place, the tables kRungs and kLesson in the lesson's .cuh. A built program prints its
rungs with --list; for one that is not built the table is read from the source.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..core.console import CourseError
from ..core.paths import BUILD, LESSONS
from ..setup import machine

_COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\\n])*")', re.DOTALL)


_STRINGS = re.compile(r'"((?:\\.|[^"\\\n])*)"((?:\s*"(?:\\.|[^"\\\n])*")*)')


_RUNGS = re.compile(r"\bRung\b[\s\w:,<>]*?\b(k\w*)\s*(?:\[[^\]]*\])?\s*=?\s*\{")


_LESSON = re.compile(r"\bLesson\s+k\w+\s*=?\s*\{")


@dataclass(frozen=True)
class Lesson:
    name: str
    question: str
    rungs: tuple[tuple[str, str], ...]  # id, idea


def names() -> list[str]:
    """Every folder of lessons/ that has a program."""
    return sorted(main.parent.name for main in LESSONS.glob("[0-9][0-9]_*/main.cu"))


def choose(words: list[str]) -> list[str]:
    """The lessons meant by words such as 3, 03 or 03_divergence_free; all for none. In order, each once."""
    there = names()
    chosen = set()
    for word in words:
        number = f"{int(word):02d}_" if word.isdecimal() else word
        found = [name for name in there if word and name.startswith(number)]
        if len(found) != 1:
            what = "there is no lesson" if not found else "more than one lesson is called"
            raise CourseError(f"{what} '{word}' (there are: {', '.join(there)})", exit_code=2)
        chosen.add(found[0])
    return [name for name in there if not words or name in chosen]


def built(name: str) -> list[str]:
    """The presets whose build folder holds the lesson's program."""
    return sorted(path.parent.parent.name for path in BUILD.glob(f"*/lessons/{name}") if path.is_file())


def listed(presets: list[str], name: str) -> tuple[tuple[str, str], ...]:
    """What the built program says its rungs are; empty if it cannot be run."""
    lines = machine.output_of([str(BUILD / presets[0] / "lessons" / name), "--list"]).splitlines()
    return tuple((words[0], words[1]) for line in lines if len(words := line.split(None, 1)) == 2)


def further(lesson: str) -> list[str]:
    """The lesson's further programs, NN_topic.stem: every .cu of its folder but main.cu."""
    return sorted(f"{lesson}.{source.stem}" for source in (LESSONS / lesson).glob("*.cu") if source.stem != "main")


def experiments(lesson: str) -> list[str]:
    """Those of them that write a document. The source says it (common/program/experiment.cuh): what a plain run does
    not need is not built to be asked."""
    found = []
    for program in further(lesson):
        text = (LESSONS / lesson / f"{program.partition('.')[2]}.cu").read_text(encoding="utf-8")
        if "run_experiment" in text and "takes_json = false" not in text:
            found.append(program)
    return found


def choose_program(word: str) -> str:
    """The program meant by a word such as 04.toolbox; 04.main is the lesson's own."""
    number, _, stem = word.partition(".")
    lesson = choose([number])[0]
    there = {program.partition(".")[2]: program for program in further(lesson)}
    if stem == "main":
        return lesson
    if stem not in there:
        known = ", ".join(f"{number}.{name}" for name in there) or "none"
        raise CourseError(f"there is no program '{word}' (of lesson {lesson} there are: {known})", exit_code=2)
    return there[stem]


def read_lesson(name: str) -> Lesson:
    """The tables of a lesson's source; empty where the source has none. A lesson of families has a table for each, in
    whatever file; they come in the order in which the header that holds the lesson makes families of them."""
    question = ""
    header = ""
    tables: dict[str, list[tuple[str, str]]] = {}
    for source in sorted((LESSONS / name).glob("*.cuh")):
        text = _COMMENT.sub(lambda match: match.group(1) or " ", source.read_text(encoding="utf-8"))
        if match := _LESSON.search(text):
            question = (strings(braced(text, match.end())) + ["", ""])[1]
            header = text
        for match in _RUNGS.finditer(text):
            entries = [strings(entry) for entry in entries_of(braced(text, match.end()))]
            tables[match.group(1)] = [(entry[0], entry[1]) for entry in entries if len(entry) >= 2]
    in_order = sorted(tables, key=header.rfind)
    return Lesson(name, question, tuple(rung for table in in_order for rung in tables[table]))


def braced(text: str, start: int) -> str:
    """From behind an opening brace to the one that closes it; braces inside of strings do not count."""
    depth = 1
    for match in re.compile(r'"(?:\\.|[^"\\\n])*"|[{}]').finditer(text, start):
        depth += {"{": 1, "}": -1}.get(match.group(), 0)
        if depth == 0:
            return text[start : match.start()]
    return text[start:]


def entries_of(body: str) -> list[str]:
    """The {...} of a list, one by one."""
    entries, position = [], 0
    while match := re.compile(r'"(?:\\.|[^"\\\n])*"|\{').search(body, position):
        if match.group() != "{":
            position = match.end()
            continue
        entries.append(braced(body, match.end()))
        position = match.end() + len(entries[-1]) + 1
    return entries


def strings(text: str) -> list[str]:
    """The string literals, neighbours joined as the compiler joins them."""
    found = []
    for match in _STRINGS.finditer(text):
        parts = re.findall(r'"((?:\\.|[^"\\\n])*)"', match.group())
        found.append(re.sub(r"\\(.)", r"\1", "".join(parts)))
    return found

# SPDX-License-Identifier: MIT
"""Many files of exercises compiled at once, for whoever judges them all: one program with as many names.

nvcc takes longer to read the toolkit's headers than for a student's file. So files that include headers of the same
weight are compiled as one, each in a namespace of its own. A file sees headers there that only another one names:
includes.missing() tells without a compiler which it lacks. What cannot be compiled like this is left to compile.py, one
file at a time.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..core.console import CourseError
from ..core.paths import ROOT
from ..exercises.catalog import Exercise
from . import compile, includes

_MOST = 36  # files in one: what they take together is to fit into a compiler's limits
_LIMITS = replace(compile.LIMITS, seconds=600.0)
_SOURCE = "together.cu"
_STUDENT = "STUDENT_FILE"
_HEAVY = ("<cuda/", "<cooperative_groups")  # headers that take nvcc several times as long as all else
_LESSONS = '"lessons/'
_SHARED = ('"common/', _LESSONS)
_MACRO = re.compile(r"^#define (\w+)", re.MULTILINE)
_CALLED = """
#include <string>
static bool called(const std::string& path, const std::string& name) {
  return path.size() > name.size() && path.ends_with(name) && path[path.size() - name.size() - 1] == '/';
}
"""


@dataclass(frozen=True)
class _Piece:
    """A judge.cpp, or a run.cu with a student's file."""

    exercise: Exercise
    source: Path
    student: Path | None = None

    @property
    def name(self) -> str:
        return f"{self.exercise.name}-{self.student.stem if self.student else 'judge'}"

    def texts(self) -> list[str]:
        return [file.read_text(encoding="utf-8") for file in (self.source, self.student) if file]

    def includes(self) -> list[str]:
        found = (name for text in self.texts() for name in includes.named(text))
        return sorted({name for name in found if name != _STUDENT})

    def joined(self, number: int) -> str:
        """It in a namespace; its macros end with it."""
        opening = ["#define main called_main"]
        if self.student:
            opening.append(f'#define {_STUDENT} "{_copy(number, self.student)}"')
        macros = [f"#undef {name}" for text in self.texts() for name in _MACRO.findall(text)]
        closing = ["#undef main", *([f"#undef {_STUDENT}"] if self.student else []), *macros]
        lines = [f"namespace piece_{number} {{", *opening, f'#include "{self.source.relative_to(ROOT)}"', *closing, "}"]
        return "\n".join(lines)


@dataclass
class Programs:
    """What was compiled together. What is not here is compiled when it is needed."""

    runners: dict[Path, Path] = field(default_factory=dict)  # by the student's file
    judges: dict[str, Path] = field(default_factory=dict)  # by the exercise's name


def programs(wanted: Sequence[tuple[Exercise, Path]], nvcc: str, jobs: int) -> Programs:
    """The judges of some files, and their runners for the emulator. A file that does not compile keeps those of its
    group from being compiled together."""
    exercises = {exercise.name: exercise for exercise, _ in wanted}.values()
    judges = [_Piece(exercise, exercise.folder / "judge.cpp") for exercise in exercises]
    runners = [_Piece(exercise, exercise.folder / "run.cu", student) for exercise, student in wanted]
    made = Programs()
    with ThreadPoolExecutor(jobs) as pool:
        begun = [pool.submit(_join_runners, group, nvcc, made) for group in _groups(runners)]
        begun += [pool.submit(_join_judges, group, made) for group in _groups(judges)]
        for each in begun:
            with contextlib.suppress(CourseError):  # what fails here fails again alone, and is told then
                each.result()
    return made


def _groups(pieces: Iterable[_Piece]) -> list[list[_Piece]]:
    """Those of the same weight; one alone is no group. What has headers of its own stays alone."""
    found: dict[bool, list[_Piece]] = {}
    for piece in pieces:
        names = piece.includes()
        if not any(name.startswith('"') and not name.startswith(_SHARED) for name in names):
            found.setdefault(is_heavy(names), []).append(piece)
    parts = [group[i : i + _MOST] for group in found.values() for i in range(0, len(group), _MOST)]
    return [part for part in parts if len(part) > 1]


def is_heavy(names: Iterable[str]) -> bool:
    """Whether one of these headers takes long to read, or one of a lesson that they include."""
    lessons = [ROOT / name.strip('"') for name in names if name.startswith(_LESSONS)]
    inner = [includes.named(file.read_text(encoding="utf-8")) for file in lessons if file.is_file()]
    return any(name.startswith(_HEAVY) for name in names) or any(map(is_heavy, inner))


def _copy(number: int, student: Path) -> Path:
    return Path("student") / str(number) / student.name


def _text(group: Sequence[_Piece]) -> bytes:
    calls = [
        f'  if (called(argv[0], "{piece.name}")) return piece_{number}::called_main(argc, argv);'
        for number, piece in enumerate(group)
    ]
    lines = [f"#include {name}" for name in sorted({name for piece in group for name in piece.includes()})]
    lines += [piece.joined(number) for number, piece in enumerate(group)]
    lines += [_CALLED, "int main(int argc, char** argv) {", *calls, "  return 127;", "}", ""]
    return "\n".join(lines).encode()


def _join_runners(group: Sequence[_Piece], nvcc: str, made: Programs) -> None:
    copies = {Path(_SOURCE): _text(group)}
    for number, piece in enumerate(group):
        files = [*compile.headers(piece.exercise), piece.source]
        copies |= {Path("course") / file.relative_to(ROOT): file.read_bytes() for file in files}
        assert piece.student is not None
        copies[_copy(number, piece.student)] = piece.student.read_bytes()
    support = compile.common_parts(nvcc, compile.headers(group[0].exercise))
    command = [*compile.runner_command(nvcc, compile.EMULATED), _SOURCE, *map(str, support)]
    readable = [*support, Path(nvcc).resolve().parent.parent]
    result = compile.build("together", command, [], copies, _LIMITS, readable)
    for piece in group if result.program else ():
        assert result.program is not None and piece.student is not None
        made.runners[piece.student] = _named(result.program, piece.name)


def _join_judges(group: Sequence[_Piece], made: Programs) -> None:
    shared = sorted({file for piece in group for file in compile.headers(piece.exercise)})
    copies = {Path("judges.cpp"): _text(group)}
    command = [*compile.judge_command(shared), "judges.cpp"]
    result = compile.build("judges", command, [*(piece.source for piece in group), *shared], copies, trusted=True)
    for piece in group if result.program else ():
        assert result.program is not None
        made.judges[piece.exercise.name] = _named(result.program, piece.name)


def _named(program: Path, name: str) -> Path:
    """The program by another name, which is how it is told what to do."""
    link = program.with_name(name)
    with contextlib.suppress(FileExistsError):
        os.link(program, link)
    return link

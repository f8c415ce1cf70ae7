# SPDX-License-Identifier: MIT
"""Compiles an exercise's judge, and its runner together with a student's file. What was compiled before is kept.

The cache is build/exercises: a result is found by the hash of everything it is made from, so it is never stale and may
be deleted at any time.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..build import compiling
from ..core.console import CourseError
from ..core.paths import BUILD, ROOT
from ..core.plain import one_line, small_number
from ..exercises.catalog import Exercise
from ..sandbox import sandbox, untrusted
from ..sandbox.allowance import Allowance
from ..setup import machine
from . import includes

CACHE = BUILD / "exercises"
_KEPT = 2000  # results; about 100 KB each
_DEPENDENCIES = compiling.DEPENDENCIES
EMULATED = "-arch=compute_90"  # PTX alone
LIMITS = sandbox.Limits(120.0, memory_bytes=8 << 30, output_bytes=4 << 20, file_bytes=256 << 20, processes=256)
_LARGEST_PROGRAM, _LARGEST_LIST = 8 << 20, 1 << 20  # bytes; a program has about 100 KB, its list of files 50
# "path(12): error: text" is nvcc's own, "path:12:5: error: text" that of the host compiler.
_ERROR = re.compile(
    r"^(?P<file>[^\s(:][^(:]*)(?:\((?P<a>\d+)\)|:(?P<b>\d+)(?::\d+)?):? ?(?:fatal )?error\b:?\s*"
    r"(?:#\d+(?:-D)?: )?(?P<text>.*)"
)
_LONGEST_LINE = 4000  # of what a compiler says; longer ones are a student's doing


Copies = Mapping[Path, bytes]


@dataclass(frozen=True)
class CompileError:
    """The first error of a file that does not compile."""

    file: str
    line: int
    text: str
    source: str
    more: int  # errors behind it
    output: str
    limit: str = ""  # what stopped the compiler, if it was stopped

    @property
    def where(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True)
class Compiled:
    program: Path | None
    error: CompileError | None = None
    cached: bool = False


def judge(exercise: Exercise) -> Path:
    """The exercise's judge as a program."""
    source, shared = exercise.folder / "judge.cpp", headers(exercise)
    result = build("judge", [*judge_command(shared), str(source)], [source, *shared], trusted=True)
    if result.program is None:
        assert result.error is not None
        raise CourseError(f"the judge of {exercise.name} does not compile: {result.error.output[-2000:]}")
    return result.program


def judge_command(shared: list[Path]) -> list[str]:
    """What a judge's source is added to."""
    compiler = host_compiler()
    parts = [common_part(compiler, name, shared) for name in ("judge", "arrays")]
    return [compiler, "-std=c++20", "-O1", f"-I{ROOT}", *map(str, parts)]


def ahead(exercise: Exercise, nvcc: str) -> None:
    """Compiles what needs neither the student's file nor the emulator. What fails here fails again where it is used."""
    with contextlib.suppress(CourseError, OSError, subprocess.SubprocessError):
        common_parts(nvcc, headers(exercise))
        judge(exercise)


def runner(
    exercise: Exercise,
    student: Path,
    nvcc: str,
    gpu: bool,
    limits: sandbox.Limits = LIMITS,
    allowance: Allowance | None = None,
) -> Compiled:
    """The exercise's runner with the student's file in it.

    It is compiled from copies: what is hashed is what is compiled, whatever an editor does meanwhile, and neither a
    file beside the student's nor a solution can be included.
    """
    shared = [*headers(exercise), exercise.folder / "run.cu"]
    support = common_parts(nvcc, headers(exercise))
    name = student.name if re.fullmatch(r"[\w.-]+", student.name) else f"{exercise.name}.cuh"
    text = student.read_bytes()
    if path := includes.forbidden(text):
        return Compiled(None, CompileError(name, 0, f'#include "{path}": {includes.ALLOWED}', "", 0, ""))
    copies = {Path("student") / name: text}
    copies |= {Path("course") / file.relative_to(ROOT): file.read_bytes() for file in shared}
    command = runner_command(nvcc, _gpu_architecture() if gpu else EMULATED)
    command.append(f'-DSTUDENT_FILE="student/{name}"')
    command += [str(Path("course") / (exercise.folder / "run.cu").relative_to(ROOT)), *map(str, support)]
    readable = [*support, Path(nvcc).resolve().parent.parent]
    return build("runner", command, [], copies, limits, readable, allowance=allowance)


def runner_command(nvcc: str, architecture: str) -> list[str]:
    """What a runner's source is added to, beside copies of what it may include."""
    command = [nvcc, "-std=c++20", "-lineinfo", "-cudart=shared", architecture, "-Icourse", "-I."]
    return [*command, "-MD", "-MF", _DEPENDENCIES]


@functools.lru_cache(maxsize=1)
def _gpu_architecture() -> str:
    """Asked here: in its sandbox the compiler sees no GPU."""
    answer = machine.output_of(["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"])
    match = re.match(r"(\d+)\.(\d+)", answer)
    return f"-arch=sm_{match.group(1)}{match.group(2)}" if match else "-arch=native"


def common_parts(nvcc: str, shared: list[Path]) -> list[Path]:
    """The parts of a runner that are the same for all exercises."""
    return [common_part(nvcc, "run", shared), common_part(host_compiler(), "arrays", shared)]


def host_compiler() -> str:
    compiler = machine.tool("g++")
    if compiler is None:
        raise CourseError("a C++ compiler is needed: `sudo apt-get install g++`", exit_code=3)
    return compiler


def common_part(compiler: str, name: str, shared: list[Path]) -> Path:
    """A file of common/exercise that is compiled once for all exercises."""
    source = ROOT / "common" / "exercise" / f"{name}.cpp"
    common = [file for file in shared if file.is_relative_to(ROOT / "common")]
    result = build(
        f"{name}.o", [compiler, "-std=c++20", "-O1", f"-I{ROOT}", "-c", str(source)], [source, *common], trusted=True
    )
    if result.program is None:
        assert result.error is not None
        raise CourseError(f"common/exercise/{name}.cpp does not compile: {result.error.output[-2000:]}")
    return result.program


def headers(exercise: Exercise) -> list[Path]:
    """What run.cu, judge.cpp and a student's file may include besides the toolkit: common/ and their own lesson."""
    headers = [*(ROOT / "common").rglob("*.?pp"), *(ROOT / "common").rglob("*.cuh")]
    headers = [header for header in headers if ".test." not in header.name]
    return sorted([*headers, *exercise.folder.parent.parent.glob("*.cuh"), *exercise.folder.glob("*.hpp")])


def _key(command: Sequence[str], files: Iterable[Path], copies: Copies) -> str:
    digest = hashlib.sha256()
    for word in command:
        digest.update(word.encode() + b"\0")
    for file in files:
        digest.update(file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    for path, data in copies.items():
        digest.update(str(path).encode() + b"\0" + hashlib.sha256(data).digest())
    return digest.hexdigest()[:32]


def build(
    what: str,
    command: Sequence[str],
    files: list[Path],
    copies: Copies | None = None,
    limits: sandbox.Limits = LIMITS,
    readable: Sequence[Path] = (),
    trusted: bool = False,
    allowance: Allowance | None = None,
) -> Compiled:
    """Compiles into the cache, unless it is there. An error is kept too: it does not change either."""
    copies = copies or {}
    version = machine.output_of([command[0], "--version"])
    place = CACHE / f"{what}-{_key([*command, version], files, copies)}"
    program, log = place / what, place / "errors.txt"
    if program.exists():
        os.utime(place)
        return Compiled(program, cached=True)
    if log.exists():
        return Compiled(None, first_error(_logged(log), *_of_student(copies)), cached=True)
    with compiling.new_folder(CACHE) as fresh:
        for path, data in copies.items():
            (fresh / path).parent.mkdir(parents=True, exist_ok=True)
            (fresh / path).write_bytes(data)
        words = [*command, "-o", what]
        record = _run_trusted(words, fresh) if trusted else sandbox.run(words, fresh, limits, None, readable, allowance)
        output = record.stdout + record.stderr
        if record.limit is not None:  # perhaps the machine was busy: not kept
            text = f"the compiler was stopped by its limit on {record.limit}"
            return Compiled(None, CompileError("", 0, text, "", 0, output, record.limit))
        ok = record.ok and _is_plain(fresh / what)
        if ok and not trusted and (wrong := _refused(fresh, what, readable)):
            ok, output = False, f"{next(iter(copies)).name}(1): error: {wrong}"
        if not ok:
            (fresh / what).unlink(missing_ok=True)
            (fresh / "errors.txt").write_text(output, encoding="utf-8")
        _keep(fresh, what)
        _move(fresh, place)
        compiling.prune(CACHE, _KEPT)
    return Compiled(program) if ok else Compiled(None, first_error(output, *_of_student(copies)))


def _refused(folder: Path, what: str, readable: Sequence[Path]) -> str:
    """Why a program that compiled is not kept."""
    if (folder / what).stat().st_size > _LARGEST_PROGRAM:
        return f"the program is larger than {_LARGEST_PROGRAM >> 20} MiB"
    listing = untrusted.read(folder, _DEPENDENCIES, _LARGEST_LIST)
    if listing is None:
        return "what it includes could not be found out"
    path = includes.elsewhere(listing.decode("utf-8", "replace"), folder, readable)
    return f"{path} is included: {includes.ALLOWED}" if path else ""


def _run_trusted(command: Sequence[str], folder: Path) -> sandbox.Record:
    """For what we wrote ourselves: it may include anything."""
    start = time.monotonic()
    run = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=600
    )
    return sandbox.Record(run.returncode, None, None, run.stdout, run.stderr, time.monotonic() - start)


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _keep(folder: Path, what: str) -> None:
    """What stays in the cache belongs to whoever runs the course, and all may read it."""
    shutil.rmtree(folder / "course", ignore_errors=True)
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            os.chown(path, os.geteuid(), os.getegid())
            path.chmod(0o755 if path.is_dir() or path.name == what else 0o644)


def _move(fresh: Path, place: Path) -> None:
    """Another process may have made the same at the same time; then that one stays."""
    try:
        fresh.rename(place)
    except OSError:
        if not place.exists():
            raise


def first_error(output: str, name: str = "", student: bytes = b"") -> CompileError:
    """The first error a compiler names, not the flood behind it. `student`: the file of this name that it compiled.

    The line that is shown comes from these bytes. A #line in them can name any file there is, so none is opened here.
    """
    found = [match for line in output.splitlines() if (match := _ERROR.match(line[:_LONGEST_LINE]))]
    if not found:
        lines = [line for line in output.splitlines() if line.strip()]
        text = next((line for line in lines if "error" in line or "undefined" in line), "the compiler failed")
        return CompileError("", 0, one_line(text.strip(), 1000), "", 0, output)
    match = found[0]
    number = small_number(match.group("a") or match.group("b")) or 0
    path, text = match.group("file").strip(), one_line(match.group("text").strip(), 1000) or "error"
    source = _source_line(student, number) if os.path.normpath(path) == f"student/{name}" else ""
    return CompileError(one_line(Path(path).name), number, text, source, len(found) - 1, output)


def _of_student(copies: Copies) -> tuple[str, bytes]:
    return next(((path.name, text) for path, text in copies.items() if path.parts[0] == "student"), ("", b""))


def _source_line(text: bytes, number: int) -> str:
    lines = text.decode("utf-8", "replace").splitlines()
    return one_line(lines[number - 1].strip()) if 0 < number <= len(lines) else ""


def _logged(log: Path) -> str:
    with log.open(encoding="utf-8", errors="replace") as file:
        return file.read(LIMITS.output_bytes)

# SPDX-License-Identifier: MIT
"""Compiles a user's sources for the emulator, once: the result is kept until a source, a header or a flag changes.

The cache is build/emulate. A result lies in a folder named by its command; beside it is a list of the files that it was
made from, with their hashes. It may be deleted at any time.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..build import compiling
from ..core.console import CourseError
from ..core.paths import BUILD
from ..setup import machine
from .settings import wrong

CACHE = BUILD / "emulate"
SOURCES = (".cu", ".cpp", ".cc", ".cxx", ".c++", ".c")
LINKED = (".o", ".a", ".so")
_NO_PROGRAM = frozenset("-c -dc -dw -dlink -ptx -cubin -fatbin -lib -shared -E -M --compile --run".split())
_KEPT = 200  # results
_INPUTS = "inputs.json"
_VARIABLES = ("NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN", "CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH")


@dataclass(frozen=True)
class Job:
    """What is compiled: the first source names the program."""

    sources: tuple[Path, ...]  # also objects and libraries
    flags: tuple[str, ...]  # the user's
    sm: int
    nvcc: str
    say: Callable[[str], None]
    verbose: bool = False


def check_flags(flags: Sequence[str]) -> None:
    """Refuses what would not give a program that the emulator can run."""
    for flag in flags:
        if re.match(r"--?cudart\b", flag):
            raise wrong(f"leave out {flag}: the emulator takes the place of the shared runtime")
        if re.match(r"(-o|--output-file)\b", flag):
            raise wrong(f"leave out {flag} of --nvcc-flags: `./course emulate -o FILE` keeps the program")
        if flag in _NO_PROGRAM:
            raise wrong(f"leave out {flag}: nvcc makes no program with it")


def all_flags(flags: Sequence[str], sm: int) -> list[str]:
    """Ours, where the user's say nothing else."""

    def has(pattern: str) -> bool:
        return any(re.match(pattern, flag) for flag in flags)

    ours = ["-cudart=shared"]
    ours += [] if has(r"--?std\b") else ["-std=c++20"]
    ours += [] if has(r"-lineinfo|--generate-line-info|-G$|--device-debug") else ["-lineinfo"]
    ours += [] if has(r"--?(arch|gencode|gpu-architecture|generate-code)\b") else [f"-arch=compute_{sm}"]
    return [*ours, *flags]


def program(job: Job) -> Path:
    """The program, from the cache or compiled now."""
    flags = all_flags(job.flags, job.sm)
    name = job.sources[0].stem
    sources = [path for path in job.sources if path.suffix in SOURCES]
    if len(sources) == 1:
        rest = [path for path in job.sources if path not in sources]
        return _made(job, name, [*flags, str(sources[0]), *map(str, rest)], rest, sources[0])
    parts = [_made(job, f"{p.stem}.o", [*flags, "-c", str(p)], [], p) if p in sources else p for p in job.sources]
    return _made(job, name, [*flags, *map(str, parts)], parts, None)


def _made(job: Job, name: str, words: list[str], inputs: Sequence[Path], source: Path | None) -> Path:
    """The result of one call of nvcc. `inputs`: besides what the compiler itself reports to have read."""
    place = CACHE / _key(job.nvcc, words)
    if _is_fresh(place, name):
        with contextlib.suppress(OSError):  # another call may replace it at this moment
            os.utime(place)
        return place / name
    job.say(f"compiling {source}" if source else f"linking {name}")
    with compiling.new_folder(CACHE) as fresh:
        before = time.time()
        listing = fresh / compiling.DEPENDENCIES
        command = [job.nvcc, *words, *(["-MD", "-MF", str(listing)] if source else []), "-o", str(fresh / name)]
        if job.verbose:
            job.say("$ " + shlex.join(command))
        _call(command, job.nvcc, f"{source} does not compile" if source else f"{name} cannot be linked")
        read = [*inputs, *_libraries(words), *(_listed(listing) if source else [])]
        _note(fresh / _INPUTS, read, before)
        _replace(fresh, place, name)
    compiling.prune(CACHE, _KEPT)
    return place / name


def _replace(fresh: Path, place: Path, name: str) -> None:
    """Another call may have made the same meanwhile, and be about to start it: then that one stays."""
    old = fresh.with_name(f"{fresh.name}-old")
    for _ in range(10):
        if _is_fresh(place, name):
            break
        with contextlib.suppress(OSError):
            place.rename(old)
        with contextlib.suppress(OSError):
            fresh.rename(place)
            break
    shutil.rmtree(old, ignore_errors=True)


def _call(command: list[str], nvcc: str, failure: str) -> None:
    """The compiler speaks to the user itself; standard output belongs to the program."""
    run = subprocess.run(command, env=machine.build_environment(nvcc), stdin=subprocess.DEVNULL, stdout=sys.stderr)
    if run.returncode != 0:
        raise CourseError(failure)


def _key(nvcc: str, words: Iterable[str]) -> str:
    compiler = Path(nvcc).resolve()
    known = [str(compiler), str(compiler.stat().st_mtime_ns), str(Path.cwd())]
    known += [os.environ.get(variable, "") for variable in _VARIABLES]
    return hashlib.sha256("\0".join([*known, *words]).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _libraries(words: Sequence[str]) -> list[Path]:
    """The user's own libraries: those of -l that lie in a folder of -L."""
    folders = [word[2:] for word in words if word.startswith("-L")]
    names = [word[2:] for word in words if word.startswith("-l") and word != "-lineinfo"]
    paths = [Path(folder) / f"lib{name}.{end}" for folder in folders for name in names for end in ("so", "a")]
    return [path for path in paths if path.exists()]


def _listed(listing: Path) -> list[Path]:
    return [Path(word) for word in compiling.listed(listing.read_text(encoding="utf-8", errors="surrogateescape"))]


def _note(file: Path, inputs: Iterable[Path], before: float) -> None:
    """Writes down what a result was made from. A file that changed meanwhile gets a hash that never fits."""

    def hash_of(path: Path) -> str:
        with contextlib.suppress(OSError):
            return _hash(path) if path.stat().st_mtime < before else ""
        return ""

    file.write_text(json.dumps({os.path.abspath(path): hash_of(path) for path in inputs}), encoding="utf-8")


def _is_fresh(place: Path, name: str) -> bool:
    """Whether the result is there, and made from the files as they are now."""
    try:
        inputs = json.loads((place / _INPUTS).read_text(encoding="utf-8"))
        return (place / name).exists() and all(_hash(Path(path)) == known for path, known in inputs.items())
    except (OSError, ValueError, AttributeError):
        return False


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@functools.cache
def split(text: str) -> tuple[str, ...]:
    """The words of --nvcc-flags, as a shell would split them."""
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise wrong(f"--nvcc-flags: {str(error).lower()} in {text}") from None

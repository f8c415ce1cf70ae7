# SPDX-License-Identifier: MIT
"""Runs a program on the emulator and writes the report of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.console import CourseError
from . import gather, perfetto, steps
from .page import page

_MOST_OF_A_TRACE = 8 << 20  # bytes
_DATA = '<script type="application/json" id="data">'


@dataclass(frozen=True)
class Wish:
    """What is to be written of a run."""

    report: Path | None = None
    perfetto: Path | None = None
    baseline: dict[str, Any] | None = None  # of an earlier report
    title: str = "Report"
    may_show: tuple[Path, ...] = ()  # folders whose files may be quoted
    first: Path | None = None  # kernels from files of this folder come first


def baseline(file: Path) -> dict[str, Any]:
    """The kernels of an earlier report, out of its page."""
    try:
        text = file.read_text(encoding="utf-8")
        begin = text.index(_DATA) + len(_DATA)
        data = json.loads(text[begin : text.index("</script>", begin)])
        kernels = data["kernels"]
    except (OSError, ValueError, KeyError, TypeError):
        raise CourseError(f"{file} is no report: name one that `--report` wrote", exit_code=2) from None
    return {"kernels": [{**kernel, "instructions": [], "requests": [], "warps": []} for kernel in kernels]}


def run(program: Path, words: Sequence[str], environment: Mapping[str, str], wish: Wish) -> int:
    """The program's exit code; a report is written however it ended, unless it launched nothing at all."""
    with tempfile.TemporaryDirectory(prefix="warpladder-") as folder:
        counters = Path(environment.get("WARPLADDER_COUNTERS") or Path(folder) / "counters.json")
        pictures = Path(environment.get("WARPLADDER_PICTURE") or Path(folder) / "pictures.json")
        settings = {**environment, "WARPLADDER_COUNTERS": str(counters), "WARPLADDER_PICTURE": str(pictures)}
        trace = Path(folder) / "trace.txt"
        scheduled = bool({**os.environ, **settings}.get("WARPLADDER_SCHEDULE"))
        if scheduled and "WARPLADDER_TRACE" not in settings:  # the order is what a schedule is about
            settings["WARPLADDER_TRACE"] = str(trace)
        found = Path(folder) / "findings.json"
        if {**os.environ, **settings}.get("WARPLADDER_CHECK") and "WARPLADDER_CHECK_TO" not in settings:
            settings["WARPLADDER_CHECK_TO"] = str(found)
        code = _wait(program, words, settings)
        data = gather.data(counters, pictures, wish.may_show)
        if wish.first:
            data["kernels"].sort(
                key=lambda kernel: not any(wish.first in Path(file).parents for file in kernel["files"])
            )
        if found.is_file():
            data["findings"] = json.loads(found.read_text(encoding="utf-8", errors="replace"))["findings"]
        if trace.is_file():
            data["traces"] = steps.traces(_beginning(trace))
    write(data, wish, f"Exit code of the program: {code}.")
    return code


def write(data: dict[str, Any], wish: Wish, about: str) -> None:
    if wish.baseline:
        data["baseline"] = wish.baseline
    if wish.report:
        where = f"On an emulated {data['device']['name']}; times are modelled. "
        _write(wish.report, page(wish.title, where + about, data))
    if wish.perfetto:
        _write(wish.perfetto, json.dumps(perfetto.trace(data), separators=(",", ":")))


def _wait(program: Path, words: Sequence[str], environment: Mapping[str, str]) -> int:
    """An interrupt is for the program; what it did until then is still reported."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with subprocess.Popen(
            list(words), executable=program, env={**os.environ, **environment}, preexec_fn=_as_usual
        ) as process:
            code = process.wait()
    except OSError as error:
        raise CourseError(f"{words[0]} cannot be started: {error.strerror}", exit_code=2) from None
    finally:
        signal.signal(signal.SIGINT, before)
    return code if code >= 0 else 128 - code


def _beginning(file: Path) -> str:
    with file.open("rb") as opened:
        return opened.read(_MOST_OF_A_TRACE).decode("utf-8", "replace")


def _as_usual() -> None:
    for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)


def _write(file: Path, text: str) -> None:
    """Never half: whoever looks at it sees the old one or the new one."""
    try:
        fresh = file.with_name(f".{file.name}.new")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(file)
    except OSError as error:
        raise CourseError(f"{file} cannot be written: {error.strerror}", exit_code=2) from None

# SPDX-License-Identifier: MIT
"""What may be fetched from the package index: scripts/pinned.json names every file with its hash and size.

`scripts/pin.py` writes that file. A version of the CUDA compiler that is not in it is looked up in the index.
"""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core.console import Console, CourseError
from ..core.paths import PINS, TOOLKIT
from . import index

MACHINES = ("x86_64", "aarch64")
CACHE = TOOLKIT / "cache"
_MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Pin:
    """One file of the index for this machine."""

    project: str
    version: str
    name: str
    sha256: str
    bytes: int


def machine_name() -> str:
    name = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine())
    if platform.system() != "Linux" or name not in MACHINES:
        raise CourseError(
            f"there is no nvcc for {platform.system()} {name}: Linux on x86-64 or arm64 is needed", exit_code=3
        )
    return name


def of(name: str, machine: str = "") -> list[Pin]:
    """The files of one entry ("cuda", "cmake"), for this machine unless another is named."""
    machine = machine or machine_name()
    entries = json.loads(PINS.read_text(encoding="utf-8"))[name]
    pins = []
    for entry in entries:
        file = entry["files"].get("any") or entry["files"][machine]
        pins.append(Pin(entry["project"], entry["version"], file["name"], file["sha256"], file["bytes"]))
    return pins


def megabytes(pins: Sequence[Pin]) -> str:
    size = sum(pin.bytes for pin in pins) / _MEGABYTE
    return f"{size:.0f} MB" if size >= 10 else f"{size:.1f} MB"


def fetch(console: Console, title: str, pins: Sequence[Pin]) -> list[Path]:
    """The files, verified, in the cache; what an interrupted run has left there is used. The caller holds the lock."""
    CACHE.mkdir(parents=True, exist_ok=True)
    paths = []
    total, before = sum(pin.bytes for pin in pins), 0
    for pin in pins:
        path = CACHE / pin.name
        if not (path.exists() and index.digest(path) == pin.sha256):
            progress = _Progress(console, title, pin.project, before, total)
            index.fetch(_link(pin), path, pin.bytes, pin.sha256, progress.at)
        before += pin.bytes
        paths.append(path)
    return paths


class _Progress:
    """Says how far a fetch is, once per megabyte."""

    def __init__(self, console: Console, title: str, name: str, before: int, total: int) -> None:
        self._console, self._title, self._name = console, title, name
        self._before, self._total = before, total // _MEGABYTE + 1
        self._shown = -1

    def at(self, done: int) -> None:
        now = (self._before + done) // _MEGABYTE
        if now != self._shown:
            self._shown = now
            self._console.progress(self._title, now, self._total, self._name, " MB")


def _link(pin: Pin) -> index.Link:
    for link in index.links(pin.project):
        if link.name == pin.name:
            return link
    raise index.IndexUnreachable(f"{index.address()} has no {pin.name}")


# ---- looking up what is not pinned


def look_up(project: str, version: str, machine: str, source: bool = False) -> Pin:
    """The file of a project's version for a machine, a wheel or its source; "13.0.*" means the newest of those."""
    wanted = re.escape(version).replace(r"\.\*", r"(?:\.\d+)*")
    stem = re.escape(project).replace(r"\-", "[-_.]") + f"-(?P<version>{wanted})"
    kind = r"\.tar\.gz" if source else rf"-.*(?:none-any|manylinux[^-]*_{machine})\.whl"
    pattern = re.compile(stem + kind, re.IGNORECASE)
    found = [(match["version"], link) for link in index.links(project) if (match := pattern.fullmatch(link.name))]
    if not found:
        raise CourseError(f"the package index has no {project} {version} for {machine}", exit_code=2)
    newest, link = max(found, key=lambda pair: numbers(pair[0]))
    return Pin(project, newest, link.name, link.sha256, index.size_of(link))


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))

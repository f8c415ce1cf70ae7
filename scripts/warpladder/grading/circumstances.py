# SPDX-License-Identifier: MIT
"""All that an outcome depends on besides the file, as one hash: if it is the same, nothing has to be judged again."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from ..build.backend import Backend
from ..core.paths import ROOT, SCRIPTS
from ..setup import machine
from .config import Item, Rules

_OF_AN_EXERCISE = ("exercise.json", "*.cu", "*.cpp", "*.hpp", "*.cuh")


def of(item: Item, rules: Rules, where: Backend, seed: int) -> str:
    """Points, weights and the due date are not in it: grades are made from outcomes each time."""
    exercise = item.exercise
    files = [file for pattern in _OF_AN_EXERCISE for file in exercise.folder.glob(pattern)]
    files += exercise.folder.parent.parent.glob("*.cuh")
    words = [
        str(seed),
        rules.hidden_seeds,
        rules.compile_seconds,
        rules.run_seconds,
        vars(rules.allowance())["seconds"],
        vars(rules.allowance())["cpu_seconds"],
        where.stages,
        bool(item.performance) and where.gpu,
        _machine(where),
        _course(),
        _hash(files),
    ]
    return hashlib.sha256(json.dumps(words).encode()).hexdigest()[:32]


@functools.lru_cache(maxsize=4)
def _machine(where: Backend) -> str:
    """The compiler, the emulator, and the GPU where it takes part."""
    digest = hashlib.sha256(machine.output_of([where.nvcc, "--version"]).encode())
    if where.emulator is not None:
        digest.update(_hash(sorted(where.emulator.glob("libcudart.so*"))[:1]).encode())
    if where.gpu:
        digest.update(repr(machine.gpus()).encode())
    return digest.hexdigest()


@functools.lru_cache(maxsize=1)
def _course() -> str:
    """What judges, runs and words a verdict."""
    common = [file for file in (ROOT / "common").rglob("*") if file.suffix in (".hpp", ".cuh", ".cpp", ".cu")]
    return _hash([*common, *(SCRIPTS / "warpladder").rglob("*.py")])


def _hash(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()

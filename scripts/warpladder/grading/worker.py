# SPDX-License-Identifier: MIT
"""What runs on another machine or in another process: judges one file, and proves which course it did that with.

Only plain data goes over the wire, both ways. The proof is a hash of all that judges, with a number that the master has
just thought of: a worker cannot have it from before its files were changed.
"""

from __future__ import annotations

import functools
import hashlib
import json
import tempfile
from pathlib import Path
from typing import Any

from ..build import backend
from ..build.backend import Backend
from ..core.console import Console
from ..core.paths import ROOT, SCRIPTS
from ..sandbox import sandbox
from ..sandbox.allowance import Allowance
from ..setup import machine
from . import config
from .grader import Grader
from .outcome import Outcome

_SOURCES = (".cpp", ".cu", ".cuh", ".def", ".hpp", ".json", ".py")


def proof(nonce: str) -> str:
    """The same on all machines that have the same course and compiler, and only there."""
    digest = hashlib.sha256(nonce.encode())
    folders = (SCRIPTS / "warpladder", ROOT / "common", ROOT / "emulator", ROOT / "lessons")
    for file in sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in _SOURCES):
        digest.update(f"{file.relative_to(ROOT)}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    digest.update(machine.output_of([machine.find_nvcc() or "nvcc", "--version"]).encode())
    return digest.hexdigest()


_proof = functools.lru_cache(maxsize=4)(proof)


@functools.lru_cache(maxsize=2)
def _backend(name: str) -> Backend:
    return backend.choose(Console(), name, thorough=True)


@functools.lru_cache(maxsize=2)
def _rules(text: str) -> config.Rules:
    with tempfile.TemporaryDirectory(prefix="warpladder-") as folder:
        file = Path(folder) / "grading.json"
        file.write_text(text, encoding="utf-8")
        return config.load(file)


def judge(task: dict[str, Any]) -> dict[str, Any]:
    """One file. `task`: nonce, rules (their text), seed, exercise, text, backend, walls, and what may be used up."""
    answer: dict[str, Any] = {"proof": _proof(task["nonce"])}
    missing = set(task["walls"]) - sandbox.isolation()
    if missing:
        return answer | {"refused": f"it has no walls for {', '.join(sorted(missing))}"}
    where = _backend(task["backend"])
    if where.stages != tuple(task["stages"]):
        return answer | {"refused": "it has not the same GPU or emulator"}
    rules = _rules(task["rules"])
    item = next(item for item in rules.items if item.exercise.name == task["exercise"])
    allowance = Allowance(task["seconds"], task["cpu_seconds"])
    outcome = Grader(rules, where, task["seed"], lambda text: None).judged_here(item, task["text"], allowance)
    used = (task["seconds"] - allowance.left[0], task["cpu_seconds"] - allowance.left[1])
    return answer | {"outcome": json.dumps(outcome.to_json()), "used": used}


def outcome_of(answer: dict[str, Any]) -> Outcome:
    return Outcome.from_json(json.loads(answer["outcome"]))

# SPDX-License-Identifier: MIT
"""results.json: every document the programs of one run wrote, and what they have in common.

{"schema": 1, "kind": "results", "command", "date", "revision", "backend", "times", "device", "roof", "documents"}.
A document is what a program writes with --json, and "command", what was typed to get it; "part" says whether it belongs
to the ladder (every rung at one n), to the sweep over n, has families of rungs (results/families.py), or is an
experiment. "roof" is the median of what the documents measured.
"""

from __future__ import annotations

import json
import os
import re
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.console import CourseError

SCHEMA = 1
NAME = "results.json"
DIRTY = "dirty"  # of "flush", what a timed launch finds in the L2 cache
LADDER, SWEEP, FAMILIES, EXPERIMENT = "ladder", "sweep", "families", "experiment"
Document = dict[str, Any]
_EMULATOR = re.compile(r"\(Warp Ladder emulator[^)]*\)", re.IGNORECASE)


@dataclass(frozen=True)
class Results:
    path: Path
    data: dict[str, Any]

    @property
    def documents(self) -> list[Document]:
        documents: list[Document] = self.data["documents"]
        return documents

    @property
    def device(self) -> str:
        return str(self.data["device"]["name"])

    @property
    def bus_gbps(self) -> float:
        return float(self.data["device"]["bus_gbps"])

    @property
    def roof_gbps(self) -> float:
        """The most that this device was seen to move: reading alone, or copying (read + written)."""
        return max(float(self.data["roof"][key]) for key in ("read_gbps", "copy_gbps"))

    @property
    def modelled(self) -> bool:
        return bool(self.data["times"] == "modelled")

    def part(self, part: str, type_: str | None = None) -> list[Document]:
        """In the order of the lessons, then of n."""
        found = [d for d in self.documents if d["part"] == part and (type_ is None or d.get("type") == type_)]
        return sorted(found, key=lambda d: (d["lesson"], d.get("n", 0)))


def slug(device: str, backend: str) -> str:
    """The folder of a device: "NVIDIA H200" -> h200, the emulator's H200 -> emulator-h200."""
    plain = _EMULATOR.sub("", device).lower().replace("nvidia", "")
    words = "-".join(re.findall(r"[a-z0-9]+", plain)) or "device"
    return f"emulator-{words}" if backend == "emulator" else words


def collect(documents: list[Document], command: str = "") -> dict[str, Any]:
    """What is written to results.json: the documents, and at the top what they share. `command`: for documents that do
    not say themselves what was typed to get them."""
    newest = max(documents, key=lambda d: d["date"])
    roofs = [d["roof"] for d in documents if "roof" in d]
    middle = {key: statistics.median([r[key] for r in roofs]) if roofs else 0.0 for key in ("read_gbps", "copy_gbps")}
    top = {"schema": SCHEMA, "kind": "results", "command": "; ".join(commands(documents)) or command}
    top |= {key: newest[key] for key in ("date", "revision", "backend", "times", "device")}
    return {**top, "roof": middle, "documents": documents}


def commands(documents: list[Document]) -> list[str]:
    """What was typed to get these documents, each command once."""
    return [c for c in dict.fromkeys(str(d.get("command", "")) for d in documents) if c]


def merge(old: Results | None, fresh: list[Document]) -> list[Document]:
    """The new documents, and of the old ones those of lessons that were not run now at the same n."""
    if old is None:
        return fresh
    rerun = {d["lesson"] for d in fresh}
    sizes = {d["n"] for d in fresh if d["part"] == LADDER}
    whole = old.data["command"]  # of files from before each document had its own
    kept = [
        {"command": whole, **d}
        for d in old.documents
        if d["lesson"] not in rerun and (d["part"] != LADDER or not sizes or d["n"] in sizes)
    ]
    return _in_order(kept + fresh)


def replace(old: Results | None, fresh: Document) -> list[Document]:
    """One program was run again: the others of its lesson stay as they are."""

    def about(d: Document) -> tuple[object, ...]:
        return tuple(d.get(key) for key in ("lesson", "part", "name", "type", "n"))

    if old is None:
        return [fresh]
    kept = [d for d in old.documents if about(d) != about(fresh)]
    return _in_order([{"command": old.data["command"], **d} for d in kept] + [fresh])


def _in_order(documents: list[Document]) -> list[Document]:
    return sorted(documents, key=lambda d: (d["lesson"], (LADDER, SWEEP, FAMILIES, EXPERIMENT).index(d["part"])))


def make_folder(folder: Path) -> Path:
    """Where results or charts go; what is wrong with it is one line and exit code 2."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CourseError(f"{folder}: {error.strerror or error}", exit_code=2) from None
    return folder


def save(path: Path, data: dict[str, Any]) -> None:
    """Whole or not at all: whoever is killed meanwhile leaves the older file as it was."""
    make_folder(path.parent)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        fresh.write_text(_text(_rounded(data)) + "\n", encoding="utf-8")
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def load(path: Path) -> Results:
    """Reads a file (or the one in a folder); what is wrong with it is one line and exit code 2."""
    file = path / NAME if path.is_dir() else path
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise CourseError(f"{file}: {error.strerror or error}", exit_code=2) from None
    except ValueError as error:
        raise CourseError(f"{file} is not a JSON file: {error}", exit_code=2) from None
    if not isinstance(data, dict) or "schema" not in data:
        raise CourseError(f'{file} holds no results of the course (no "schema")', exit_code=2)
    if data["schema"] != SCHEMA:
        message = f"{file} has schema {data['schema']}, this version of the course reads schema {SCHEMA}"
        raise CourseError(message, exit_code=2)
    if "documents" not in data and "lesson" in data:  # what one program wrote with --json
        data = collect([{**data, "part": data.get("kind", LADDER)}])
    try:
        if not data["documents"]:
            raise CourseError(f'{file} holds no results: "documents" is empty', exit_code=2)
        _check(data)
    except (KeyError, TypeError, ValueError) as error:
        raise CourseError(f"{file} is not a complete results file ({error!r})", exit_code=2) from None
    return Results(file, data)


def _check(data: dict[str, Any]) -> None:
    """Raises KeyError, TypeError or ValueError where something that charts and tables need is not there."""
    for key in ("command", "date", "revision", "backend"):
        _need(data, key, str)
    if data["times"] not in ("measured", "modelled"):
        raise ValueError("times")
    _need(data["device"], "name", str)
    for owner, key in ((data["device"], "bus_gbps"), (data["roof"], "read_gbps"), (data["roof"], "copy_gbps")):
        _need(owner, key, (int, float))
    for document in data["documents"]:
        _need(document, "lesson", str)
        if document["part"] == EXPERIMENT:
            for table in document["tables"]:
                if any(len(row) != len(table["columns"]) for row in table["rows"]):
                    raise ValueError(f"table {table['id']} of {document['name']}")
            continue
        if document["part"] == FAMILIES:
            for part in document["families"]:
                _need(part, "family", str)
                _need(part, "n", int)
                _need(part, "chosen", dict)
        else:
            _need(document, "n", int)
            _need(document, "type", str)
        for row in _rows(document):
            for key in ("id", "kind", "idea"):
                _need(row, key, str)
            if "skipped" not in row:
                for key in ("median_us", "spread", "gbps"):
                    _need(row, key, (int, float))
                _need(row, "ok", bool)


def _rows(document: Document) -> list[dict[str, Any]]:
    if document["part"] == FAMILIES:
        return [row for part in document["families"] for row in part["rows"]]
    rows: list[dict[str, Any]] = document["rows"]
    return rows


def _need(owner: dict[str, Any], key: str, kind: type | tuple[type, ...]) -> None:
    if not isinstance(owner[key], kind):
        raise ValueError(key)


_DECIMALS = {"samples_us": 3, "median_us": 3, "gbps": 3, "read_gbps": 3, "copy_gbps": 3, "spread": 6}


def _rounded(value: Any, decimals: int | None = None) -> Any:  # noqa: ANN401 (whatever JSON holds)
    """A nanosecond is finer than any clock here. Sums and their errors stay as they are."""
    if isinstance(value, float) and decimals is not None:
        return round(value, decimals)
    if isinstance(value, dict):
        return {key: _rounded(item, _DECIMALS.get(key)) for key, item in value.items()}
    return [_rounded(item, decimals) for item in value] if isinstance(value, list) else value


def _text(value: Any, indent: str = "") -> str:  # noqa: ANN401
    """JSON with two spaces of indent, but a list of plain values on one line."""
    deeper = indent + "  "
    if isinstance(value, dict) and value:
        inner = [f"{deeper}{json.dumps(key)}: {_text(item, deeper)}" for key, item in value.items()]
        return "{\n" + ",\n".join(inner) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value):
        inner = [deeper + _text(item, deeper) for item in value]
        return "[\n" + ",\n".join(inner) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False)

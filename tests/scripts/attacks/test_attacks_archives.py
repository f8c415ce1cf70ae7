# SPDX-License-Identifier: MIT
"""Hostile archives, folders and names, handed in together: one run grades them all, each with its reason in one line.

What can be read has the starter in it, so nothing is compiled; an honest student among them gets what they must get.
"""

from __future__ import annotations

import contextlib
import csv
import functools
import io
import json
import os
import stat
import time
import zipfile
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from exercise_samples import WARP_SUM

from warpladder.build import backend
from warpladder.build.backend import Backend
from warpladder.grading.names import folder_name
from warpladder.sandbox import sandbox
from warpladder.verbs import grade

STARTER = (WARP_SUM / "starter.cuh").read_text()
INSIDE = "04_warp_shuffle/warp_sum.cuh"


def zipped(files: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED, comment: bytes = b"") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as pack:
        for name, text in files.items():
            pack.writestr(name, text)
        pack.comment = comment
    return out.getvalue()


def special(kind: int) -> bytes:
    """A member that is no plain file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as pack:
        entry = zipfile.ZipInfo(INSIDE)
        entry.external_attr = (kind | 0o777) << 16
        pack.writestr(entry, "/etc/passwd")
    return out.getvalue()


def changed(data: bytes, at: bytes, offset: int, value: bytes) -> bytes:
    """The same with some bytes of a header changed, wherever that header occurs."""
    result, place = bytearray(data), data.find(at)
    while place >= 0:
        result[place + offset : place + offset + len(value)] = value
        place = data.find(at, place + 1)
    return bytes(result)


GOOD = zipped({INSIDE: STARTER})
CENTRAL = b"PK\x01\x02"


@functools.cache
def zips() -> dict[str, tuple[bytes, str]]:
    """By name: the bytes of a zip, and what its note must say; "" is one that is graded."""
    return {
        "honest": (GOOD, ""),
        "empty file": (b"", "cannot be read"),
        "text": (b"this is no zip", "cannot be read"),
        "cut off": (GOOD[: len(GOOD) // 2], "cannot be read"),
        "half a header": (b"PK\x03\x04", "cannot be read"),
        "no members": (zipped({}), "not handed in"),
        "leaves by dots": (zipped({INSIDE: STARTER, "../../mark": "x"}), "leaves its folder"),
        "leaves by root": (zipped({INSIDE: STARTER, "/etc/mark": "x"}), "leaves its folder"),
        "leaves by a drive": (zipped({INSIDE: STARTER, "a/../../mark": "x"}), "leaves its folder"),
        "link": (special(stat.S_IFLNK), "link"),
        "device": (special(stat.S_IFCHR), "plain file"),
        "pipe": (special(stat.S_IFIFO), "plain file"),
        "bomb": (zipped({INSIDE: STARTER, "x": bytes(80 << 20)}), "larger than 64 MiB"),
        "large file": (zipped({INSIDE: bytes(2 << 20)}), "larger than"),
        "many": (zipped({INSIDE: STARTER} | {f"{i}": "" for i in range(2500)}), "more than 2000"),
        "bzip2": (zipped({INSIDE: STARTER}, zipfile.ZIP_BZIP2), "packed"),
        "lzma": (zipped({INSIDE: STARTER}, zipfile.ZIP_LZMA), "packed"),
        "password": (changed(GOOD, CENTRAL, 8, b"\x01\x00"), "password"),
        "wrong sum": (changed(GOOD, CENTRAL, 16, b"\0\0\0\0"), "cannot be read"),
        "too small a size": (changed(GOOD, CENTRAL, 24, b"\x05\0\0\0"), "cannot be read"),
        "far too large a size": (changed(GOOD, CENTRAL, 24, b"\xff\xff\xff\x7f"), "larger than"),
        "offset that leads out": (changed(GOOD, CENTRAL, 42, b"\xff\xff\xff\x7f"), "cannot be read"),
        "two of them": (zipped({"a/warp_sum.cuh": STARTER, "b/warp_sum.cuh": STARTER}), "there are 2 files"),
        "hints": (zipped({INSIDE: STARTER}, comment=b'{"hints": {"warp_sum": ' + b"9" * 4000 + b"}}"), ""),
        "deep hints": (zipped({INSIDE: STARTER}, comment=b"[" * 60_000), ""),
        "=cmd|' ;C calc'!A0": (GOOD, ""),
        "<script>alert(1)<;script>": (GOOD, ""),
        "an\u200fna": (GOOD, ""),
        "anna": (GOOD, ""),
        "x" * 190: (GOOD, ""),
    }


def put_pipe(path: Path) -> None:
    os.mkfifo(path)


def put_socket(path: Path) -> None:
    os.mknod(path, stat.S_IFSOCK | 0o600)


def put_sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(5 << 30)


def put_file(path: Path) -> None:
    path.write_text(STARTER)


def put_closed(path: Path) -> None:
    put_file(path)
    path.chmod(0)


# name: what makes the file of the exercise, and what the note must say
FOLDERS: dict[str, tuple[Callable[[Path], None], str]] = {
    "f pipe": (put_pipe, "plain file"),
    "f socket": (put_socket, "plain file"),
    "f sparse": (put_sparse, "larger than"),
    "f link": (lambda path: path.symlink_to("/etc/passwd"), "link"),
    "f link to a device": (lambda path: path.symlink_to("/dev/zero"), "link"),
    "f link in a circle": (lambda path: path.symlink_to(path), "link"),
    "f folder": (lambda path: path.mkdir(), "not handed in"),
    "f closed": (put_closed, ""),
    "04_warp_shuffle": (put_file, ""),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, dict[str, str]], str, float]:
    base = tmp_path_factory.mktemp("archives")
    (base / "in").mkdir()
    for name, (data, _) in zips().items():
        (base / "in" / f"{name}.zip").write_bytes(data)
    os.mkfifo(base / "in" / "a pipe.zip")
    put_sparse(base / "in" / "gigantic.zip")
    (base / "in" / "linked.zip").symlink_to(base / "in" / "honest.zip")
    (base / "in" / "linked folder").symlink_to("/etc")
    for name, (make, _) in FOLDERS.items():
        (base / "in" / name / "04_warp_shuffle").mkdir(parents=True)
        make(base / "in" / name / INSIDE)
    rules = {"schema": "warpladder-grading/1", "exercises": {"warp_sum": 10}, "seed": 5}
    (base / "rules.json").write_text(json.dumps(rules))
    (base / "emulator").mkdir()
    parser, text = ArgumentParser(), io.StringIO()
    grade.add_arguments(parser)
    words = [str(base / "in"), "--out", str(base / "out"), "--config", str(base / "rules.json")]
    start = time.monotonic()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(text):
        patch.setattr(backend, "choose", lambda *words, **more: Backend("/bin/true", False, base / "emulator"))
        patch.setattr(sandbox, "isolation", lambda: sandbox.ALL)
        assert grade.run(parser.parse_args(words)) == 0, text.getvalue()
    with (base / "out" / "class.csv").open(newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    return base, rows, text.getvalue(), time.monotonic() - start


def test_all_are_graded(graded: tuple[Path, dict[str, dict[str, str]], str, float]) -> None:
    base, rows, text, seconds = graded
    assert len(rows) == len(zips()) + len(FOLDERS) + 4 >= 40
    assert seconds < 60
    assert not any(char in text for char in "\x1b\u200f\u202e")
    assert not (base / "mark").exists() and not Path("/etc/mark").exists()
    assert {float(row["score"]) for row in rows.values()} == {0.0}


def test_each_says_why(graded: tuple[Path, dict[str, dict[str, str]], str, float]) -> None:
    _, rows, _, _ = graded
    expected = {name: note for name, (_, note) in (zips() | FOLDERS).items() if name.isascii() and len(name) < 100}
    expected |= {"a pipe": "plain file", "gigantic": "larger than 8 MiB", "linked": "link"}
    found = {name.lstrip("'"): row for name, row in rows.items()}
    wrong = []
    for name, note in expected.items():
        row = next((row for shown, row in found.items() if shown.startswith(name)), None)
        if row is None:
            wrong.append(f"{name}: no row")
            continue
        closed = name == "f closed" and os.geteuid() != 0
        verdict = "missing" if note or closed else "not_started"
        if row["verdict"] != verdict or note not in row["note"] or len(row["note"]) > 400 or "\n" in row["note"]:
            wrong.append(f"{name}: {row}, not {note!r}")
    assert wrong == []


def test_names_do_no_harm(graded: tuple[Path, dict[str, dict[str, str]], str, float]) -> None:
    base, rows, _, _ = graded
    assert not any(name[:1] in "=+-@" for name in rows)
    assert len({name for name in rows if name.startswith("an")}) == 2
    folders = {path.name for path in (base / "out").iterdir() if path.is_dir()}
    assert len(folders) == len(rows) and folder_name("anna") in folders
    assert all(name.isprintable() and "<" not in name for name in folders)

# SPDX-License-Identifier: MIT
"""Reads what the system's loader reads of a program: for which processor it is, which libraries it wants, its sections.

64-bit little-endian files only: all that CUDA 13 runs on. Damaged ones give an ElfError, never another exception.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

MACHINES = {3: "32-bit x86", 40: "32-bit arm", 62: "x86_64", 183: "aarch64", 243: "riscv", 21: "ppc64le"}
_OBJECT, _SHARED = 1, 3  # e_type
_LOAD, _DYNAMIC, _INTERPRETER = 1, 2, 3  # p_type
_NEEDED, _STRINGS, _STRINGS_BYTES, _RPATH, _RUNPATH = 1, 5, 10, 15, 29  # d_tag
_NO_BITS = 8  # sh_type: a section without bytes in the file


class ElfError(Exception):
    """Why a file cannot be read as a program."""


@dataclass(frozen=True)
class Elf:
    path: Path
    data: bytes | mmap.mmap
    machine: str
    is_object: bool  # to be linked
    is_library: bool  # nothing to start
    needed: tuple[str, ...] = ()
    rpath: tuple[str, ...] = ()  # goes before LD_LIBRARY_PATH
    runpath: tuple[str, ...] = ()  # goes behind it
    sections: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # by name: where in the file, and how long

    def folders(self) -> list[Path]:
        """Where the file itself says that its libraries are."""
        origin = str(self.path.resolve().parent)
        words = [*self.rpath, *self.runpath]
        return [Path(word.replace("$ORIGIN", origin).replace("${ORIGIN}", origin)) for word in words if word]

    def section(self, name: str) -> bytes:
        """The bytes of a section; none where there is no such section."""
        return _slice(self.data, *self.sections.get(name, (0, 0)))

    def holds(self, text: bytes) -> bool:
        return self.data.find(text) >= 0


def is_elf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def read(path: Path) -> Elf:
    with path.open("rb") as file:
        try:
            data: bytes | mmap.mmap = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:  # an empty file
            data = b""
    return parse(path, data)


def parse(path: Path, data: bytes | mmap.mmap) -> Elf:
    if _slice(data, 0, 4) != b"\x7fELF":
        raise ElfError("not an ELF file")
    kind, number = _unpack("<HH", data, 16)
    machine = MACHINES.get(number, f"processor number {number}")
    if _slice(data, 4, 2) != b"\x02\x01":  # 64 bits, little-endian
        return Elf(path, data, machine, False, False)
    parts = _parts(data)
    library = kind == _SHARED and not any(part[0] == _INTERPRETER for part in parts)
    return Elf(path, data, machine, kind == _OBJECT, library, *_dynamic(data, parts), _sections(data))


Part = tuple[int, int, int, int]  # type, offset in the file, address, size in the file


def _parts(data: bytes | mmap.mmap) -> list[Part]:
    (start,) = _unpack("<Q", data, 32)
    size, count = _unpack("<HH", data, 54)
    raw = [_unpack("<IIQQQQ", data, start + i * size) for i in range(count)]
    return [(kind, offset, address, length) for kind, _, offset, address, _, length in raw]


def _sections(data: bytes | mmap.mmap) -> dict[str, tuple[int, int]]:
    """Empty where they were stripped."""
    (start,) = _unpack("<Q", data, 40)
    size, count, names = _unpack("<HHH", data, 58)
    if start == 0 or names >= count:
        return {}
    headers = [_unpack("<IIQQQQ", data, start + i * size) for i in range(count)]
    text = _slice(data, *headers[names][4:6])
    return {_word(text, h[0]): (h[4], h[5]) for h in headers if h[1] != _NO_BITS}


def _dynamic(data: bytes | mmap.mmap, parts: list[Part]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The names of the libraries, RPATH and RUNPATH."""
    tags: list[tuple[int, int]] = []
    for _, offset, _, length in (part for part in parts if part[0] == _DYNAMIC):
        for at in range(0, length - length % 16, 16):
            tag, value = _unpack("<QQ", data, offset + at)
            tags.append((tag, value))
    places = dict(tags)
    if _STRINGS not in places:
        return (), (), ()
    text = _slice(data, _offset(parts, places[_STRINGS]), places.get(_STRINGS_BYTES, 0))

    def words(tag: int) -> list[str]:
        return [_word(text, value) for known, value in tags if known == tag]

    rpath, runpath = (tuple(folder for word in words(tag) for folder in word.split(":")) for tag in (_RPATH, _RUNPATH))
    return tuple(words(_NEEDED)), () if runpath else rpath, runpath  # with a RUNPATH the loader ignores the RPATH


def _offset(parts: list[Part], address: int) -> int:
    for kind, offset, start, length in parts:
        if kind == _LOAD and start <= address < start + length:
            return address - start + offset
    raise ElfError("its dynamic section points nowhere")


def _slice(data: bytes | mmap.mmap, start: int, size: int) -> bytes:
    if start + size > len(data):
        raise ElfError("it ends early")
    return bytes(data[start : start + size])


def _unpack(form: str, data: bytes | mmap.mmap, at: int) -> tuple[int, ...]:
    return struct.unpack(form, _slice(data, at, struct.calcsize(form)))


def _word(text: bytes, at: int) -> str:
    if at > len(text):
        raise ElfError("a name lies outside its table")
    return text[at:].split(b"\0", 1)[0].decode("utf-8", "replace")

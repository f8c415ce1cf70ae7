# SPDX-License-Identifier: MIT
"""Small handmade programs: as much of an ELF file as its reader reads, and fatbins with headers and no code."""

from __future__ import annotations

import platform
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

MACHINES = {"x86_64": 62, "aarch64": 183}
PROGRAM, LIBRARY, OBJECT = "program", "library", "object"
_ADDRESS = 0x10000  # where the one part of the file is loaded


def make_elf(
    path: Path,
    *,
    needed: Sequence[str] = (),
    rpath: str = "",
    runpath: str = "",
    sections: Mapping[str, bytes] | None = None,
    machine: str = "",
    kind: str = PROGRAM,
    tail: bytes = b"",
) -> Path:
    """Writes the file; `tail`: further bytes in it, such as a string."""
    strings = b"\0"
    tags = b""
    for tag, text in [*((1, name) for name in needed), (15, rpath), (29, runpath)]:
        if text:
            tags += struct.pack("<QQ", tag, len(strings))
            strings += text.encode() + b"\0"
    parts = 64
    dynamic = parts + 3 * 56
    count = len(tags) // 16 + 3
    table = dynamic + count * 16
    tags += struct.pack("<QQQQQQ", 5, _ADDRESS + table, 10, len(strings), 0, 0)
    body = tags + strings + tail
    names, headers, start = b"\0", b"\0" * 64, dynamic + len(body)
    for name, data in {**(sections or {}), ".shstrtab": b""}.items():
        at = len(names)
        names += name.encode() + b"\0"
        data = names if name == ".shstrtab" else data
        headers += struct.pack("<IIQQQQIIQQ", at, 1, 0, 0, start, len(data), 0, 0, 0, 0)
        body, start = body + data, start + len(data)
    interpreter = 3 if kind == PROGRAM else 0
    head = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    head += struct.pack("<HHIQQQ", 1 if kind == OBJECT else 3, MACHINES[machine or platform.machine()], 1, 0, 64, start)
    head += struct.pack("<IHHHHHH", 0, 64, 56, 3, 64, len(headers) // 64, len(headers) // 64 - 1)
    for number, offset, size in ((1, 0, start), (2, dynamic, len(tags)), (interpreter, dynamic, 0)):
        head += struct.pack("<IIQQQQQQ", number, 4, offset, _ADDRESS + offset, 0, size, size, 8)
    path.write_bytes(head + body + headers)
    path.chmod(0o755)
    return path


def make_fatbin(*codes: tuple[str, int, str]) -> bytes:
    """Of entries such as ("ptx", 90, "a")."""
    flags = {"": 0, "a": 0x10_0000, "f": 0x20_0000}
    body = b""
    for kind, sm, suffix in codes:
        number = {"ptx": 1, "sass": 2, "lto": 8}[kind]
        body += struct.pack("<HHIQIIIIQQQQ", number, 0, 64, 8, 0, 0, 0, sm, 0, flags[suffix], 0, 0) + b"\0" * 8
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(body)) + body

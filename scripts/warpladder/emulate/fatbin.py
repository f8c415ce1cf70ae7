# SPDX-License-Identifier: MIT
"""Which device code a program holds: the headers of its fatbins, as emulator/cudart/loading/fatbin.cpp reads them.

Only what tells a user beforehand that a program cannot run is read here; the emulator itself unpacks the code and
judges it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .elf import Elf

SECTIONS = (".nv_fatbin", "__nv_relfatbin")  # -rdc=true puts the parts of the link into the second
_MAGIC = struct.pack("<I", 0xBA55ED50)
_PTX, _MACHINE_CODE = 1, 2
_ENTRY_HEADER = 64  # at least
_THAT_GPU_ALONE, _THAT_FAMILY_ALONE = 0x10_0000, 0x20_0000


@dataclass(frozen=True)
class Code:
    """PTX or machine code for one architecture."""

    is_ptx: bool
    sm: int  # 90 for sm_90
    suffix: str = ""  # "a": that GPU alone; "f": that family alone; "": it and all later ones

    @property
    def arch(self) -> str:
        return f"sm_{self.sm}{self.suffix}"

    def runs_on(self, sm: int) -> bool:
        if self.suffix == "a":
            return self.sm == sm
        return self.sm <= sm and (not self.suffix or self.sm // 10 == sm // 10)


def of_program(program: Elf) -> list[Code]:
    return [code for name in SECTIONS for code in read(program.section(name))]


def read(section: bytes) -> list[Code]:
    """The code in a section: fatbin behind fatbin, with padding between them. Damaged ones end the list."""
    codes: list[Code] = []
    at = section.find(_MAGIC)
    while at >= 0:
        try:
            header, body = struct.unpack_from("<HQ", section, at + 6)
            codes += _entries(section, at + header, at + header + body)
        except struct.error:
            break
        at = section.find(_MAGIC, at + max(header + body, len(_MAGIC)))
    return codes


def _entries(section: bytes, at: int, end: int) -> Iterator[Code]:
    while at < min(end, len(section)):
        kind, _, header, payload = struct.unpack_from("<HHIQ", section, at)
        if header < _ENTRY_HEADER:
            return
        (sm,) = struct.unpack_from("<I", section, at + 28)
        (flags,) = struct.unpack_from("<Q", section, at + 40)
        suffix = "f" if flags & _THAT_FAMILY_ALONE else "a" if flags & _THAT_GPU_ALONE else ""
        if kind in (_PTX, _MACHINE_CODE):
            yield Code(kind == _PTX, sm, suffix)
        at += header + payload


def can_run(codes: Sequence[Code], sm: int) -> bool:
    """Whether the emulator finds PTX that it takes for a GPU of this compute capability."""
    ptx = [code for code in codes if code.is_ptx]
    if any(code.runs_on(sm) for code in ptx):
        return True
    # -arch=all-major: machine code for each GPU, PTX for the last one only, which is then taken.
    own = any(not code.is_ptx and code.sm // 10 == sm // 10 and code.runs_on(sm) for code in codes)
    return own and any(code.sm > sm and not code.suffix for code in ptx)

# SPDX-License-Identifier: MIT
"""What a program asks the system's libraries for: the names in its table of dynamic symbols.

In a source a name can be hidden from every pattern; the linker needs it as it is. The program is a stranger's, so each
offset is checked against the file's size, and what does not fit is nothing.
"""

from __future__ import annotations

import struct
from pathlib import Path

from ..sandbox import untrusted

_LARGEST = 16 << 20
_MOST_SECTIONS, _MOST_SYMBOLS, _LONGEST_NAME = 2000, 50_000, 200
_DYNSYM, _PREINIT = 11, 16  # kinds of sections
_SECTION, _SYMBOL = struct.Struct("<IIQQQQIIQQ"), struct.Struct("<IBBHQQ")
_FIRST = "code before all other code"


def asked_for(program: Path) -> set[str]:
    """Names that it takes from libraries; and a word if it has code that runs before all libraries' own."""
    data = untrusted.read(program.parent, program.name, _LARGEST) or b""
    try:
        return _names(data)
    except (struct.error, ValueError, OverflowError):  # an offset that leads out of the file
        return set()


def _names(data: bytes) -> set[str]:
    if data[:6] != b"\x7fELF\x02\x01":  # 64 bits, small end first: all that the course runs on
        return set()
    start = struct.unpack_from("<Q", data, 0x28)[0]
    size, count = struct.unpack_from("<HH", data, 0x3A)
    if size != _SECTION.size or count > _MOST_SECTIONS:
        return set()
    sections = [_SECTION.unpack_from(data, start + number * size) for number in range(count)]
    found = {_FIRST for section in sections if section[1] == _PREINIT and section[5] > 0}
    for section in sections:
        if section[1] == _DYNSYM and section[6] < count:
            found |= _undefined(data, section, sections[section[6]])
    return found


def _undefined(data: bytes, table: tuple[int, ...], strings: tuple[int, ...]) -> set[str]:
    names = data[strings[4] : strings[4] + strings[5]]
    found = set()
    for number in range(min(table[5] // _SYMBOL.size, _MOST_SYMBOLS)):
        name, _, _, section, _, _ = _SYMBOL.unpack_from(data, table[4] + number * _SYMBOL.size)
        if section == 0 and 0 < name < len(names):
            found.add(names[name : name + _LONGEST_NAME].partition(b"\0")[0].decode("ascii", "replace"))
    return found

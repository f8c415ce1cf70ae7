# SPDX-License-Identifier: MIT
"""Names of students, as they stand in results: all different, whatever marks somebody has put into one.

A name is that of a folder or zip, so a student chooses it. Two that look alike, or become equal when marks that nobody
sees are taken away, would share one row or one folder; then the second would overwrite the first.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

_LONGEST = 100  # characters
_TAKEN = ("class.csv", "class.json", "gradebook.sqlite")  # what a folder of results holds besides


def shown_names(names: Sequence[str]) -> list[str]:
    """For each name, in this order, the one that is shown. An ordinary name stays as it is."""
    cleaned = [_plain(name) for name in names]
    many = Counter(_key(clean) for clean in cleaned)
    found: list[str] = []
    taken: set[str] = set()
    for name, clean in zip(names, cleaned, strict=True):
        alike = clean != name and many[_key(clean)] > 1
        chosen = clean if clean and name.isprintable() and not alike else _marked(clean, name)
        while _key(chosen) in taken:
            chosen = _marked(clean, f"{name}/{chosen}")
        taken.add(_key(chosen))
        found.append(chosen)
    return found


def folders(students: Sequence[str]) -> list[str]:
    """A folder for each: no name leads out of where results are, takes the place of a file there, or another's."""
    made = {name: folder_name(name) for name in students}
    taken = {_key(name) for name in _TAKEN}
    for name in sorted(students, key=lambda student: made[student] != student):  # ordinary names first
        while _key(made[name]) in taken:
            made[name] = _marked(made[name], f"{name}/{made[name]}")
        taken.add(_key(made[name]))
    return [made[name] for name in students]


def folder_name(student: str) -> str:
    name = re.sub(r"[^\w .@+-]", "_", student).strip(". ")[:_LONGEST]
    return name if name and name == student and name not in _TAKEN else _marked(name, student)


def _plain(name: str) -> str:
    """Composed, and without marks that are not seen: many systems cannot tell names apart that differ only in these."""
    composed = unicodedata.normalize("NFC", name)
    return " ".join("".join(c for c in composed if c.isprintable()).split())[: 2 * _LONGEST]


def _key(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _marked(name: str, whole: str) -> str:
    digest = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{name[:_LONGEST] or 'student'}-{digest[:12]}"

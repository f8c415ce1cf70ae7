# SPDX-License-Identifier: MIT
"""Which files look alike: winnowing (Schleimer, Wilkerson, Aiken 2003) over words without names. A remark, no verdict.

A file becomes a row of words in which every name is the same, so that renaming hides nothing. Hashes of all runs of
some words are thinned out, the smallest of each window stays; what the starter has too does not count. Short exercises
have one obvious answer: there, alike proves nothing at all.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_RUN, _WINDOW = 10, 6  # words
_MOST_WORDS = 20_000
_FEWEST = 12  # prints that a file has of its own; less says nothing
_ALIKE = 0.8  # the share of the smaller file that the larger has too
_MOST_PAIRS, _MOST_OWNERS = 100, 40
_WORD = re.compile(
    rb"/\*.{0,20000}?\*/|//[^\n]{0,2000}|\"(?:[^\"\\\n]|\\.){0,500}\"|[A-Za-z_]\w{0,200}|\d[\w.]{0,50}|\S", re.DOTALL
)
_KEPT = frozenset(
    b"if else for while do return break continue switch case template struct class auto int unsigned float double bool "
    b"__global__ __device__ __shared__ __syncthreads __syncwarp threadIdx blockIdx blockDim gridDim".split()
)


@dataclass(frozen=True)
class Pair:
    exercise: str
    one: str
    other: str
    share: float  # of the smaller one


def words(text: bytes) -> list[bytes]:
    found = []
    for match in _WORD.finditer(text):
        word = match.group()
        if word[:2] in (b"//", b"/*"):
            continue
        first = word[:1]
        if word in _KEPT or not (first.isalnum() or first in b'_"'):
            found.append(word)
        else:
            found.append(b"s" if first == b'"' else b"1" if first.isdigit() else b"x")
        if len(found) >= _MOST_WORDS:
            break
    return found


def prints(text: bytes) -> frozenset[int]:
    row = words(text)
    hashes = [zlib.crc32(b" ".join(row[i : i + _RUN])) for i in range(max(0, len(row) - _RUN + 1))]
    return frozenset(min(hashes[i : i + _WINDOW]) for i in range(max(0, len(hashes) - _WINDOW + 1)))


def pairs(exercise: str, files: Mapping[str, bytes], starter: bytes) -> list[Pair]:
    """The most alike first. Many equal files are one, named by the first two of them."""
    common = prints(starter)
    groups: dict[frozenset[int], list[str]] = defaultdict(list)
    for name in sorted(files):
        own = prints(files[name]) - common
        if len(own) >= _FEWEST:
            groups[own].append(name)
    found = [Pair(exercise, names[0], _others(names), 1.0) for names in groups.values() if len(names) > 1]
    for (one, other), both in _shared(groups).items():
        share = both / min(len(one), len(other))
        if share >= _ALIKE:
            first, second = sorted((groups[one][0], groups[other][0]))
            found.append(Pair(exercise, first, second, round(share, 2)))
    return sorted(found, key=lambda pair: (-pair.share, pair.one, pair.other))[:_MOST_PAIRS]


def _others(names: list[str]) -> str:
    return names[1] if len(names) == 2 else f"{names[1]} and {len(names) - 2} more"


def _shared(groups: Iterable[frozenset[int]]) -> Counter[tuple[frozenset[int], frozenset[int]]]:
    """How many prints two files share; what very many have is nobody's own, and is left out."""
    owners: dict[int, list[frozenset[int]]] = defaultdict(list)
    for own in groups:
        for value in own:
            owners[value].append(own)
    counts: Counter[tuple[frozenset[int], frozenset[int]]] = Counter()
    for having in owners.values():
        if 1 < len(having) <= _MOST_OWNERS:
            for number, one in enumerate(having):
                for other in having[number + 1 :]:
                    counts[one, other] += 1
    return counts

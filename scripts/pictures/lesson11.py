# SPDX-License-Identifier: MIT
"""Lesson 11: what one access brings, how long searches become, and how a key can be there twice."""

from __future__ import annotations

from .svg import Picture

SLOTS = 1 << 14


def mix(key: int) -> int:
    """As in hash.cuh."""
    h = (key ^ key >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    h = (h ^ h >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return h ^ h >> 16


def mix_again(key: int) -> int:
    h = (key ^ key >> 16) * 0x7FEB352D & 0xFFFFFFFF
    h = (h ^ h >> 15) * 0x846CA68B & 0xFFFFFFFF
    return h ^ h >> 16


def buckets_per_find(bucket: int, second_hash: bool, load: float) -> float:
    """On average over the keys of a table that is filled so far; as in probing.cuh."""
    buckets = SLOTS // bucket
    fill = [0] * buckets
    keys = int(load * SLOTS)
    looked_at = 0
    for number in range(keys):
        key = mix(number + 12345) >> 1
        at = mix(key) * buckets >> 32
        steps = 1
        while fill[at] == bucket:
            at = mix_again(key) * buckets >> 32 if second_hash and steps == 1 else (at + 1) % buckets
            steps += 1
        fill[at] += 1
        looked_at += steps
    return looked_at / keys


def sectors() -> str:
    p = Picture(
        250,
        "What one access brings",
        "A slot has 8 bytes. A sector of 32 bytes holds four slots and is the least that a cache moves. Two sectors, "
        "64 bytes, are what DRAM moves. A line of the cache holds 16 slots.",
    )
    p.text(24, 32, "One slot is asked for: what comes", size=15, bold=True)
    left, cell = 24.0, 47.0
    for slot in range(16):
        fill = "result" if slot == 2 else "work" if slot < 4 else "second" if slot < 8 else "idle"
        p.box(left + slot * cell, 56, cell - 5, 36, fill, str(slot))
    for last, y, words in (
        (4, 116, "a sector, 32 bytes: four slots"),
        (8, 152, "what DRAM moves, 64 bytes: eight slots"),
        (16, 188, "a line, 128 bytes: one address in the cache, sectors come one by one"),
    ):
        p.line(left, y, left + last * cell - 5, y, "ink", thick=1.5)
        p.text(left, y + 20, words, size=12.5)
    p.text(24, 236, "A key and its value of 32 bits each are one slot.", size=12.5, colour="note")
    return p.svg()


def probe_lengths() -> str:
    loads = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95)
    kinds = (
        ("one slot, then the next", 1, False, "wait"),
        ("four slots, then the next bucket", 4, False, "second"),
        ("eight slots, then a second hash", 8, True, "result"),
    )
    p = Picture(
        360,
        "Buckets that a find looks at",
        "For load factors from 0.3 to 0.95, how many buckets a find of a key that is there looks at, on average. With "
        "one slot for each bucket the number grows beyond ten, with eight slots and a second hash it stays below two.",
    )
    p.text(24, 32, "Buckets that a find looks at, on average", size=15, bold=True)
    bottom, height, most = 290.0, 210.0, 11.0
    for number in (1, 2, 5, 10):
        y = bottom - height * number / most
        p.line(60, y, 780, y, "faint", thick=0.5)
        p.text(40, y + 4, str(number), size=12)
    for group, load in enumerate(loads):
        left = 74.0 + group * 118
        for place, (_, bucket, second_hash, colour) in enumerate(kinds):
            value = buckets_per_find(bucket, second_hash, load)
            top = bottom - height * min(value, most) / most
            p.box(left + place * 32, top, 28, bottom - top, colour)
            p.text(left + place * 32, top - 5, f"{value:.1f}", size=11)
        p.text(left + 28, bottom + 20, f"{load:g}", size=12.5)
    p.legend(60, 330, [(colour, name) for name, _, _, colour in kinds], step=235)
    return p.svg()


def twice() -> str:
    p = Picture(
        300,
        "A key that is there twice",
        "Two threads insert the same key into a table that gives slots back. Thread A sees slot 0 taken by another "
        "key and slot 1 free. Then that key is erased. Thread B sees slot 0 free and takes it. Thread A takes slot 1. "
        "Both exchanges succeed, and the key is in both slots.",
    )
    p.text(24, 32, "Both threads insert key 7; slots are given back meanwhile", size=15, bold=True)
    rows = (
        ("A looks: 7 is nowhere, slot 1 is free", ("3", "idle"), ("", "idle")),
        ("somebody erases key 3", ("", "idle"), ("", "idle")),
        ("B looks: 7 is nowhere, slot 0 is free; B takes it", ("7", "work"), ("", "idle")),
        ("A takes slot 1, which is as free as it was", ("7", "work"), ("7", "wait")),
    )
    for row, (words, *slots) in enumerate(rows):
        top = 58.0 + row * 50
        p.text(24, top + 22, words, size=12.5)
        for place, (text, fill) in enumerate(slots):
            p.box(520 + place * 110, top, 100, 34, fill, text)
    p.text(520, 276, "slot 0", size=12.5, colour="note")
    p.text(630, 276, "slot 1", size=12.5, colour="note")
    p.text(24, 276, "No exchange failed. Only a version of the key's stripe can tell.", size=12.5, colour="note")
    return p.svg()


PICTURES = {"sectors": sectors, "probe_lengths": probe_lengths, "twice": twice}

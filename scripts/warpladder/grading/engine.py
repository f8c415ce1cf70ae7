# SPDX-License-Identifier: MIT
"""Who judges a file: this process (here), or others (dispatch.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ..sandbox.allowance import Allowance
from .config import Item
from .outcome import Outcome


class Engine(Protocol):
    slots: int

    def judge(self, item: Item, text: bytes, allowance: Allowance, here: Callable[[], Outcome]) -> Outcome: ...


class Here:
    """This process, with threads."""

    def __init__(self, slots: int) -> None:
        self.slots = slots

    def judge(self, item: Item, text: bytes, allowance: Allowance, here: Callable[[], Outcome]) -> Outcome:
        return here()

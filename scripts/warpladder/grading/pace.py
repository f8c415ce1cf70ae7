# SPDX-License-Identifier: MIT
"""How far a long run is, and how long it will still take: by what the last ones took, as the first are often known."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

_REMEMBERED = 200  # ends that the pace is taken from
_EVERY = 5.0  # seconds between two lines


class Pace:
    def __init__(self, total: int, what: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._total, self._what, self._clock = total, what, clock
        self._done = 0
        self._ends: deque[float] = deque([clock()], maxlen=_REMEMBERED)
        self._said = clock()

    def one_more(self) -> str:
        """A line, if it is time for one."""
        self._done += 1
        now = self._clock()
        self._ends.append(now)
        if self._done >= self._total or now - self._said < _EVERY:
            return ""
        self._said = now
        each = (self._ends[-1] - self._ends[0]) / (len(self._ends) - 1)
        return f"{self._done} of {self._total} {self._what}, {spoken(each * (self._total - self._done))} left"


def spoken(seconds: float) -> str:
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"about {round(seconds / 60)} min"
    return f"about {seconds / 3600:.1f} h"

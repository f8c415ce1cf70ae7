# SPDX-License-Identifier: MIT
"""What all programs of one student may take together, compilers included: limits on each alone let many run just below.

Told in the rules of a grade (grading.json, `limits`). Whoever has nothing left is not started any more.
"""

from __future__ import annotations

import threading
from dataclasses import replace

from .watch import Limits

_LEAST = 0.1  # seconds: less than this is nothing


class Allowance:
    """Seconds by the clock and of processor time; used up by every program that runs in the sandbox with it."""

    def __init__(self, seconds: float, cpu_seconds: float) -> None:
        self.seconds, self.cpu_seconds = seconds, cpu_seconds
        self._left, self._cpu_left = seconds, cpu_seconds
        self._lock = threading.Lock()

    @property
    def spent(self) -> bool:
        return self._left < _LEAST or self._cpu_left < _LEAST

    @property
    def left(self) -> tuple[float, float]:
        """Seconds by the clock, and of processor time."""
        return self._left, self._cpu_left

    def of(self, limits: Limits) -> Limits:
        """These limits, or what is left if that is less."""
        seconds = max(_LEAST, min(limits.seconds, self._left))
        return replace(limits, seconds=seconds, cpu_seconds=max(_LEAST, self._cpu_left))

    def take(self, seconds: float, cpu_seconds: float) -> None:
        with self._lock:
            self._left -= seconds
            self._cpu_left -= cpu_seconds

    @property
    def text(self) -> str:
        return f"{self.seconds:g} s by the clock, {self.cpu_seconds:g} s of processor time"

# SPDX-License-Identifier: MIT
"""Numbers as people read them: three significant digits and a unit that fits."""

from __future__ import annotations

import math


def significant(value: float, digits: int = 3, most_decimals: int = 9) -> str:
    """3.9167 -> 3.92, 88.04 -> 88.0, 4519.8 -> 4520; never an exponent, and no digit before the point is dropped."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "-"
    decimals = min(max(0, digits - 1 - math.floor(math.log10(abs(value)))), most_decimals)
    text = f"{value:.{decimals}f}"
    if decimals > 0 and abs(float(text)) >= 10 ** (digits - decimals):  # 9.996 became 10.00
        text = f"{value:.{decimals - 1}f}"
    return text


def time(us: float) -> str:
    for limit, factor, unit in ((1e3, 1.0, "µs"), (1e6, 1e-3, "ms")):
        if us < limit * 0.9995:
            return f"{significant(us * factor)} {unit}"
    return f"{significant(us * 1e-6)} s"


def percent(share: float) -> str:
    return f"{significant(100 * share, most_decimals=2)} %"


def factor(value: float) -> str:
    return f"{significant(value, most_decimals=2)}×"


def size(n: int) -> str:
    """2^20 for a power of two from 2^10 on, else the plain number: as the lesson programs print it."""
    return f"2^{n.bit_length() - 1}" if n >= 1024 and n & (n - 1) == 0 else str(n)


def geometric_mean(values: list[float]) -> float:
    return math.exp(sum(math.log(value) for value in values) / len(values))

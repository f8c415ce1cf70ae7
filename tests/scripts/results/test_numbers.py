# SPDX-License-Identifier: MIT
"""Numbers as people read them."""

from __future__ import annotations

import pytest

from warpladder.core import numbers


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (3.9167, "3.92"),
        (88.04, "88.0"),
        (4519.8, "4520"),
        (9.996, "10.0"),
        (99.96, "100"),
        (0.0123, "0.0123"),
    ],
)
def test_three_significant_digits(value: float, text: str) -> None:
    assert numbers.significant(value) == text


@pytest.mark.parametrize(
    ("us", "text"),
    [(3.9167, "3.92 µs"), (999.4, "999 µs"), (999.8, "1.00 ms"), (117856, "118 ms"), (2.5e6, "2.50 s")],
)
def test_times_have_a_unit_that_fits(us: float, text: str) -> None:
    assert numbers.time(us) == text


def test_shares_and_factors_have_two_decimals_at_most() -> None:
    assert numbers.percent(0.000511) == "0.05 %"
    assert numbers.percent(0.946) == "94.6 %"
    assert numbers.factor(0.63049) == "0.63×"
    assert numbers.factor(1850.2) == "1850×"


def test_sizes_are_printed_as_the_programs_print_them() -> None:
    assert [numbers.size(n) for n in (0, 512, 1024, 1000, 1 << 26)] == ["0", "512", "2^10", "1000", "2^26"]


def test_the_geometric_mean() -> None:
    assert numbers.geometric_mean([1, 4]) == pytest.approx(2)

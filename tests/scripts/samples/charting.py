# SPDX-License-Identifier: MIT
"""Whether charts can be drawn, found out without importing matplotlib: every process that lists the tests asks."""

from __future__ import annotations

import importlib.util

import pytest

from warpladder.setup import machine

needs_matplotlib = pytest.mark.skipif(
    importlib.util.find_spec("matplotlib") is None and machine.charts_python() is None,
    reason="matplotlib is not installed",
)

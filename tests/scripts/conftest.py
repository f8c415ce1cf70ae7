# SPDX-License-Identifier: MIT
"""The order of the tests: what takes longest begins first, so that at the end no core waits for the others."""

from __future__ import annotations

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("early") is None)

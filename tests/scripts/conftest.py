# SPDX-License-Identifier: MIT
"""The order of the tests: what takes longest begins first, so that at the end no core waits for the others. And a
folder that other users can get into."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Unlike pytest's own: a program that has no root folder of its own runs as another user, or not at all."""
    with tempfile.TemporaryDirectory(prefix="warpladder-open-", dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("early") is None)

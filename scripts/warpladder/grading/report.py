# SPDX-License-Identifier: MIT
"""The class as one page."""

from __future__ import annotations

import argparse
from pathlib import Path


def write(out: Path, file: Path) -> None: ...
def run(options: argparse.Namespace) -> int:
    return 0

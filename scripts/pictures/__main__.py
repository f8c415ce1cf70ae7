# SPDX-License-Identifier: MIT
"""Draws every picture of the chapters: python3 scripts/pictures"""

from __future__ import annotations

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pictures.catalogue import LESSONS, pictures  # noqa: E402


def main() -> int:
    if len(sys.argv) > 1:
        print("pictures: it takes no arguments; it draws lessons/*/pictures/*.svg", file=sys.stderr)
        return 2
    for path, draw in pictures().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(draw(), encoding="utf-8")
        print(path.relative_to(LESSONS.parent))
    return 0


if __name__ == "__main__":
    sys.exit(main())

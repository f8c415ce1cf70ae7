#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds docs/checking.md to what the checks say: each block behind `<!-- finding: NAME -->` is the message of a kernel.

NAME is a kernel of examples.cu, or the word in _STARTS of a finding without one. --update writes them.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

_BLOCK = re.compile(r"(<!-- finding: (\w+) -->\n```text\n)(.*?)(```\n)", re.DOTALL)
_STARTS = {
    "api": "a call failed",
    "leak": "memory that was not freed",
    "stream": "a stream that was destroyed",
    "event": "an event that nobody has recorded",
}


def findings(program: Path) -> list[str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith("WARPLADDER_")}
    done = subprocess.run(
        [program], env=env | {"WARPLADDER_CHECK": "1"}, capture_output=True, text=True, timeout=60, check=False
    )
    if done.returncode != 4:
        sys.exit(f"exit code {done.returncode}, expected 4\n{done.stderr}")
    text = re.sub(r"\b0x[0-9a-f]{9,}", "0x...", done.stderr)  # addresses are others in each run
    return [part for part in re.split(r"^warp-ladder emulator: ", text, flags=re.MULTILINE) if "\n  what " in part]


def message(name: str, found: list[str]) -> str:
    """The first finding of that kernel, or of that check."""
    for text in found:
        if text.startswith(_STARTS.get(name, "\0")) or f" in {name}(" in text.splitlines()[0]:
            return text
    sys.exit(f"the checks have found nothing for {name}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path)
    parser.add_argument("page", type=Path)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    found = findings(options.program)
    text = options.page.read_text(encoding="utf-8")
    names = [match.group(2) for match in _BLOCK.finditer(text)]
    right = _BLOCK.sub(lambda block: block.group(1) + message(block.group(2), found) + block.group(4), text)
    if options.update:
        options.page.write_text(right, encoding="utf-8")
    elif right != text:
        print(f"{options.page} does not show what the checks say; check_page.py --update writes it")
        return 1
    titles = {re.split(r",? in [^ ]*\(", part.splitlines()[0])[0] for part in found}
    shown = {re.split(r",? in [^ ]*\(", message(name, found).splitlines()[0])[0] for name in names}
    for title in sorted(titles - shown):
        print(f"{options.page} has no example of: {title}")
    return 1 if titles - shown else 0


if __name__ == "__main__":
    sys.exit(main())

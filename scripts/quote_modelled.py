# SPDX-License-Identifier: MIT
"""Writes into pages what is modelled: blocks that begin with `$ ./course emulate ...` and show a line `modelled: ...`.

python3 scripts/quote_modelled.py [PAGE ...]            (needs the programs in build/default/lessons)
python3 scripts/quote_modelled.py --check [PAGE ...]    is what the pages show still what it says?

A line of a block that is no longer printed makes way for the printed line that differs from it in nothing but numbers.
Without a PAGE: lesson 01's chapter and docs/emulator.md.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from warpladder.core.paths import LESSONS, ROOT  # noqa: E402

PAGES = (LESSONS / "01_naive_atomic" / "README.md", ROOT / "docs" / "emulator.md")
_BLOCK = re.compile(
    r"(^```\n\$ (\./course emulate [^\n]*)\n)((?:(?!```).*\n)*? *modelled: (?:.*\n)*?)(?=^```)", re.MULTILINE
)
_NUMBER = re.compile(r"\d+(\.\d+)?")


def printed(command: str) -> list[str]:
    words = [sys.executable, *shlex.split(command)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        raise SystemExit(f"error: {command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return (done.stdout + done.stderr).splitlines()


def renewed(shown: str, lines: list[str]) -> str:
    """What a page shows, with the numbers that the command prints now."""
    out = []
    for line in shown.splitlines():
        fitting = sorted({other for other in lines if _NUMBER.sub("#", other) == _NUMBER.sub("#", line)})
        if line == "..." or line in lines:
            out.append(line)
        elif len(fitting) == 1:
            out.append(fitting[0])
        else:
            raise SystemExit(f"error: {len(fitting)} lines are printed that differ from this one in numbers: {line}")
    return "\n".join(out) + "\n"


def main() -> int:
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path, default=PAGES, metavar="PAGE")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if something has changed")
    args = parser.parse_args()
    changed = False
    for page in args.pages:
        text = page.read_text(encoding="utf-8")
        new, blocks = _BLOCK.subn(lambda m: m[1] + renewed(m[3], printed(m[2])), text)
        if not blocks:
            raise SystemExit(
                f"error: {page} has no block that begins with `$ ./course emulate` and shows a modelled time"
            )
        if new != text:
            changed = True
            print(f"{'has changed' if args.check else 'written'}: {page}")
            if not args.check:
                page.write_text(new, encoding="utf-8")
    return 1 if args.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""Writes into a chapter what the emulator says of kernels that hang or race.

python3 scripts/quote_reports.py CHAPTER [--lessons FOLDER]            (needs the programs in build/default/lessons)
python3 scripts/quote_reports.py --check CHAPTER [--lessons FOLDER]    is what the chapter shows still what it says?

A block behind `<!-- report: PROGRAM KERNEL [SETTING=VALUE] -->` is the first report about KERNEL when lessons/PROGRAM
runs, with a setting of the emulator such as WARPLADDER_SCHEDULE=lockstep.
"""

from __future__ import annotations

import argparse
import functools
import os
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from warpladder.core.paths import BUILD  # noqa: E402

_BLOCK = re.compile(r"(<!-- report: (\S+) (\w+)(?: (\w+)=(\S+))? -->\n```text\n)(.*?)(```\n)", re.DOTALL)
_MOST_WAITING = 3  # groups of threads that are shown


@functools.cache
def said(program: Path, setting: str, value: str) -> tuple[str, ...]:
    """The reports of a run, one for each launch or finding."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("WARPLADDER_")}
    env |= {setting: value} if setting else {}
    done = subprocess.run([program], env=env, capture_output=True, text=True, timeout=120, check=False)
    parts = re.split(r"^(?=warp-ladder emulator: )", done.stderr, flags=re.MULTILINE)
    return tuple(part for part in parts if "\n  what " in part)


def plain(report: str) -> str:
    """Without what another toolkit or machine has otherwise, and what says the same again and again."""
    lines = [line for line in report.splitlines() if not line.startswith(("  kernel ", "  ptx ", "  again "))]
    # A place in a header that was inlined: where the kernel called it.
    lines = [re.sub(r" at \S+, (?:.*, )?inlined at (\S+:\d+)", r" at \1", line) for line in lines]
    lines = [re.sub(r", which inlines .*|  \[.*\]$", "", line) for line in lines]
    lines = [re.sub(r"(\d+, \d+, \d+, \d+), \d+,[ \d,]*\d", r"\1, ...", line) for line in lines]
    shown: list[str] = []
    waiting, rest = 0, False
    for line in lines:
        waiting += line.startswith("  waits ")
        if waiting > _MOST_WAITING and line.startswith(("  waits ", "  gone ", "          ")):
            shown += [] if rest else ["          ..."]
            rest = True
        else:
            shown.append(line)
    return "\n".join(shown) + "\n"


def block(lessons: Path, match: re.Match[str]) -> str:
    program, kernel = lessons / match.group(2), match.group(3)
    if not program.is_file():
        sys.exit(f"quote_reports: {program} is not built: `./course run {match.group(2)}` builds it")
    for report in said(program, match.group(4) or "", match.group(5) or ""):
        if re.search(rf"\b{kernel}\b", report.splitlines()[0]):
            return match.group(1) + plain(report) + match.group(7)
    sys.exit(f"quote_reports: {program.name} has no report about {kernel}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chapter", type=Path)
    parser.add_argument("--lessons", type=Path, default=BUILD / "default" / "lessons")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    text = options.chapter.read_text(encoding="utf-8")
    if not _BLOCK.search(text):
        sys.exit(f"quote_reports: {options.chapter} shows no report")
    right = _BLOCK.sub(lambda match: block(options.lessons, match), text)
    if not options.check:
        options.chapter.write_text(right, encoding="utf-8")
    elif right != text:
        print(f"{options.chapter} does not show what the emulator says: run scripts/quote_reports.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""The traces that the chapter of lesson 06 shows are what the search prints today.

Each block between `<!-- trace STRUCTURE:begin -->` and its end names the command that printed it; the command is run
again and must print the same. `./course explore STRUCTURE --trace --chapter` writes a new one. Exit code 77: there is
no chapter.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
from pathlib import Path

_BLOCK = re.compile(r"<!-- trace (\S+):begin -->\n```text\n(.*?)```\n<!-- trace \1:end -->", re.DOTALL)
_AGAIN = re.compile(r"^ *again: \S+ (.*)$", re.MULTILINE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--chapter", required=True, type=Path)
    options = parser.parse_args()
    if not options.chapter.exists():
        print("there is no chapter yet")
        return 77
    page = options.chapter.read_text(encoding="utf-8")
    blocks = _BLOCK.findall(page)
    if 2 * len(blocks) != page.count("<!-- trace "):
        print("a trace marker of the chapter has no block, or none that can be read")
        return 1
    code = 0
    for structure, text in blocks:
        again = _AGAIN.search(text)
        words = shlex.split(again.group(1)) if again else []
        run = subprocess.run([options.program, *words], stdout=subprocess.PIPE, text=True, check=False)
        printed = [line.rstrip() for line in run.stdout.splitlines()[1:]]
        if not again or printed != text.splitlines():
            print(f"the trace of {structure} is not what the search prints; ", end="")
            print(f"`./course explore {structure} --trace --chapter` writes a new one")
            code = 1
    print(f"{len(blocks)} traces")
    return code


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""The traces that the pages of lesson 06 show are what the search prints today.

Each block between `<!-- trace STRUCTURE:begin -->` and its end names the command that printed it; the command is run
again and must print the same. `./course explore STRUCTURE --trace --chapter` writes a new one.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
from pathlib import Path

_BLOCK = re.compile(r"<!-- trace (\S+):begin -->\n```text\n(.*?)```\n<!-- trace \1:end -->", re.DOTALL)
_AGAIN = re.compile(r"^ *again: \./course explore (.*)$", re.MULTILINE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--lesson", required=True, type=Path)
    options = parser.parse_args()
    text = "\n".join(page.read_text(encoding="utf-8") for page in sorted(options.lesson.glob("*.md")))
    blocks = _BLOCK.findall(text)
    if not blocks or 2 * len(blocks) != text.count("<!-- trace "):
        print("the pages have no trace, or a marker without a block that can be read")
        return 1
    code = 0
    for structure, shown in blocks:
        again = _AGAIN.search(shown)
        words = ["--structure", *shlex.split(again.group(1))] if again else []
        run = subprocess.run([options.program, *words], stdout=subprocess.PIPE, text=True, check=False)
        printed = [line.rstrip() for line in run.stdout.splitlines()[1:]]
        if not again or printed != shown.splitlines():
            print(f"the trace of {structure} is not what the search prints; ", end="")
            print(f"`./course explore {structure} --trace --chapter` writes a new one")
            code = 1
    print(f"{len(blocks)} traces")
    return code


if __name__ == "__main__":
    sys.exit(main())

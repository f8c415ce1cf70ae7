# SPDX-License-Identifier: MIT
"""Checks that a libcudart.so exports exactly the functions listed in exports.def, under the toolkit's version node.

usage: check_exports.py LIBRARY EXPORTS_DEF [--nm NM]
"""

import argparse
import re
import subprocess
import sys

VERSION = "libcudart.so.13"


def listed(path: str) -> set[str]:
    with open(path, encoding="utf-8") as file:
        return set(re.findall(r"^(?:IMPLEMENTED|UNSUPPORTED)\((\w+)\)$", file.read(), re.MULTILINE))


def exported(library: str, nm: str) -> set[str]:
    """Exported names as `name@@version`; the version node itself is left out."""
    text = subprocess.run([nm, "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    names = {line.split()[-1] for line in text.splitlines() if line.strip()}
    return {name for name in names if name.split("@")[0] != VERSION}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("exports_def")
    parser.add_argument("--nm", default="nm")
    args = parser.parse_args()

    wanted = {f"{name}@@{VERSION}" for name in listed(args.exports_def)}
    found = exported(args.library, args.nm)
    for name in sorted(wanted - found):
        print(f"missing: {name}")
    for name in sorted(found - wanted):
        print(f"not listed: {name}")
    print(f"{len(found & wanted)} of {len(wanted)} functions are exported as listed")
    return 0 if found == wanted else 1


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""Every memory order and every scope that a structure of a lesson declares has a weakened twin in the search.

Reads the Orders structs of the lesson's headers and the table of lock_free_search (--list). An order that is relaxed
already cannot be weakened. Where the table says "cannot be seen", the comment on that constant must say so too.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

# Of each lesson, which rows of the table use which struct.
USERS = {
    "06_lock_free": {
        "MessageOrders": ("message_release",),
        "LockOrders": ("lock_test_and_set", "lock_backoff", "lock_ticket"),
        "StackOrders": ("stack_versioned", "stack_warp"),
        "LinkedOrders": ("queue_linked",),
        "RingOrders": ("queue_ring", "queue_ring_warp"),
        "MapOrders": ("map_thread", "map_tile"),
    },
    "11_hash_table": {
        "TableOrders": ("table_sector", "table_tile", "table_tags"),
        "ReusingOrders": ("table_reusing",),
    },
}
_STRUCT = re.compile(r"^struct (\w+Orders) \{\n(.*?)^\};", re.MULTILINE | re.DOTALL)
_CONSTANT = re.compile(r"((?:^ *//.*\n)*)^ *static constexpr [\w:]+ (\w+) = cuda::(\w+);", re.MULTILINE)


def declared(text: str) -> dict[str, dict[str, tuple[str, str]]]:
    """Of each Orders struct that derives from no other: constant -> (its value, the comment before it)."""
    return {
        name: {constant: (value, comment) for comment, constant, value in _CONSTANT.findall(body)}
        for name, body in _STRUCT.findall(text)
    }


def problems(headers: str, rows: dict[str, str], users: dict[str, tuple[str, ...]]) -> list[str]:
    found = []
    structs = declared(headers)
    found += [f"{name} is not in any header" for name in users if name not in structs]
    for name, constants in structs.items():
        if name not in users:
            found.append(f"{name}: no structure is known to use it; add it to USERS")
        if not constants:
            found.append(f"{name}: no constant found")
        for constant, (value, comment) in constants.items():
            if value == "memory_order_relaxed":
                continue
            for user in users.get(name, ()):
                twins = {row: what for row, what in rows.items() if row.startswith(f"{user}.{constant}=")}
                if not twins:
                    found.append(f"{name}::{constant}: there is no twin {user}.{constant}=...")
                unseen = any(what.startswith("cannot be seen") for what in twins.values())
                if unseen and "cannot be seen" not in " ".join(comment.replace("//", " ").split()):
                    found.append(f"{name}::{constant}: its comment must say why it cannot be seen")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--lesson", required=True, type=Path)
    options = parser.parse_args()
    listed = subprocess.run([options.program, "--list"], capture_output=True, text=True, check=True).stdout
    rows = {line.split(maxsplit=1)[0]: line.split(maxsplit=1)[1] for line in listed.splitlines()}
    headers = "\n".join(path.read_text(encoding="utf-8") for path in sorted(options.lesson.glob("*.cuh")))
    found = problems(headers, rows, USERS[options.lesson.name])
    for line in found:
        print(line)
    print(f"{len(rows)} rows, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""A lesson's program, called as a user calls it: what check_programs.py tries it with."""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

OPTIONS = argparse.Namespace()  # of check_programs.py, which fills it
QUICK = ("--n", "1000", "--reps", "1")
LONGEST_S = 120  # nothing hangs

# Each option with values it must refuse, and what the one line must then say.
BAD_VALUES = {
    "--n": (("abc", "-5", "1.5", "2^41", "1e99", "", "12 34", "5x"), ("1e6", "2^20", "16Mi")),
    "--rung": (("no_such_rung", "", "CUB"), ("there are ",)),
    "--type": (("f64", "F32", "int", ""), ("f32", "i32")),
    "--reps": (("-1", "100001", "abc", "1.5", ""), ("0 to 100000",)),
    "--block": (("0", "-32", "16", "48", "100", "2048", "abc", "64.0", ""), ("32, 64, 128, 256, 512 or 1024",)),
    "--seed": (("-1", "abc", "1.5", "18446744073709551616", ""), ("0 to 2^64 - 1",)),
    "--json": (("",), ("file",)),
    "--flush": (("wet", "Clean", ""), ("clean, dirty and none",)),
    "--cpu-from": (("", "/no/such/file.json", "/dev/null"), ("--cpu-from",)),
}
SUMS_ONLY = ("--type", "--cpu-from")  # the other kinds of lessons have neither
NO_STRUCTURES = ("--flush",)  # they are filled before they are timed


def call(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """In small, on a GPU as on the emulator: this is about what is printed, and beside seven other tests on one GPU an
    experiment of full size takes minutes."""
    env = {**os.environ, "WARPLADDER_SMALL": "1", **env}
    return subprocess.run([OPTIONS.program, *words], env=env, capture_output=True, text=True, timeout=LONGEST_S)


def options() -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """The options that the program has."""
    sums = not OPTIONS.structures and not OPTIONS.families
    unknown = (() if sums else SUMS_ONLY) + (NO_STRUCTURES if OPTIONS.structures else ())
    return {option: bad for option, bad in BAD_VALUES.items() if option not in unknown}


class Program(unittest.TestCase):
    def check_refused(self, words: tuple[str, ...], *parts: str) -> None:
        run = call(*words)
        self.assertEqual(run.returncode, 2, run)
        self.assertEqual(run.stdout, "")
        self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
        self.assertTrue(run.stderr.startswith(Path(OPTIONS.program).name + ": "), run.stderr)
        for part in parts:
            self.assertIn(part, run.stderr)

    def document(self, *words: str) -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "result.json"
            run = call(*words, "--json", str(path), WARPLADDER_REVISION="abc123")
            self.assertEqual((run.returncode, run.stderr), (0, ""), run)
            # Strict: Python's reader would let NaN pass.
            strict = json.JSONDecoder(parse_constant=lambda word: self.fail(f"{word} in JSON"))
            document: dict[str, Any] = strict.decode(path.read_text())
            return document


def rungs() -> list[str]:
    return [line.split()[0] for line in call("--list").stdout.splitlines()]


def rows_of(table: str) -> list[str]:
    """The ids of the table's rows, in order."""
    lines = table.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("rung "))
    return [line.split()[0] for line in lines[start + 1 :] if re.match(r"\w+ +[^ ]", line) and "CPU rows" not in line]

# SPDX-License-Identifier: MIT
"""Grades thousands of synthetic submissions over a local cluster, with workers killed at random and the master killed
once; checks every grade, and prints what it took: `.venv/bin/python tests/support/grade_many.py --students 10000`.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_PATHS = (ROOT / "scripts", ROOT / "tests" / "scripts" / "samples")
sys.path[:0] = [str(path) for path in _PATHS]

import many_samples  # noqa: E402

from warpladder.build import backend  # noqa: E402
from warpladder.build.backend import Backend  # noqa: E402
from warpladder.grading import dispatch  # noqa: E402
from warpladder.grading.grader import Grader  # noqa: E402
from warpladder.sandbox import sandbox  # noqa: E402
from warpladder.verbs import grade  # noqa: E402


def grade_once(base: Path, out: str, more: list[str], kill_every: float) -> int:
    """One run of the verb in this process; nothing but the verdict of a file and the walls is pretended."""
    backend.choose = lambda *words, **more: Backend("/bin/true", False, base)
    sandbox.isolation = lambda: sandbox.ALL
    Grader._evaluate = lambda self, item, text, allowance: (many_samples.verdict(text), None, [])  # type: ignore
    dispatch.JUDGE, dispatch._SLACK, dispatch._FIRST = many_samples.JUDGE, 10.0, 20.0
    plain = dispatch.Cluster.__init__

    def begin(self: dispatch.Cluster, client: object, *words: object) -> None:
        plain(self, client, *words)  # type: ignore[arg-type]
        if kill_every:
            threading.Thread(target=_kill_workers, args=(client, kill_every), daemon=True).start()

    dispatch.Cluster.__init__ = begin  # type: ignore[method-assign, assignment]
    parser = argparse.ArgumentParser()
    grade.add_arguments(parser)
    words = [str(base / "in"), "--out", str(base / out), "--config", str(base / "rules.json"), *more]
    return grade.run(parser.parse_args(words))


def _kill_workers(client: object, every: float) -> None:
    chance = random.Random(1)
    while True:
        time.sleep(every * (0.5 + chance.random()))
        with contextlib.suppress(Exception):
            pids = client.run(os.getpid)  # type: ignore[attr-defined]
            os.kill(chance.choice(list(pids.values())), signal.SIGKILL)


def _count(base: Path, out: str) -> int:
    try:
        with contextlib.closing(sqlite3.connect(f"file:{base / out / 'gradebook.sqlite'}?mode=ro", uri=True)) as data:
            return int(data.execute("SELECT count(*) FROM outcome").fetchone()[0])
    except sqlite3.Error:
        return 0


def _start(base: Path, out: str, more: list[str], kill_every: float = 0.0, odd: str = "{}") -> subprocess.Popen[str]:
    env = {**os.environ, "MANY_ODD": odd, "PYTHONPATH": os.pathsep.join(map(str, _PATHS))}
    command = [sys.executable, "-u", __file__, "--one", str(base), out, str(kill_every), *more]
    log = (base / f"{out}.log").open("a")
    return subprocess.Popen(command, env=env, stdout=log, stderr=subprocess.STDOUT, text=True)


def _right(base: Path, out: str, count: int) -> bool:
    with (base / out / "class.csv").open(newline="") as file:
        rows = [(row["student"], float(row["score"])) for row in csv.DictReader(file)]
    wanted = [(f"s{number:05}", many_samples.expected(number)) for number in range(count)]
    return sorted(rows) == wanted


def main() -> int:
    if sys.argv[1:2] == ["--one"]:
        folder, out, kill_every, *more = sys.argv[2:]
        return grade_once(Path(folder), out, more, float(kill_every))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--kill-every", type=float, default=15.0, metavar="SECONDS")
    options = parser.parse_args()
    base = Path(tempfile.mkdtemp(prefix="warpladder-many-"))
    try:
        return _tried(base, options.students, options.workers, options.kill_every)
    finally:
        shutil.rmtree(base, ignore_errors=True)


def _tried(base: Path, students: int, workers: int, kill_every: float) -> int:
    many_samples.hand_in(base / "in", students)
    rules = {"schema": "warpladder-grading/1", "exercises": {many_samples.EXERCISE: 10}, "seed": 5}
    (base / "rules.json").write_text(json.dumps(rules | {"limits": {"student_seconds": 5}}))
    start = time.monotonic()
    alone = _start(base, "alone", ["-j", "1"]).wait() == 0 and _right(base, "alone", students)
    single = time.monotonic() - start
    words, odd = ["--workers", str(workers)], json.dumps({"lies": "0", "hangs": "1"} if workers > 2 else {})
    start = time.monotonic()
    first = _start(base, "many", words, kill_every, odd)
    while first.poll() is None and _count(base, "many") < students // 3:
        time.sleep(0.1)
    first.kill()
    first.wait()
    killed_at = _count(base, "many")
    second = _start(base, "many", words, kill_every, odd).wait()
    seconds = time.monotonic() - start
    stored, right = _count(base, "many"), second == 0 and _right(base, "many", students)
    print(f"one process: {students} submissions in {single:.1f} s, {1000 * single / students:.2f} ms each")
    print(
        f"{workers} workers, one that lies, one that hangs, one killed every {kill_every:g} s or so, master killed at"
    )
    print(f"{killed_at} verdicts: {seconds:.1f} s, {1000 * seconds / students:.2f} ms each")
    for line in (base / "many.log").read_text().splitlines():
        if "went to workers" in line or "is not asked any more" in line or "had to be judged" in line:
            print(f"  {line}")
    print(f"every grade right, none twice, none lost: {right and alone}; verdicts stored: {stored}")
    if not (right and alone and stored == students):
        print((base / "many.log").read_text()[-3000:])
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""Grades a class three times with the real judge: as it is, once more, and after one student has changed one file.
Every verdict is checked, and what had to be judged is counted: `python tests/support/grade_twice.py --students 35`.

Each student hands in the solution or a wrong answer of a few exercises, with their name in it: no two files are equal.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from warpladder.exercises import catalog  # noqa: E402
from warpladder.exercises.catalog import Exercise  # noqa: E402

_JUDGED = re.compile(r"\] (\d+) of (\d+) files had to be judged")


def answer(exercise: Exercise, number: int) -> tuple[str, str]:
    """A file and the verdict that it must get: the solution, or one of the wrong answers, in turns."""
    wrong = sorted(exercise.wrong.items())
    if number % 2 == 0 or not wrong:
        return (exercise.folder / "solution.cuh").read_text(), "passed"
    name, kind = wrong[number // 2 % len(wrong)]
    return (exercise.folder / "wrong" / name).read_text(), kind.value


def hand_in(folder: Path, exercises: list[Exercise], students: int, each: int) -> dict[tuple[str, str], str]:
    """Writes what everybody hands in; the verdict that each file must get."""
    right = {}
    for number in range(students):
        name = f"student{number:03}"
        for place in range(each):
            exercise = exercises[(number * each + place) % len(exercises)]
            text, right[name, exercise.name] = answer(exercise, number + place)
            file = folder / name / exercise.lesson / f"{exercise.name}.cuh"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{text}// by {name}\n")
    return right


def grade(base: Path, jobs: int) -> tuple[int, int, float, float]:
    """One run of the command: files that had to be judged, files, seconds, and seconds of the processor."""
    words = ["grade", str(base / "in"), "--out", str(base / "out"), "--config", str(base / "rules.json")]
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([sys.executable, ROOT / "course", *words, "-j", str(jobs)], capture_output=True, text=True)
    seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    said = _JUDGED.search(run.stdout)
    if run.returncode != 0 or said is None:
        raise SystemExit(f"grade_twice: grade failed\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return int(said[1]), int(said[2]), seconds, used


def verdicts(base: Path) -> dict[tuple[str, str], str]:
    with (base / "out" / "class.csv").open(newline="") as file:
        return {(row["student"], row["exercise"]): row["verdict"] for row in csv.DictReader(file)}


def tried(base: Path, students: int, each: int, jobs: int) -> int:
    exercises = catalog.everything()
    right = hand_in(base / "in", exercises, students, each)
    used = sorted({exercise for _, exercise in right})
    rules = {"schema": "warpladder-grading/1", "exercises": dict.fromkeys(used, 10), "hidden_seeds": 1, "seed": 7}
    rules["limits"] = {"compile_seconds": 900, "student_seconds": 7200}  # a busy machine changes no verdict
    (base / "rules.json").write_text(json.dumps(rules))
    changed = base / "in" / "student000" / exercises[0].lesson / f"{exercises[0].name}.cuh"
    failed = False
    for what, judged in (("as it is", len(right)), ("once more", 0), ("one file changed", 1)):
        if judged == 1:
            when = changed.stat().st_mtime
            changed.write_text(changed.read_text() + "// changed\n")
            os.utime(changed, (when, when))
        count, files, seconds, cpu = grade(base, jobs)
        found = verdicts(base)
        wrong = [f"{key}: {found.get(key)}, not {kind}" for key, kind in right.items() if found.get(key) != kind]
        print(f"{what}: {students} students, {files} files of {len(used)} exercises, {count} judged in", end=" ")
        print(f"{seconds:.1f} s ({cpu:.1f} s of the processor); verdicts wrong: {len(wrong)}", flush=True)
        for line in wrong:
            print(f"  {line}")
        failed |= bool(wrong) or count != judged
    return int(failed)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=35)
    parser.add_argument("--each", type=int, default=1, metavar="FILES", help="exercises of each student")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="warpladder-twice-") as folder:
        Path(folder).chmod(0o755)
        return tried(Path(folder), options.students, options.each, options.jobs)


if __name__ == "__main__":
    sys.exit(main())

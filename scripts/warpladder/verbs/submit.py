# SPDX-License-Identifier: MIT
"""Pack your files into a zip to hand in: the exercises you have begun, and nothing else.

The number of hints you used goes with it, as the zip's comment.
"""

from __future__ import annotations

import argparse
import json
import zipfile
from pathlib import Path

from ..core.console import CourseError
from ..core.paths import shown
from ..exercises import catalog, workbench
from ..exercises.progress import Progress, mark

LARGEST = 1 << 20  # bytes; a file of an exercise has some hundred
_DATE = (2020, 1, 1, 0, 0, 0)  # the same files give the same zip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercises", nargs="*", metavar="EX", help="exercises (default: all that you have begun)")
    parser.add_argument("--out", type=Path, default=Path("submission.zip"), metavar="FILE", help="the zip to write")


def run(options: argparse.Namespace) -> int:
    everything, progress = catalog.everything(), Progress()
    asked = [catalog.find(word, everything) for word in options.exercises]
    chosen = asked or [exercise for exercise in everything if not workbench.is_untouched(exercise)]
    if absent := [exercise.name for exercise in asked if not workbench.file_of(exercise).exists()]:
        raise CourseError(f"not begun: {', '.join(absent)}", exit_code=2)
    if not chosen:
        raise CourseError("nothing to hand in: you have not begun an exercise")
    files = {f"{exercise.lesson}/{exercise.name}.cuh": workbench.file_of(exercise) for exercise in chosen}
    if large := [shown(path) for path in files.values() if path.stat().st_size > LARGEST]:
        raise CourseError(f"larger than 1 MiB, which cannot be right: {', '.join(large)}")
    try:
        with zipfile.ZipFile(options.out, "w", zipfile.ZIP_DEFLATED) as pack:
            for name, path in files.items():
                pack.writestr(zipfile.ZipInfo(name, _DATE), path.read_bytes())
            # How many hints were used: no file of its own, and shown by any tool that lists a zip.
            pack.comment = json.dumps({"hints": {e.name: progress.of(e).hints for e in chosen}}).encode()
    except OSError as error:
        raise CourseError(f"cannot write {options.out}: {error.strerror}", exit_code=2) from None
    for exercise in chosen:
        print(f"  {exercise.lesson}/{exercise.name}.cuh  {mark(exercise, progress)}")
    print(f"{len(files)} {'file' if len(files) == 1 else 'files'} in {shown(options.out)}")
    return 0

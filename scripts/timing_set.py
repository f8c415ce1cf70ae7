# SPDX-License-Identifier: MIT
"""The kernels that the modelled time is learned from and judged by (tests/timing_set).

python3 scripts/timing_set.py split --set S         draws the two halves of a set: tests/timing_set/split*.json
python3 scripts/timing_set.py measure --set S       on a GPU: times, and Nsight Compute's counters; a few minutes
python3 scripts/timing_set.py compare [--update]    on the emulator: modelled beside measured, all sets

Half of the set `exams` is judged only; its other half and all other sets are learned from. The
kernels of `patterns` are one access or one step again and again, for the costs of single things. `measure` needs nvcc,
ncu and Python only. `compare` needs a build, and leaves a set out that was never measured; with --update it writes
results/emulator-h200/timing_set.json and the chart beside it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from warpladder.core.console import CourseError  # noqa: E402
from warpladder.model import compare_set, profile_set, timing_set  # noqa: E402

READINGS = 5


def say(text: str) -> None:
    print(text, flush=True)


def split(options: argparse.Namespace) -> int:
    of = timing_set.PROGRAMS[options.set]
    if of.split is None:
        allowed = ", ".join(name for name, one in timing_set.PROGRAMS.items() if one.split)
        raise CourseError(f"the set {options.set} was never split; allowed: {allowed}", exit_code=2)
    kernels = compare_set.kernels_of(compare_set.program(options.preset, of))
    of.split.write_text(timing_set.split_text(kernels, of), encoding="utf-8")
    say(f"{len(kernels)} kernels: {of.split}")
    return 0


def measure(options: argparse.Namespace) -> int:
    counters = not options.no_counters
    how = (options.output, options.complete, counters, options.seconds, say, options.revision, options.readings)
    profile_set.measure(options.set, *how)
    return 0


def compare(options: argparse.Namespace) -> int:
    if options.first_sight:
        return compare_set.first_sight(options.preset)
    return compare_set.run(options.preset, options.half, options.update, options.check)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    one = verbs.add_parser("split", help="draw the two halves of a set")
    one.add_argument("--set", choices=timing_set.PROGRAMS, default="exams", help="which kernels (default: %(default)s)")
    one.add_argument("--preset", default="default", help="the build to use (default: %(default)s)")
    one.set_defaults(run=split)
    one = verbs.add_parser("measure", help="measure all cases on this machine's GPU")
    one.add_argument("--set", choices=timing_set.PROGRAMS, default="exams", help="which kernels (default: %(default)s)")
    one.add_argument("--output", type=Path, metavar="FILE", help="default: where results of this set are kept")
    one.add_argument(
        "--complete", type=Path, metavar="FILE", help="keep what this one has, and ask for the counters it lacks"
    )
    one.add_argument("--no-counters", action="store_true", help="times only, without Nsight Compute")
    one.add_argument("--seconds", type=float, default=1e9, help="ask for no further counters when it has taken so long")
    one.add_argument(
        "--readings",
        type=int,
        default=READINGS,
        metavar="N",
        help="how many times to ask for what depends on the caches (default: %(default)s)",
    )
    one.add_argument("--revision", help="of the sources, where they are a copy that git does not know")
    one.set_defaults(run=measure)
    one = verbs.add_parser("compare", help="the emulator's times and counters beside the measured ones")
    one.add_argument("--preset", default="default", help="the build to use (default: %(default)s)")
    one.add_argument("--half", choices=timing_set.HALVES, help="only these kernels (default: all)")
    one.add_argument("--update", action="store_true", help="write the comparison and its chart into results/")
    one.add_argument("--check", action="store_true", help="fail if the judged half is worse than was promised")
    one.add_argument("--first-sight", action="store_true", help="only judge what will be learned from, and keep that")
    one.set_defaults(run=compare)
    options = parser.parse_args(words)
    try:
        status: int = options.run(options)
    except CourseError as error:
        print(f"timing_set: {error}", file=sys.stderr)
        return error.exit_code
    return status


if __name__ == "__main__":
    sys.exit(main())

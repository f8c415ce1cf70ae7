# SPDX-License-Identifier: MIT
"""Compare the emulator's modelled times with times measured on a GPU.

Runs the rungs of all lessons on the emulator at the sizes of results/h200/rungs.json, and the kernels of
tests/model/probe.cu (probe.json), and prints each modelled time beside the measured one. With --update the tables in
docs/emulator.md and the chart in results/emulator-h200 are replaced; with --check it fails if the model is worse than
the page promises. --calibrate shows what each constant comes from, --micro how well the model does on the kernels they
come from. --record, on a machine with a GPU, builds the lessons, measures the rungs there and writes rungs.json.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..core.console import CourseError
from ..core.pages import replace_part
from ..model import calibration, contended, micro
from ..model.judge import broken_promises, judge
from ..model.page import PAGE, publish, summary, table
from ..model.points import collect, collect_probe, load_measured, probe_program
from ..model.record import build_lessons, record
from ..setup import machine, provision


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--preset", default="default", help="the build to use (default: %(default)s)")
    parser.add_argument("--sizes", help="powers of two, like 14,16,18 (default: all that were measured)")
    parser.add_argument(
        "--lessons", type=Path, metavar="DIR", help="where the lesson programs are (default: in the build)"
    )
    parser.add_argument(
        "--probe", type=Path, metavar="FILE", help="the program of tests/model/probe.cu (default: in the build)"
    )
    parser.add_argument("--check", action="store_true", help="fail if the model is worse than promised")
    parser.add_argument("--update", action="store_true", help="write the table into docs/emulator.md, and the chart")
    parser.add_argument("--calibrate", action="store_true", help="show what each constant comes from, and check it")
    parser.add_argument(
        "--micro", action="store_true", help="compare the micro-kernels instead (--update: on the page)"
    )
    parser.add_argument("--record", action="store_true", help="measure the rungs on this GPU (--preset gpu)")


def compare_micro(options: argparse.Namespace) -> int:
    text = micro.text(micro.compare(micro.modelled(options.preset), micro.measured()))
    print(text, end="")
    if options.update:
        PAGE.write_text(replace_part(PAGE.read_text(encoding="utf-8"), "micro", text), encoding="utf-8")
    return 0


def run(options: argparse.Namespace) -> int:
    if options.calibrate:
        return calibration.run()
    if options.micro:
        return compare_micro(options)
    if options.record:
        return record(options.lessons or build_lessons(options.preset, machine.RUN_GPU))
    measured = load_measured()
    known = measured["exponents"]
    try:
        exponents = [int(e) for e in options.sizes.split(",")] if options.sizes else known
    except ValueError:
        raise CourseError(f"--sizes {options.sizes}: wants powers of two, like 14,16") from None
    if unknown := [e for e in exponents if e not in known]:
        raise CourseError(f"nothing was measured at 2^{unknown[0]}; there are {', '.join(map(str, known))}")
    python = provision.find_charts_python() if options.update else ""
    if python is None:
        raise CourseError(provision.CHARTS_HELP, exit_code=3)
    points = collect(options.lessons or build_lessons(options.preset, machine.RUN_EMULATED), measured, exponents)
    program = options.probe or probe_program(options.preset)
    probe = collect_probe(program, exponents)
    judgements = [judge(points), judge(probe)]
    source = (
        f"Modelled / measured microseconds, and their ratio. Measured on {measured['device']}, {measured['date']}, "
        f"revision {measured['revision']}: `{measured['command']}`, {measured['type']}, blocks of {measured['block']}."
    )
    text = (
        f"{source}\n\nThe rungs. {summary(judgements[0], points)}\n\n{table(points)}\n"
        f"Kernels of `tests/model/probe.cu`, which no constant was taken from. {summary(judgements[1], probe)}\n\n"
        f"{table(probe)}\n{contended.table()}"
    )
    print(text, end="")
    if options.update:
        publish(text, points + probe, python)
    if options.check and (broken := [b for judgement in judgements for b in broken_promises(judgement)]):
        raise CourseError("; ".join(broken), exit_code=1)
    return 0

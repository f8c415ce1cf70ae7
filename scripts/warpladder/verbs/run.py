# SPDX-License-Identifier: MIT
"""Build the lessons, run them, save the results and draw the charts.

Sets up what is missing, builds and runs the chosen lessons (default: all) and then the main rungs over many n. Works on
a GPU and, where there is none, on the emulator, whose times are modelled. Results go to results/mine/<device>.
`./course run 04.toolbox` builds and runs one further program of a lesson and shows what it prints, 04.main the lesson's
own without the further ones; with --out its document takes the place of the older one there. Exit code: 0 all right, 1
a lesson failed, 2 wrong input, 3 something is missing.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from ..build.lessons import LessonBuild, definitions
from ..charts import charted, drawing
from ..core.console import Console, CourseError
from ..core.paths import BUILD, LOGS, MINE, RESULTS, shown
from ..lessons import catalog, sweep
from ..lessons.programs import Outcome, Programs
from ..results import ladder, saved, tables
from ..results.saved import Document, Results
from ..setup import machine, provision

PRESETS = ("default", "emulator", "gpu", "debug")
_LOG = "lessons.log"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "lessons", nargs="*", metavar="LESSON", help="03 or 03_divergence_free (default: all); or 04.toolbox"
    )
    parser.add_argument("--preset", choices=PRESETS, default="default", help="a preset of CMakePresets.json")
    parser.add_argument("--jobs", "-j", type=_count, default=machine.default_jobs(), metavar="N", help="parallel jobs")
    parser.add_argument(
        "--n", metavar="N", type=_size, help="elements to sum, or operations: 1000000, 1e6, 2^20 or 16Mi"
    )
    parser.add_argument("--type", choices=("f32", "i32", "both"), help="what to sum (default: f32; on a GPU both)")
    parser.add_argument("--quick", action="store_true", help="no sweep over n")
    parser.add_argument("--out", metavar="DIR", type=Path, help="where the results go")
    parser.add_argument("--publish", action="store_true", help="write results/<device>, which is committed")
    parser.add_argument("--no-setup", action="store_true", help="install nothing")
    parser.add_argument("--verbose", "-v", action="store_true", help="show the output of every command")


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of jobs")
    return int(text)


def _size(text: str) -> str:
    """The programs read sizes; here only what cannot be one is refused, before anything is built."""
    if not re.fullmatch(r"\d+\^\d+|\d+(\.\d+)?(e\d+)?(Ki|Mi|Gi|k|M|G)?", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a size; write 1000000, 1e6, 2^20 or 16Mi")
    return text


@dataclass
class _Run:
    console: Console
    programs: Programs
    build: LessonBuild
    first: str  # when this program has run, those begin to be built that are waiting
    waiting: list[str]
    scratch: Path
    documents: list[Document] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


def run(options: argparse.Namespace) -> int:
    alone = [catalog.choose_program(word) for word in options.lessons if "." in word]
    if alone and (len(alone) < len(options.lessons) or options.n or options.type or options.quick):
        raise CourseError("a program runs alone: no LESSON, --n, --type or --quick beside it", exit_code=2)
    lessons = catalog.choose([] if alone else options.lessons)
    if options.publish and (options.lessons or options.n or options.quick or options.out):
        raise CourseError("--publish writes a whole run: it goes with no LESSON, --n, --quick or --out", exit_code=2)
    if options.out:
        saved.make_folder(options.out)  # told now, not after the run
    console = Console(options.verbose)
    use = _use(options.preset)
    nvcc = provision.setup(console, use, install=not options.no_setup)
    if alone:
        python = None
    else:
        python = provision.find_charts_python() if options.no_setup else provision.ensure_charts_python(console)
    with (
        LessonBuild(console, options.preset, options.jobs, machine.build_environment(nvcc)) as build,
        tempfile.TemporaryDirectory() as scratch,
    ):
        if not build.configure(definitions(use)):
            return 1
        if alone:
            return _run_alone(console, build, alone, options)
        wanted = [name for lesson in lessons for name in (lesson, *catalog.experiments(lesson))]
        # Programs that are compiled take cores from those that run. Modelled times do not mind; measured ones would.
        # What is measured without a GPU too, the CPU rows, is measured by the first programs, before the rest is built.
        at_once = _up_to_the_cpu_rows(wanted) if use == machine.RUN_EMULATED else wanted
        if not build.make(f"lesson {lessons[0][:2]}" if len(at_once) == 1 else "the lessons", at_once):
            return 1
        programs = Programs(BUILD / options.preset / "lessons", _LOG)
        work = _Run(console, programs, build, at_once[-1], wanted[len(at_once) :], Path(scratch))
        _run_lessons(work, lessons, options)
        if not work.documents:
            return _report_failures(work)
        results = Results(Path(), saved.collect(work.documents))
        if not options.quick:
            types: list[str] = [t for t in ("f32", "i32") if t in ladder.types(results)]
            todo = sweep.plans(results, types, complete=_reaches_the_top(lessons))
            documents, failures = sweep.run(console, work.programs, results, todo)
            work.documents += documents
            work.failures += failures
        code = _finish(work, options, python)
        console.say(f"done, {console.clock().strip()} after the start")
        return code


def _run_alone(console: Console, build: LessonBuild, names: list[str], options: argparse.Namespace) -> int:
    """As the program is: its output, its exit code."""
    if not build.make(", ".join(names), names):
        return 1
    folder = BUILD / options.preset / "lessons"
    if options.out:
        return _save_alone(console, Programs(folder, _LOG), names, options)
    codes = [subprocess.run([str(folder / name)], stdin=subprocess.DEVNULL).returncode for name in names]
    return next((code if code > 0 else 1 for code in codes if code != 0), 0)


def _save_alone(console: Console, programs: Programs, names: list[str], options: argparse.Namespace) -> int:
    """What is right is kept; what failed leaves the older document as it was."""
    path = options.out / saved.NAME
    code = 0
    for name in names:
        outcome = programs.run(name)
        console.show(outcome.output.rstrip())
        code = code or abs(outcome.code)
        if outcome.code != 0 or outcome.document is None:
            continue
        fresh = {**outcome.document, "command": command(options)}
        older = _existing(console, path) if path.exists() else None
        saved.save(path, saved.collect(saved.replace(older, fresh)))
        console.show(f"results: {shown(path)}")
    return code


def _up_to_the_cpu_rows(programs: list[str]) -> list[str]:
    """Those of the first program, and of the first lesson of the ladder, hold for all others."""
    first = next((at for at, program in enumerate(programs) if ladder.is_ladder(program)), 0)
    return programs[: first + 1]


def _reaches_the_top(lessons: list[str]) -> bool:
    last = [name for name in catalog.names() if ladder.is_ladder(name)][-1:]
    return bool(last) and last[0] in lessons


def _use(preset: str) -> str:
    return machine.RUN_GPU if preset == "gpu" or (preset == "default" and machine.gpus()) else machine.RUN_EMULATED


def command(options: argparse.Namespace) -> str:
    """What to type to get these results again."""
    words = ["./course run", *options.lessons]
    words += ["--preset " + options.preset] if options.preset != "default" else []
    words += [f"--n {options.n}"] if options.n else []
    words += [f"--type {options.type}"] if options.type else []
    words += ["--quick"] if options.quick else []
    words += [f"--out {shlex.quote(str(options.out))}"] if options.out else []
    words += ["--publish"] if options.publish else []
    return " ".join(words)


def _run_lessons(work: _Run, lessons: list[str], options: argparse.Namespace) -> None:
    size = ["--n", options.n] if options.n else []
    for lesson in lessons:
        if ladder.is_ladder(lesson):
            _run_types(work, lesson, size, options)
        else:  # structures: nothing is summed, so there is no type
            _run_program(work, lesson, size, lesson)
        for program in catalog.experiments(lesson):
            _run_program(work, program, [], program)


def _run_types(work: _Run, lesson: str, size: list[str], options: argparse.Namespace) -> None:
    first = "i32" if options.type == "i32" else "f32"
    _run_program(work, lesson, ["--type", first, *size, *_cpu_rows(work, first)], f"{lesson} {first}")
    gpu = any(d["backend"] == "gpu" for d in work.documents)
    if options.type == "both" or (options.type is None and gpu):
        _run_program(work, lesson, ["--type", "i32", *size, *_cpu_rows(work, "i32")], f"{lesson} i32")


def _cpu_rows(work: _Run, type_: str) -> list[str]:
    """The CPU's loop and its input are the same in all lessons: measured once, by the first, it has one time."""
    for document in work.documents:
        if document.get("type") == type_ and any(row["kind"] == ladder.CPU for row in document["rows"]):
            file = work.scratch / f"{type_}.json"
            file.write_text(json.dumps(document), encoding="utf-8")
            return ["--cpu-from", str(file)]
    return []


def _run_program(work: _Run, name: str, arguments: list[str], title: str) -> None:
    if not work.build.wait(name):
        work.failures.append(f"{title}: it could not be built")
        return
    work.console.say(f"running {title}")
    outcome = work.programs.run(name, *arguments)
    if outcome.code in (2, 3) and not work.documents:
        raise CourseError(_one_line(outcome), exit_code=outcome.code)
    if work.console.verbose or "." not in name:  # an experiment's tables are long: they are in the log
        work.console.show(outcome.output.rstrip())
    if outcome.document is not None:
        if not work.documents:
            work.console.say(f"the first table, {work.console.clock().strip()} after the start")
        work.documents.append(outcome.document)
    if outcome.code != 0:
        work.failures += [f"{title}: {line.strip()}" for line in outcome.reasons()]
        work.console.say(f"  {title} FAILED (exit code {outcome.code})")
    if name == work.first:
        work.build.start("the other programs", work.waiting)
        work.waiting = []


def _one_line(outcome: Outcome) -> str:
    return outcome.reasons()[-1].strip()


def _finish(work: _Run, options: argparse.Namespace, python: str | None) -> int:
    """Saves, draws, shows."""
    console = work.console
    first = work.documents[0]
    folder = options.out or (RESULTS if options.publish else MINE) / saved.slug(
        first["device"]["name"], first["backend"]
    )
    if options.publish and work.failures:
        console.say("nothing is published: something failed")
        return _report_failures(work)
    path = folder / saved.NAME
    documents = [{**document, "command": command(options)} for document in work.documents]
    older = _existing(console, path) if options.lessons and path.exists() else None
    saved.save(path, saved.collect(saved.merge(older, documents)))
    results = saved.load(path)
    something = charted.anything(results)
    charts = drawing.draw(console, python, [results], folder) if python and something else []
    for line in tables.short_table(results):
        console.show(line)
    console.show("")
    if results.modelled:
        console.show(
            "These times are modelled by the emulator, not measured. The CPU rows are measured on this machine."
        )
        if any(d["lesson"].startswith("06") for d in results.data["documents"]):
            console.show(
                "It knows no attempt that fails: where threads fight for one word (lesson 06) a GPU is slower still."
            )
    console.show(f"results: {shown(path)}")
    for chart in charts:
        console.show(f"chart:   {shown(chart)}")
    if options.publish:
        console.show("next:    `./course plot --publish` writes the tables of README.md and the chapters")
    if _report_failures(work) != 0:
        return 1
    if not charts:
        console.show(f"no charts: {provision.CHARTS_HELP}" if not python else "the charts could not be drawn")
        return 3 if not python else 1
    return 0


def _existing(console: Console, path: Path) -> Results | None:
    try:
        return saved.load(path)
    except CourseError as error:
        console.say(f"the older results are dropped: {error}")
        return None


def _report_failures(work: _Run) -> int:
    for line in work.failures:
        work.console.show(f"FAILED   {line}")
    if work.failures:
        work.console.show(f"what every program printed: {shown(LOGS / _LOG)}")
    return 1 if work.failures else 0

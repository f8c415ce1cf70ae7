# SPDX-License-Identifier: MIT
"""Draw the charts again, or several results on one chart.

Without arguments the charts of all results in results/mine are drawn again. --compare puts any number of result files
on one chart, for example your GPU beside the committed results/h200. --publish redraws the committed results and writes
their tables into README.md and the chapters.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..charts import charted, drawing
from ..core.console import Console, CourseError
from ..core.paths import MINE, RESULTS, ROOT, shown
from ..results import claims, ladder, saved, tables
from ..setup import provision

PUBLISHED = "h200"  # whose tables the documents show
MODELLED = "emulator-h200"  # whose tables they show where a marker says so


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE|DIR", help="results.json, or its folder")
    parser.add_argument("--compare", action="store_true", help="all files on one chart")
    parser.add_argument("--publish", action="store_true", help="redraw results/*/ and rewrite the generated tables")
    parser.add_argument("--out", metavar="DIR", type=Path, help="where the charts go (default: beside the results)")
    parser.add_argument("--verbose", "-v", action="store_true", help="show the output of every command")


def run(options: argparse.Namespace) -> int:
    if options.publish and (options.files or options.compare or options.out):
        raise CourseError("--publish goes with no other argument", exit_code=2)
    files = options.files or (committed() if options.publish else sorted(MINE.glob(f"*/{saved.NAME}")))
    if not files:
        where = "results/*" if options.publish else "results/mine"
        raise CourseError(f"there are no results in {where}: `./course run` makes them", exit_code=2)
    loaded = [saved.load(file) for file in files]
    for results in loaded:
        if ladder.best_type(results) is None and (options.compare or not charted.anything(results)):
            raise CourseError(f"{results.path} holds no rung of lessons 01 to 05 that ran", exit_code=2)
    if options.compare and len(loaded) < 2:
        raise CourseError("--compare needs at least two result files", exit_code=2)
    pages = rewritten() if options.publish else {}
    console = Console(options.verbose)
    python = provision.find_charts_python()
    if python is None:
        raise CourseError(provision.CHARTS_HELP, exit_code=3)
    charts = []
    if options.compare:
        charts += drawing.draw_or_fail(console, python, loaded, options.out or MINE, compare=True)
    else:
        for results in loaded:
            charts += drawing.draw_or_fail(console, python, [results], options.out or results.path.parent)
    for chart in charts:
        console.show(f"chart: {shown(chart)}")
    for page, text in pages.items():
        changed = text != page.read_text(encoding="utf-8")
        page.write_text(text, encoding="utf-8")
        console.show(f"tables: {shown(page)}{'' if changed else ' (unchanged)'}")
    faults = claims.faults(claims.pages())
    for fault in faults:  # the sentence must be written anew: the tables are right
        console.show(f"claim: {fault}")
    return 1 if faults else 0


def committed() -> list[Path]:
    return [path for path in sorted(RESULTS.glob(f"*/{saved.NAME}")) if path.parent != MINE]


def rewritten() -> dict[Path, str]:
    """Each document with markers, as it must be."""
    pages = tables.documents_with_markers(ROOT)
    if not pages:
        return {}
    texts = {page: page.read_text(encoding="utf-8") for page in pages}
    results = saved.load(RESULTS / PUBLISHED)
    wanted = any("<!-- results: modelled " in text for text in texts.values())
    modelled = saved.load(RESULTS / MODELLED) if wanted else None
    return {page: tables.rewrite(text, str(page.relative_to(ROOT)), results, modelled) for page, text in texts.items()}

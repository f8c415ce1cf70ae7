# SPDX-License-Identifier: MIT
"""Lesson 06, modelled beside measured: how far the model can be believed where all threads want one word."""

from __future__ import annotations

from pathlib import Path

from ..core import numbers
from ..core.paths import RESULTS
from ..results import lock_free, saved

MEASURED, MODELLED = RESULTS / "h200" / "results.json", RESULTS / "emulator-h200" / "results.json"
_ONE_WORD = ("lock_", "locked_", "stack_versioned", "stack_warp", "queue_linked")


def rates(path: Path) -> tuple[dict[str, float], str]:
    """Million operations per second of each rung that fights for one word, and the revision that was run."""
    results = saved.load(path)
    found = lock_free.table(results, "structures", "rates")
    if found is None:
        return {}, ""
    at = found["columns"].index("million/s")
    revision = next(d["revision"] for d in results.documents if d.get("name") == "structures")
    return {row[0]: row[at] for row in found["rows"] if row[at] and row[0].startswith(_ONE_WORD)}, revision


def table(measured: Path = MEASURED, modelled: Path = MODELLED) -> str:
    """As Markdown, from the committed results; empty where lesson 06 was not run."""
    (real, there), (model, here) = rates(measured), rates(modelled)
    rungs = [rung for rung in real if rung in model]
    if not rungs:
        return ""
    lines = [
        "Lesson 06 where all want one word, million operations per second, as many threads here as there: modelled by "
        f"revision {here}, measured with revision {there}.",
        "",
        "| rung | modelled | measured | ratio |",
        "| --- | ---: | ---: | ---: |",
    ]
    for rung in rungs:
        cells = [numbers.significant(value) for value in (model[rung], real[rung], model[rung] / real[rung])]
        lines.append(f"| `{rung}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"

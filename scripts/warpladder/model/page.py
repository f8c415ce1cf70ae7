# SPDX-License-Identifier: MIT
"""The model on docs/emulator.md: the table, the sentence about it, and the data of its chart."""

from __future__ import annotations

import json
import subprocess
from dataclasses import asdict

from ..core.console import CourseError
from ..core.pages import replace_part
from ..core.paths import RESULTS, ROOT, SCRIPTS
from .judge import CLEAR, Judgement
from .points import MEASURED, PROBE_LESSON, Point

PAGE = ROOT / "docs" / "emulator.md"


CHART = RESULTS / "emulator-h200" / "model"


def brief(us: float) -> str:
    return f"{us:.3g}" if us < 1000 else f"{us:.0f}"


def table(points: list[Point]) -> str:
    exponents = sorted({point.exponent for point in points})
    heads = [f"2^{e}" for e in exponents]
    lines = [
        "| rung | " + " | ".join(heads) + f" | limited by, at 2^{exponents[-1]} |",
        "| --- |" + " ---: |" * len(heads) + " --- |",
    ]
    rungs: dict[tuple[str, str], dict[int, Point]] = {}
    for point in points:
        rungs.setdefault((point.lesson, point.rung), {})[point.exponent] = point
    for (lesson, rung), sizes in rungs.items():
        cells = [
            f"{brief(sizes[e].modelled)} / {brief(sizes[e].measured)} ({sizes[e].ratio:.2f})" if e in sizes else ""
            for e in exponents
        ]
        limit = sizes[exponents[-1]].limit if exponents[-1] in sizes else ""
        name = "CUB" if rung == "cub" else f"`{rung}`" if lesson == PROBE_LESSON else f"{lesson[:2]} `{rung}`"
        lines.append(f"| {name} | " + " | ".join(cells) + f" | {limit} |")
    return "\n".join(lines) + "\n"


def summary(judgement: Judgement, points: list[Point]) -> str:
    worst = judgement.worst
    off = max(worst.ratio, 1 / worst.ratio)
    wrong = len(judgement.wrong)
    text = (
        f"{len(points)} times: off by {100 * judgement.mean_error:.0f} % (geometric mean), the worst by {off:.2f} "
        f"times (`{worst.rung}` at 2^{worst.exponent})."
    )
    if worst.lesson == PROBE_LESSON:
        return text
    text += (
        f" Of {judgement.pairs} pairs of rungs of one lesson whose order "
        f"is clear (over {100 * CLEAR:.0f} % and over the spread apart), {wrong or 'none'} "
        f"{'comes' if wrong < 2 else 'come'} out in the wrong order"
    )
    if not wrong:
        return text + "."
    names: dict[tuple[str, str], list[str]] = {}
    for a, b in judgement.wrong:
        names.setdefault((a.rung, b.rung), []).append(f"2^{a.exponent}")
    return text + ": " + "; ".join(f"`{a}` and `{b}` at {', '.join(at)}" for (a, b), at in names.items()) + "."


def publish(text: str, points: list[Point], python: str) -> None:
    """Writes the page and the data of the chart, and has the chart drawn by an interpreter that can."""
    PAGE.write_text(replace_part(PAGE.read_text(encoding="utf-8"), "model", text), encoding="utf-8")
    rows = ",\n".join("    " + json.dumps(asdict(point)) for point in points)
    data = CHART.with_suffix(".json")
    data.write_text(f'{{\n  "kind": "model",\n  "points": [\n{rows}\n  ]\n}}\n', encoding="utf-8")
    draw = [python, "-m", "warpladder.charts.model", str(data), str(MEASURED)]
    result = subprocess.run(draw, cwd=SCRIPTS, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise CourseError(f"the chart was not drawn: {result.stderr.strip()}")
    print(f"written to {PAGE.relative_to(ROOT)} and {CHART.relative_to(ROOT)}.svg")

# SPDX-License-Identifier: MIT
"""What the charts and the tables show, computed from a results file: the steps of the ladder and the series over n."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from . import saved
from .saved import Document, Results

# Lessons 01 to 05 sum the same array, so one chart shows them all. The one before and later ones do other things.
FIRST_LADDER_LESSON, LAST_LADDER_LESSON = "01", "05"
CPU, RUNG, LIBRARY = "cpu", "rung", "library"


@dataclass(frozen=True)
class Step:
    """One row: a rung, a CPU baseline or the library."""

    lesson: str
    kind: str
    id: str
    idea: str
    us: float = 0.0
    spread: float = 0.0
    gbps: float = 0.0
    share: float = 0.0  # of the roof
    factor: float | None = None  # times the rung before it, also across lessons
    cpu_factor: float | None = None  # times one CPU core
    skipped: str = ""  # why it did not run
    failed: bool = False  # it ran, and the sum was wrong

    @property
    def timed(self) -> bool:
        return not self.skipped and not self.failed and self.us > 0


@dataclass(frozen=True)
class Point:
    n: int
    us: float
    spread: float
    gbps: float


@dataclass
class Series:
    """One rung, or the library, over n."""

    lesson: str
    id: str
    kind: str
    points: list[Point] = field(default_factory=list)

    def at(self, n: int) -> Point | None:
        return next((point for point in self.points if point.n == n), None)


def is_ladder(lesson: str) -> bool:
    return FIRST_LADDER_LESSON <= lesson[:2] <= LAST_LADDER_LESSON


def documents(results: Results, type_: str) -> list[Document]:
    """The ladder's documents: one per lesson, in order."""
    return [d for d in results.part(saved.LADDER, type_) if is_ladder(d["lesson"])]


def swept(results: Results, type_: str) -> list[Document]:
    """What is drawn over n: the sweep, and the ladder at its own n."""
    return documents(results, type_) + [d for d in results.part(saved.SWEEP, type_) if is_ladder(d["lesson"])]


def types(results: Results) -> list[str]:
    """What was summed: f32 first."""
    return sorted({d["type"] for d in results.part(saved.LADDER) if is_ladder(d["lesson"])})


def best_type(results: Results) -> str | None:
    """The type to show where one is shown: the first with a rung that ran; None if nothing did."""
    return next((t for t in types(results) if top_rung(results, t)), None)


def steps(results: Results, type_: str) -> list[Step]:
    """All rows of all lessons in order. Each lesson has its own CPU and library rows."""
    return steps_of(results, documents(results, type_))


def lesson_at(results: Results, lesson: str, type_: str, n: int) -> list[Document]:
    """The document of a whole lesson at one n, in the ladder or in the sweep; empty if there is none."""
    every = [*results.part(saved.LADDER, type_), *results.part(saved.SWEEP, type_)]
    found = [d for d in every if (d["lesson"], d["n"]) == (lesson, n)]
    rungs = [sum(row["kind"] == RUNG for row in d["rows"]) for d in found]
    return [d for d, count in zip(found, rungs, strict=True) if count == max(rungs) and count > 1][:1]


def steps_of(results: Results, found_documents: list[Document]) -> list[Step]:
    found: list[Step] = []
    previous = 0.0
    for document in found_documents:
        cpu = 0.0
        for row in document["rows"]:
            common = (document["lesson"], row["kind"], row["id"], row["idea"])
            if "skipped" in row:
                found.append(Step(*common, skipped=row["skipped"]))
                continue
            us = row["median_us"]
            if not row["ok"] or us <= 0:
                found.append(Step(*common, failed=True))
                continue
            if row["kind"] == CPU and cpu == 0:
                cpu = us
            found.append(
                Step(
                    *common,
                    us=us,
                    spread=row["spread"],
                    gbps=row["gbps"],
                    share=row["gbps"] / results.roof_gbps if results.roof_gbps > 0 else 0.0,
                    factor=previous / us if row["kind"] == RUNG and previous > 0 else None,
                    cpu_factor=cpu / us if cpu > 0 else None,
                )
            )
            if row["kind"] == RUNG:
                previous = us
    return found


def ladder(results: Results, type_: str) -> list[Step]:
    """The ladder in one list: the CPU rows of the first lesson, every rung, the library row of the last lesson. A rung
    that does not apply to this type is shown with the other one, where that was run."""
    every = [_in_other_type(results, type_, step) for step in steps(results, type_)]
    if not every:
        return []
    first, last = every[0].lesson, every[-1].lesson
    cpu = [step for step in every if step.kind == CPU and step.lesson == first]
    library = [step for step in every if step.kind == LIBRARY and step.lesson == last]
    return cpu + [step for step in every if step.kind == RUNG] + library


def _in_other_type(results: Results, type_: str, step: Step) -> Step:
    if not step.skipped:
        return step
    others = [
        replace(other, id=f"{other.id} ({t})")
        for t in types(results)
        if t != type_
        for other in steps(results, t)
        if (other.lesson, other.id) == (step.lesson, step.id) and other.timed
    ]
    return others[0] if others else step


def top_rung(results: Results, type_: str) -> tuple[str, str] | None:
    """Lesson and id of the roofline rung: the last one of the last lesson that ran."""
    timed = [step for step in steps(results, type_) if step.kind == RUNG and step.timed]
    return (timed[-1].lesson, timed[-1].id) if timed else None


def main_rungs(results: Results, type_: str) -> list[tuple[str, str]]:
    """The very first rung, and the last one of each lesson that ran."""
    timed = [(step.lesson, step.id) for step in steps(results, type_) if step.kind == RUNG and step.timed]
    last = {lesson: (lesson, id_) for lesson, id_ in timed}
    return list(dict.fromkeys([*timed[:1], *last.values()]))


def over_n(results: Results, type_: str) -> list[Series]:
    """The main rungs over n, and at the end the library, timed in the same runs as the roofline rung."""
    top = top_rung(results, type_)
    wanted = main_rungs(results, type_)
    found = {key: Series(*key, RUNG) for key in wanted}
    library = Series("", "cub", LIBRARY)
    # The ladder's own document is a point of the series like any other.
    for part in (saved.SWEEP, saved.LADDER):
        for document in results.part(part, type_):
            ids = {row["id"] for row in document["rows"] if row["kind"] == RUNG}
            for row in document["rows"]:
                key = (document["lesson"], row["id"])
                if key in found:
                    _add(found[key], document["n"], row)
                elif row["kind"] == LIBRARY and top and document["lesson"] == top[0] and top[1] in ids:
                    library.id = row["id"]
                    _add(library, document["n"], row)
    for series in (*found.values(), library):
        series.points.sort(key=lambda point: point.n)
    return [series for series in (*found.values(), library) if series.points]


def _add(series: Series, n: int, row: Document) -> None:
    if row.get("ok") and row["median_us"] > 0 and series.at(n) is None:
        series.points.append(Point(n, row["median_us"], row["spread"], row["gbps"]))


def duel(results: Results, type_: str) -> tuple[Series, Series] | None:
    """The roofline rung and the library, at the sizes that both have; None without a sweep."""
    series = over_n(results, type_)
    top = top_rung(results, type_)
    rung = next((s for s in series if (s.lesson, s.id) == top), None)
    library = next((s for s in series if s.kind == LIBRARY), None)
    if rung is None or library is None:
        return None
    both = {p.n for p in rung.points} & {p.n for p in library.points}
    if not both:
        return None
    first, second = (Series(s.lesson, s.id, s.kind, [p for p in s.points if p.n in both]) for s in (rung, library))
    return first, second

# SPDX-License-Identifier: MIT
"""Tables of results: the short one on the terminal, and the generated ones in README.md and the chapters.

A document holds `<!-- results: WHAT -->` and `<!-- /results -->`; what stands between is written here, never by hand:

    ladder [TYPE]              every rung of lessons 01 to 05
    NN_topic TYPE [N]          the rungs of one lesson, f32 or i32; at another n such as 2^20, where that was run
    NN_topic TYPE errors       how wrong the sums of one lesson are, beside how wrong they may be
    NN_topic PROGRAM.TABLE     one table of one of its experiments
    NN_topic FAMILY            the rungs of one family, of a lesson that has families
    sweep TYPE                 the roofline rung against the library, at every n
    modelled ...               any of these from the emulator's results, instead of the GPU's
    ... only ROW | ROW         any of these, with the rows of these first cells alone: the appendix has the others
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from ..core import numbers
from ..core.console import CourseError
from ..core.paths import LESSONS
from . import families, ladder, lock_free, saved
from .ladder import Series, Step
from .saved import Document, Results

MARKER = re.compile(r"^<!--\s*(/?results)\b\s*:?\s*(.*?)\s*-->\s*$")
_MEAN_UP_TO = 24  # the geometric mean is of 2^10 to 2^24: above, both run at the roof


class Unknown(Exception):
    """A marker that asks for something that is not in the results."""


# ---- on the terminal


def short_table(results: Results) -> list[str]:
    """rung, time, GB/s, % of the roof, x previous."""
    lines: list[str] = []
    for type_ in ladder.types(results)[:1]:
        rows = ladder.ladder(results, type_)
        ids = max(len(step.id) for step in rows)
        lines += ["", f"{_where(results)}, {_sizes(ladder.documents(results, type_))} {type_}"]
        lines += [f"{'rung':{ids}} {'time':>9} {'GB/s':>7} {'% roof':>7} {'x prev':>7}"]
        for step in rows:
            if step.timed:
                factor = numbers.factor(step.factor)[:-1] if step.factor else "-"
                share = numbers.percent(step.share)[:-2]
                time = numbers.time(step.us)
                line = f"{step.id:{ids}} {time:>9} {numbers.significant(step.gbps):>7} {share:>7} {factor:>7}"
            else:
                line = f"{step.id:{ids}} " + (f"skipped: {step.skipped}" if step.skipped else "FAIL")
            lines.append(line)
    return lines + _structures(results) + _families(results)


def _families(results: Results) -> list[str]:
    lines: list[str] = []
    for document in families.documents(results):
        for part in document["families"]:
            rows = families.steps(results, {**document, **part})
            ids = max(len(step.id) for step in rows)
            where = f"{part['about']}, {families.described(part)}"
            lines += ["", f"{_where(results)}, {where}", f"{'rung':{ids}} {'time':>9} {'GB/s':>7} {'% roof':>7}"]
            for step in rows:
                cells = f"skipped: {step.skipped}" if step.skipped else "FAIL"
                if step.timed:
                    share = numbers.percent(step.share)[:-2]
                    cells = f"{numbers.time(step.us):>9} {numbers.significant(step.gbps):>7} {share:>7}"
                lines.append(f"{step.id:{ids}} {cells}")
    return lines


def _structures(results: Results) -> list[str]:
    """Lesson 06: a structure and its operations per second."""
    found = lock_free.table(results, "structures", "rates")
    if found is None:
        return []
    ids = max(len(row[0]) for row in found["rows"])
    columns = [found["columns"].index(name) for name in ("million/s", "x previous", "x counter")]
    lines = [
        "",
        f"{_where(results)}, {lock_free.LESSON}",
        f"{'rung':{ids}} {'million/s':>10} {'x prev':>7} {'x counter':>9}",
    ]
    for row in found["rows"]:
        cells = [_cell(row[column]) for column in columns]
        lines.append(f"{row[0]:{ids}} {cells[0]:>10} {cells[1]:>7} {cells[2]:>9}")
    return lines


def _where(results: Results) -> str:
    return f"{results.data['times'].capitalize()} on {results.device}"


def _sizes(documents: list[Document]) -> str:
    sizes = sorted({d["n"] for d in documents})
    return "n = " + ", ".join(numbers.size(n) for n in sizes)


# ---- in documents


def rewrite(text: str, name: str, results: Results, modelled: Results | None = None) -> str:
    """The document with all that stands between its markers replaced. `name` is for messages."""
    lines: list[str] = []
    opened = 0  # the line of the marker that is open
    for number, line in enumerate(text.splitlines(), start=1):
        match = MARKER.match(line)
        if match is None:
            lines += [line] if not opened else []
        elif match.group(1) == "results":
            if opened:
                raise CourseError(f"{name}:{number}: a marker inside of the one in line {opened}", exit_code=2)
            opened = number
            try:
                what = match.group(2).removeprefix("modelled ")
                chosen = results if what == match.group(2) else modelled
                if chosen is None:
                    raise CourseError(f"{name}:{number}: there are no modelled results", exit_code=2)
                lines += [line, "", *table(chosen, what), ""]
            except Unknown as error:
                raise CourseError(f"{name}:{number}: {error}", exit_code=2) from None
        else:
            if not opened:
                raise CourseError(f"{name}:{number}: <!-- /results --> closes nothing", exit_code=2)
            opened = 0
            lines.append(line)
    if opened:
        raise CourseError(f"{name}:{opened}: the marker is never closed with <!-- /results -->", exit_code=2)
    return "\n".join(lines) + "\n"


def documents_with_markers(root: Path) -> list[Path]:
    """README.md and the pages of the lessons, where they hold a marker."""
    pages = [root / "README.md", *sorted(root.glob("lessons/*/*.md"))]
    return [page for page in pages if page.exists() and "<!-- results" in page.read_text(encoding="utf-8")]


def table(results: Results, what: str) -> list[str]:
    """The lines of one generated table and, below it, of what it was made from."""
    what, some, chosen = what.partition(" only ")
    if some:
        return _only(table(results, what), [row.strip() for row in chosen.split("|")])
    words = what.split()
    if words and _not_yet_measured(results, *words[:2]):
        return ["*Not measured yet: `./course run --publish` does it.*"]
    if words[:1] == ["ladder"] and len(words) <= 2:
        return _ladder_table(results, words[1] if len(words) == 2 else "f32")
    if words[:1] == ["sweep"] and len(words) == 2:
        return _sweep_table(results, words[1])
    if len(words) == 2 and re.fullmatch(r"[0-9][0-9]_\w+", words[0]):
        if "." in words[1]:
            return _experiment_table(results, words[0], *words[1].split(".", 1))
        if families.found(results, words[0], words[1]) is not None:
            return _family_table(results, words[0], words[1])
        return _lesson_table(results, words[0], words[1])
    if len(words) == 3 and re.fullmatch(r"[0-9][0-9]_\w+ \w+ 2\^\d+", " ".join(words)):
        return _lesson_table(results, words[0], words[1], 1 << int(words[2][2:]))
    if len(words) == 3 and re.fullmatch(r"[0-9][0-9]_\w+ \w+ errors", " ".join(words)):
        return _error_table(results, words[0], words[1])
    kinds = (
        "ladder, sweep f32, NN_topic f32, NN_topic f32 2^20, NN_topic f32 errors, NN_topic PROGRAM.TABLE, "
        "NN_topic FAMILY"
    )
    raise Unknown(f"unknown marker 'results: {what}' (there are: {kinds})")


def _only(lines: list[str], chosen: list[str]) -> list[str]:
    """The table without the rows that are not chosen. A table that is not measured yet has none to choose from."""
    rows = [number for number, line in enumerate(lines) if line.startswith("|")][2:]
    names = {number: lines[number][1:].partition("|")[0].strip().strip("`") for number in rows}
    if rows and (unknown := [name for name in chosen if name not in names.values()]):
        raise Unknown(f"the table has no row '{unknown[0]}' (there are: {' | '.join(names.values())})")
    return [line for number, line in enumerate(lines) if number not in names or names[number] in chosen]


def _not_yet_measured(results: Results, lesson: str, what: str = "") -> bool:
    """A new lesson has its markers before it has its results, and so has a new program of a lesson."""
    if re.fullmatch(r"[0-9][0-9]_\w+", lesson) is None or not (LESSONS / lesson).is_dir():
        return False
    found = [document for document in results.documents if document["lesson"] == lesson]
    program = what.partition(".")[0] if "." in what else ""
    if program and (LESSONS / lesson / f"{program}.cu").is_file():
        found = [document for document in found if document.get("name") == program]
    return not found


def _source(results: Results, documents: list[Document], sizes: str) -> str:
    """Device, n, type, date, revision, measured or modelled, command."""
    dates = sorted({d["date"][:10] for d in documents})
    revisions = dict.fromkeys(d["revision"] for d in documents)
    when = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    typed = saved.commands(documents) or [c for c in (results.data["command"],) if c]
    command = "".join(f", `{words}`" for words in typed)
    middle = f", {sizes}" if sizes else ""
    return f"*{_where(results)}{middle}{_cache(documents)}, {when}, revision {', '.join(revisions)}{command}.*"


def _cache(documents: list[Document]) -> str:
    """What a timed launch found in the L2 cache, where that is not what the course does: other data, read. Documents
    without a word about it are from before: then it was other data, written."""
    found = {d.get("flush", saved.DIRTY if d["part"] != saved.EXPERIMENT else "none") for d in documents}
    return ", L2 cache dirty" if saved.DIRTY in found else ""


def _markdown(header: list[str], rows: list[list[str]], left: int = 1) -> list[str]:
    """The first `left` columns are text, the others numbers."""
    rule = ["---" if column < left else "---:" for column in range(len(header))]
    escaped = [[cell.replace("|", "\\|") for cell in cells] for cells in (header, *rows)]
    return ["| " + " | ".join(cells) + " |" for cells in (escaped[0], rule, *escaped[1:])]


def _cells(step: Step, columns: list[Callable[[Step], str]]) -> list[str]:
    if step.skipped:
        return [f"skipped: {step.skipped}"] + [""] * (len(columns) - 1)
    if not step.timed:
        return ["**FAIL**"] + [""] * (len(columns) - 1)
    return [column(step) for column in columns]


def _time(step: Step) -> str:
    return numbers.time(step.us)


def _gbps(step: Step) -> str:
    return numbers.significant(step.gbps)


def _share(step: Step) -> str:
    return numbers.percent(step.share)


def _factor(step: Step) -> str:
    return numbers.factor(step.factor) if step.factor else ""


def _ladder_table(results: Results, type_: str) -> list[str]:
    rows = ladder.ladder(results, type_)
    if not rows:
        raise Unknown(f"the results hold no ladder of type '{type_}'")
    cells, lesson = [], ""
    for step in rows:
        first = step.lesson if step.kind == ladder.RUNG and step.lesson != lesson else ""
        lesson = step.lesson if first else lesson
        name = f"[{first}](lessons/{first}/README.md)" if first else ""
        cells.append([name, _name(step), *_cells(step, [_time, _gbps, _share, _factor])])
    documents = ladder.documents(results, type_)
    header = ["lesson", "rung", "time", "GB/s", "of the roof", "× previous"]
    return [*_markdown(header, cells, 2), "", _source(results, documents, f"{_sizes(documents)} {type_}")]


def _name(step: Step) -> str:
    """CPU and library rows say what they are: their ids alone do not."""
    return f"`{step.id}`" if step.kind == ladder.RUNG else step.idea


def _lesson_table(results: Results, lesson: str, type_: str, n: int = 0) -> list[str]:
    documents = [d for d in ladder.documents(results, type_) if d["lesson"] == lesson]
    rows = [step for step in ladder.steps(results, type_) if step.lesson == lesson]
    if n:
        documents = ladder.lesson_at(results, lesson, type_, n)
        rows = ladder.steps_of(results, documents)
    if not rows:
        raise Unknown(f"the results hold no {lesson} of type '{type_}'" + (f" at {numbers.size(n)}" if n else ""))
    return [*_rung_table(results, rows), "", _source(results, documents, f"{_sizes(documents)} {type_}")]


def _error_table(results: Results, lesson: str, type_: str) -> list[str]:
    documents = [d for d in ladder.documents(results, type_) if d["lesson"] == lesson]
    rows = [row for document in documents for row in document["rows"] if row.get("bound")]
    if not rows:
        raise Unknown(f"the results hold no errors of {lesson} of type '{type_}'")
    cells = [
        [
            f"`{row['id']}`" if row["kind"] == ladder.RUNG else row["idea"],
            *(numbers.significant(number) for number in (row["bound"], row["error"])),
            f"{row['error'] / row['bound']:.1e}",
        ]
        for row in rows
    ]
    sizes = f"{_sizes(documents)} {type_}"
    return [*_markdown(["sum", "bound", "error", "error / bound"], cells), "", _source(results, documents, sizes)]


def _family_table(results: Results, lesson: str, family: str) -> list[str]:
    part = families.found(results, lesson, family)
    if part is None:
        raise Unknown(f"the results hold no family '{family}' of {lesson}")
    rows = _rung_table(results, families.steps(results, part))
    return [*rows, "", _source(results, [part], families.described(part))]


def _rung_table(results: Results, rows: list[Step]) -> list[str]:
    columns: list[Callable[[Step], str]] = [
        _time,
        lambda step: f"± {numbers.percent(step.spread)}" if step.spread else "",
        _gbps,
        _share,
        _factor,
        lambda step: numbers.factor(step.cpu_factor) if step.cpu_factor and step.kind != ladder.CPU else "",
    ]
    if results.modelled:
        columns.pop(1)  # a model has no spread
    cells = [[_name(step), step.idea if step.kind == ladder.RUNG else "", *_cells(step, columns)] for step in rows]
    header = ["rung", "what changed", "time", "spread", "GB/s", "of the roof", "× previous", "× one CPU core"]
    if results.modelled:
        header.remove("spread")
    return _markdown(header, cells, 2)


def _experiment_table(results: Results, lesson: str, name: str, id_: str) -> list[str]:
    for document in results.part(saved.EXPERIMENT):
        if document["lesson"] != lesson or document["name"] != name:
            continue
        for found in document["tables"]:
            if found["id"] == id_:
                unit = f" ({found['unit']})" if found.get("unit") else ""
                rows = [[_cell(value) for value in row] for row in found["rows"]]
                title = [f"**{found['title']}{unit}**", ""] if found.get("title") else []
                return [*title, *_markdown(found["columns"], rows), "", _source(results, [document], "")]
    raise Unknown(f"the results hold no table '{id_}' of the program {lesson}.{name}")


def _cell(value: str | float | None) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else numbers.significant(value)


def _sweep_table(results: Results, type_: str) -> list[str]:
    pair = ladder.duel(results, type_)
    if pair is None or len(pair[0].points) < 2:
        raise Unknown(f"the results hold no sweep of type '{type_}'")
    rung, library = pair
    name = "CUB" if library.id == "cub" else library.id
    cells = []
    for a, b in zip(rung.points, library.points, strict=True):
        bus = numbers.percent(a.gbps / results.bus_gbps) if results.bus_gbps > 0 else "-"
        us = (numbers.significant(a.us), numbers.significant(b.us))
        cells.append([numbers.size(a.n), *us, f"{b.us / a.us:.3f}", numbers.significant(a.gbps), bus])
    header = ["n", f"`{rung.id}` µs", f"{name} µs", f"× {name}", "GB/s", "of the bus"]
    documents = [d for part in ("ladder", "sweep") for d in results.part(part, type_) if d["lesson"] == rung.lesson]
    sizes = f"n = {numbers.size(rung.points[0].n)} to {numbers.size(rung.points[-1].n)}"
    return [
        *_markdown(header, cells, 0),
        "",
        verdict(rung, library, name),
        "",
        _source(results, documents, f"{sizes} {type_}"),
    ]


def verdict(rung: Series, library: Series, name: str) -> str:
    """The geometric mean, and plainly which sizes the rung does not win."""
    ratios = {a.n: b.us / a.us for a, b in zip(rung.points, library.points, strict=True)}
    small = [ratio for n, ratio in ratios.items() if 1 << 10 <= n <= 1 << _MEAN_UP_TO]
    sizes = [n for n in ratios if 1 << 10 <= n <= 1 << _MEAN_UP_TO]
    mean = ""
    if small:
        between = f"{numbers.size(min(sizes))} to {numbers.size(max(sizes))}"
        times = f"{numbers.geometric_mean(small):.2f} times"
        mean = f"On the geometric mean of {between}, `{rung.id}` is {times} as fast as {name}. "
    lost = [f"{numbers.size(n)} ({numbers.percent(1 / ratio - 1)} slower)" for n, ratio in ratios.items() if ratio < 1]
    if not lost:
        return f"{mean}It is at least as fast as {name} at every size in the table."
    return f"{mean}It is slower than {name} at {', '.join(lost)}; at the other sizes it is at least as fast."

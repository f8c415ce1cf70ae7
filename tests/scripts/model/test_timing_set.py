# SPDX-License-Identifier: MIT
"""scripts/timing_set.py: what is learned from and judged, and how times are judged."""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
from pathlib import Path

import pytest
import result_schemas
from charting import needs_matplotlib

from warpladder.core.console import CourseError
from warpladder.core.pages import replace_part
from warpladder.core.paths import SCRIPTS
from warpladder.model import compare_set, judge_set, page, timing_set
from warpladder.model.judge_set import Point, judge
from warpladder.model.timing_set import (
    EXAMS,
    FIRST,
    JUDGE,
    LEARN,
    PATTERNS,
    PROGRAMS,
    RETIRED,
    SOURCES,
    Case,
    Kernel,
    Program,
)
from warpladder.setup import machine


def kernels_in_the_sources(of: Program = FIRST) -> list[Kernel]:
    """As each family's file adds them, some by a function of its own; the program's sources name the families that lie
    beside them."""
    if of is PATTERNS:
        return patterns_in_the_sources()
    return [
        Kernel(family, id, ())
        for source in of.sources
        for family in re.findall(r"TIMING_SET_FAMILY\((\w+)\)", source.read_text(encoding="utf-8"))
        for id in re.findall(
            r'(?:set\.add\(|_add_\w+\(set,)\s*"(\w+)"', (source.parent / f"{family}.cuh").read_text(encoding="utf-8")
        )
    ]


def patterns_in_the_sources() -> list[Kernel]:
    """Accesses by their family; a step is made by a warp alone and by many."""
    text = "".join(source.read_text(encoding="utf-8") for source in PATTERNS.sources)
    accesses = re.findall(r'(\w+)\.add\(\s*"(\w+)"', text)
    steps = re.findall(r'(?<![.\w])(?:ADD|add)\("(\w+)"', text)
    return [Kernel(family.removeprefix("of_"), id, ()) for family, id in accesses] + [
        Kernel(how, f"{how}_{step}", ()) for how in ("alone", "busy") for step in steps
    ]


def point(
    kernel: str,
    measured: float,
    modelled: float,
    *,
    family: str = "f",
    n: int = 1,
    cache: str = "cold",
    half: str = LEARN,
    spread: float = 0.0,
    there: dict[str, float] | None = None,
    here: dict[str, float] | None = None,
) -> Point:
    case = Case(family, kernel, n, cache)
    return Point(case, half, measured, spread, modelled, "dram 80 %", there or {}, here or {})


# The set and its halves


def test_the_sets_are_large_and_their_names_are_told_apart() -> None:
    all_of_them = [kernel for of in PROGRAMS.values() for kernel in kernels_in_the_sources(of)]
    assert len({kernel.id for kernel in all_of_them}) == len(all_of_them)
    for name, of in PROGRAMS.items():
        if of is PATTERNS:
            continue  # no families of alternatives
        kernels = kernels_in_the_sources(of)
        assert len(kernels) >= 64 and len({kernel.family for kernel in kernels}) >= 16
        assert {file.stem for file in (SOURCES / name).glob("*.cuh")} == {kernel.family for kernel in kernels}
        assert of.sample in {kernel.id for kernel in kernels}


def test_each_set_has_families_of_its_own() -> None:
    of_alternatives = [of for of in PROGRAMS.values() if of is not PATTERNS]
    sets = [{kernel.family for kernel in kernels_in_the_sources(of)} for of in of_alternatives]
    assert len(set().union(*sets)) == sum(len(families) for families in sets)
    assert [of for of in PROGRAMS.values() if JUDGE in of.halves] == [EXAMS]


def test_the_judged_kernels_of_a_family_can_be_put_in_order() -> None:
    families = [kernel.family for kernel in kernels_in_the_sources(EXAMS)]
    at: dict[str, dict[int, set[str]]] = {}  # family and size: the kernels that were measured there
    for row in timing_set.load_measured(EXAMS)["rows"]:
        at.setdefault(row["family"], {}).setdefault(row["n"], set()).add(row["kernel"])
    assert at.keys() == set(families)
    # Each kernel has its family's others beside it at each of its sizes: a small one and a large one.
    assert all(families.count(family) >= 4 for family in families)
    assert all(len(kernels) == families.count(family) for family, sizes in at.items() for kernels in sizes.values())
    assert all(len(sizes) >= 2 for sizes in at.values())


SPLIT = tuple(of for of in PROGRAMS.values() if of.split)


@pytest.mark.parametrize("of", SPLIT, ids=lambda of: of.name)
def test_the_halves_are_those_that_the_seed_draws(of: Program) -> None:
    kernels = kernels_in_the_sources(of)
    assert of.split and of.split.read_text(encoding="utf-8") == timing_set.split_text(kernels, of)
    assert timing_set.halves(of).keys() == {kernel.id for kernel in kernels}
    assert timing_set.SEED == "warp ladder, 2026-11-15", "drawn once: another seed would let learned kernels be judged"


@pytest.mark.parametrize("of", SPLIT, ids=lambda of: of.name)
def test_both_halves_have_every_family(of: Program) -> None:
    half_of, (one, other) = timing_set.halves(of), of.halves
    families: dict[str, list[str]] = {}
    for kernel in kernels_in_the_sources(of):
        families.setdefault(kernel.family, []).append(half_of[kernel.id])
    for family, drawn in families.items():
        assert abs(drawn.count(one) - drawn.count(other)) <= 1, family
    assert abs(sum(half == one for half in half_of.values()) * 2 - len(half_of)) <= 1


def test_a_kernel_is_cold_at_each_size_and_warm_at_the_second() -> None:
    (kernel,) = timing_set.listed("stream saxpy 16 32 64\n")
    assert [str(case) for case in timing_set.cases(kernel)] == [
        "saxpy 16 cold",
        "saxpy 32 cold",
        "saxpy 32 warm",
        "saxpy 64 cold",
    ]


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_kernel_was_measured(name: str) -> None:
    of = PROGRAMS[name]
    measured = {row["kernel"] for row in timing_set.load_measured(of)["rows"]}
    assert measured == {kernel.id for kernel in kernels_in_the_sources(of)}


# Judging


def test_the_mean_is_of_factors_and_the_worst_is_the_farthest() -> None:
    found = judge([point("a", 10, 20), point("b", 10, 5), point("c", 10, 10), point("d", 10, 40)])
    assert found.mean == pytest.approx(2.0)
    assert (found.within.good, found.within.all) == (1, 4)
    assert found.worst.case.kernel == "d" and found.worst.off == pytest.approx(4.0)


def test_only_clear_pairs_of_a_family_at_one_size_and_state_have_an_order() -> None:
    other = [
        point("a", 10, 3),
        point("b", 11.4, 2),  # not apart enough
        point("c", 20, 2, n=2),
        point("d", 20, 2, cache="warm"),
        point("e", 20, 2, family="g"),
        point("f", 14, 2, spread=0.5),  # noisy
    ]
    assert judge_set.clear_pairs(other) == []
    found = judge([point("a", 10, 3), point("b", 11.6, 2), point("c", 30, 4)])
    assert (found.pairs.good, found.pairs.all) == (2, 3)


def counters(l1: float, l2: float, read: float, write: float) -> dict[str, float]:
    return dict(zip((judge_set.L1_RATE, judge_set.L2_RATE, *judge_set.DRAM), (l1, l2, read, write), strict=True))


def test_hit_rates_and_bytes_are_judged_by_kernel() -> None:
    there = counters(50, 60, 8e6, 2e6)
    good = point("a", 1, 1, there=there, here=counters(54, 56, 9e6, 1.9e6))
    bad = point("a", 1, 1, n=2, there=there, here=counters(56, 60, 12e6, 2e6))
    unknown = point("b", 1, 1, there=there)
    unused = point("c", 1, 1, there={**there, judge_set.L1_SECTORS: 0}, here=counters(0, 60, 8e6, 2e6))
    found = judge([good, unknown, unused]).counters
    assert {name: (share.good, share.all) for name, share in found.items()} == {
        "L1 hit rate": (1, 1),
        "L2 hit rate": (2, 2),
        "DRAM bytes": (2, 2),
    }
    found = judge([good, bad]).counters
    assert (found["L1 hit rate"].good, found["L2 hit rate"].good, found["DRAM bytes"].good) == (0, 1, 0)
    few = point("d", 1, 1, there=counters(0, 0, 4096, 0), here=counters(0, 0, 0, 0))
    assert judge_set.bytes_agree(few)


def test_what_a_gpu_says_differently_each_time_is_right_anywhere_between() -> None:
    def judged(l2: float, dram: float) -> tuple[bool | None, bool | None]:
        name, (read, write) = judge_set.L2_RATE, judge_set.DRAM
        readings = {name: [50.0, 62.0, 55.0], read: [8e6, 10e6, 9e6], write: [2e6, 2e6, 2e6]}
        one = point("a", 1, 1, there=counters(50, 55, 9e6, 2e6), here=counters(50, l2, dram, 0))
        one = dataclasses.replace(one, readings=readings)
        assert judge_set.rate_agrees(one, judge_set.L1_RATE, judge_set.L1_SECTORS), "it was read once"
        return judge_set.rate_agrees(one, name, judge_set.L2_SECTORS), judge_set.bytes_agree(one)

    assert judged(45, 9e6) == (True, True)
    assert judged(58, 11e6) == (True, True)
    assert judged(67, 13.2e6) == (True, True)
    assert judged(44.9, 8.9e6) == (False, False)
    assert judged(67.1, 13.3e6) == (False, False)


def test_a_gpu_may_not_agree_with_itself() -> None:
    def kernel(name: str, l2: list[float], read: list[float]) -> Point:
        readings = {judge_set.L1_RATE: [50.0] * 3, judge_set.L2_RATE: l2}
        readings |= {judge_set.DRAM[0]: read, judge_set.DRAM[1]: [2e6] * 3}
        one = point(name, 1, 1, there=counters(50, sorted(l2)[1], sorted(read)[1], 2e6))
        return dataclasses.replace(one, readings=readings)

    once = point("c", 1, 1, there=counters(50, 55, 9e6, 2e6))
    found = judge_set.steady([kernel("a", [60, 55, 53], [8e6, 9.3e6, 8e6]), kernel("b", [60, 54, 53], [8e6] * 3), once])
    assert {name: (share.good, share.all) for name, share in found.items()} == {
        "L1 hit rate": (2, 2),
        "L2 hit rate": (1, 2),
        "DRAM bytes": (1, 2),
    }


def test_a_rate_of_few_sectors_of_l2_is_not_told_from_others() -> None:
    def agrees(sectors: float) -> bool | None:
        there = {**counters(50, 60, 0, 0), judge_set.L2_SECTORS: sectors, judge_set.L1_SECTORS: sectors}
        case = point("a", 1, 1, there=there, here=counters(50, 70, 0, 0))
        assert judge_set.rate_agrees(case, judge_set.L1_RATE, judge_set.L1_SECTORS)
        return judge_set.rate_agrees(case, judge_set.L2_RATE, judge_set.L2_SECTORS)

    assert agrees(30_000) and not agrees(31_000)


def test_a_kernel_of_one_word_shows_what_others_look_up_in_l2() -> None:
    rows = timing_set.load_measured(timing_set.FIRST)["rows"]
    found = [row["counters"] for row in rows if row["kernel"] == "add_one_word" and row["n"] == 65536]
    others = [one[judge_set.L2_SECTORS] - one["lts__t_sectors_srcunit_tex.sum"] for one in found]
    assert max(others) < judge_set.FEW_SECTORS < max(others) + 1000, "the reason for the allowance"


def test_a_bad_model_breaks_its_promises() -> None:
    same = counters(50, 60, 8e6, 2e6)
    good = [point("a", 10, 10, there=same, here=same), point("b", 20, 21, there=same, here=same)]
    assert judge_set.broken_promises(judge(good)) == []
    bad = [point("a", 10, 30, there=same, here=counters(0, 0, 0, 0)), point("b", 20, 19, there=same, here=same)]
    assert len(judge_set.broken_promises(judge(bad))) == 7
    assert len(judge_set.broken_promises(judge([point("a", 1, 1)]))) == 3, "counters that are missing are not right"


def test_of_the_judged_half_no_kernel_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    points = [point("seen", 10, 11), point("seen_too", 10, 12, half=RETIRED), point("hidden", 10, 30, half=JUDGE)]
    monkeypatch.setattr(compare_set, "collect", lambda preset, half: points)
    assert compare_set.run("default", None, update=False, check=False) == 0
    said = capsys.readouterr().out
    assert (
        "seen" in said and "hidden" not in said and "| worst | 1.10× | 1.20× | 3.00× |" in said and "seen_too" in said
    )
    with pytest.raises(CourseError, match=r"off by 3\.00 times"):
        compare_set.run("default", None, update=False, check=True)
    with pytest.raises(CourseError, match="all kernels"):
        compare_set.run("default", LEARN, update=True, check=False)


def test_a_set_that_was_never_measured_is_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    exams = dataclasses.replace(EXAMS, measured=tmp_path / "timing_set_exams.json")
    monkeypatch.setattr(compare_set, "PROGRAMS", {"first": FIRST, "exams": exams})
    monkeypatch.setattr(compare_set, "program", lambda preset, of: Path(of.name))
    monkeypatch.setattr(compare_set, "kernels_of", lambda file: [Kernel("stream", "saxpy", (16, 32, 64))])
    row = next(row for row in timing_set.load_measured(FIRST)["rows"] if row["kernel"] == "saxpy")
    launch = {"launch": {}, "counters": {}, "model": {"limited_by": "dram", "percent": 80}}
    monkeypatch.setattr(compare_set, "emulated", lambda file, own: [(Case.of(row), row["us"], launch)])
    assert compare_set.run("default", None, update=False, check=False) == 0
    assert "| times off by (geometric mean) | 1.00× |\n" in capsys.readouterr().out
    with pytest.raises(CourseError, match="judge by are not measured"):
        compare_set.run("default", None, update=False, check=True)
    with pytest.raises(CourseError, match=r"timing_set_exams\.json is missing"):
        compare_set.run("default", JUDGE, update=False, check=False)


def report() -> str:
    points = [
        point("a", 10, 11, family="stream"),
        point("c", 10, 12, family="dot", half=RETIRED),
        point("b", 10, 30, family="lists", half=JUDGE),
    ]
    judgements = {p.half: judge([p]) for p in points}
    judged = compare_set.figures(judgements[JUDGE])
    before = {
        "revision": "old",
        "measured": {},
        "halves": {JUDGE: judged},
        "first_judgement": {"revision": "1", **judged},
    }
    measured = {"device": "NVIDIA H200", "date": "2026-01-02", "revision": "abc", "command": "x"}
    return compare_set.document(points, judgements, {"first": measured}, before)


def test_how_kernels_were_judged_at_first_is_kept() -> None:
    made = json.loads(report())
    assert made["first_judgement"]["revision"] == "1"
    drawn = timing_set.halves(EXAMS)
    learned, judged = (next(kernel for kernel, half in drawn.items() if half == wanted) for wanted in (LEARN, JUDGE))
    before = {**made, "measured": {"exams": {}}, "revision": "later"}
    seen = compare_set.judgements_kept(before, [point(learned, 10, 20), point("other", 10, 10)])
    assert seen["exams_learned_judgement"]["worst"] == 2 and "exams_judgement" not in seen
    then = compare_set.judgements_kept({**before, **seen}, [point(learned, 10, 10), point(judged, 10, 30)])
    assert then["exams_learned_judgement"] == seen["exams_learned_judgement"]
    assert then["exams_judgement"]["worst"] == 3
    result_schemas.check({**made, **then}, "timing_report")
    said = compare_set.page_part({**made, **then})
    assert "`exams` was judged for the first time, its times were off by 3.00×" in said
    assert "Of its kernels, - had the right L1 hit rate, - the right L2 hit rate and - the right DRAM bytes (" in said


def test_a_first_sight_is_had_once_and_of_what_is_learned_from_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    learned = next(kernel for kernel, half in timing_set.halves(EXAMS).items() if half == LEARN)
    wanted: list[str | None] = []

    def collected(of: Program, file: Path, half: str | None) -> list[Point]:
        wanted.append(half)
        return [point(learned, 10, 12)]

    monkeypatch.setattr(compare_set, "program", lambda preset, of: Path(of.name))
    monkeypatch.setattr(compare_set, "collected", collected)
    monkeypatch.setattr(compare_set, "REPORT", tmp_path / "report.json")
    (tmp_path / "report.json").write_text(report(), encoding="utf-8")
    assert compare_set.first_sight("default") == 0
    assert wanted == [LEARN] and "| worst | 1.20× |" in capsys.readouterr().out
    made = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert made["exams_learned_judgement"]["worst"] == 1.2 and made["points"]
    with pytest.raises(CourseError, match="seen before"):
        compare_set.first_sight("default")


def test_the_report_fits_its_schema() -> None:
    result_schemas.check(json.loads(report()), "timing_report")


def test_the_page_says_what_the_report_says() -> None:
    committed = json.loads(compare_set.REPORT.read_text(encoding="utf-8"))
    text = page.PAGE.read_text(encoding="utf-8")
    assert replace_part(text, "timing-set", compare_set.page_part(committed)) == text
    assert "| times off by (geometric mean) | 1.10× | 1.20× | 3.00× |" in compare_set.page_part(json.loads(report()))


@needs_matplotlib
def test_the_chart_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare_set, "REPORT", tmp_path / "report.json")
    (tmp_path / "report.json").write_text(report(), encoding="utf-8")
    compare_set.draw(machine.charts_python() or "")
    assert (tmp_path / "report.svg").is_file()


@needs_matplotlib
def test_the_chart_knows_every_family() -> None:
    families = sorted({kernel.family for of in PROGRAMS.values() for kernel in kernels_in_the_sources(of)})
    code = f"from warpladder.charts.timing_set import kind_of\nfor family in {families}: kind_of(family)"
    subprocess.run([machine.charts_python() or "", "-c", code], cwd=SCRIPTS, check=True)

# SPDX-License-Identifier: MIT
"""The page of a report, used in a real browser: every control, two widths, both themes, hostile names, many lines."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from browser import SAMPLES, needs_browser, try_out
from report_samples import sample

from warpladder.report import gather
from warpladder.report import page as page_module
from warpladder.report.page import page

USE_EVERYTHING = (SAMPLES / "use_everything.js").read_text(encoding="utf-8")


@needs_browser
@pytest.mark.parametrize(
    ("width", "dark"),
    [
        (400, False),
        (1200, True),
        pytest.param(400, True, marks=pytest.mark.long),
        pytest.param(1200, False, marks=pytest.mark.long),
    ],
)
def test_every_control_works_and_nothing_complains(tmp_path: Path, width: int, dark: bool) -> None:
    text = page("two kernels", "a sample", {**sample(), "baseline": sample()})
    seen, complaints = try_out(text, USE_EVERYTHING, tmp_path, width, dark)
    assert complaints == []
    assert all(seen["used"].values())
    assert seen["unlabelled"] == []
    assert seen["wide"] <= 0  # nothing sticks out: wide things scroll in their own boxes


@needs_browser
def test_the_page_says_what_was_recorded(tmp_path: Path) -> None:
    trial = """document.querySelectorAll(".grid .row.has")[0].click(); return document.body.innerText;"""
    text, complaints = try_out(page("t", "a", sample()), trial, tmp_path)
    assert complaints == []
    for part in (
        "limited by dram",
        "32 sectors",
        "side by side the lanes would take 4 sectors",
        "st.global.f32",
        "Step 1 of 2",
        "nothing orders them",
    ):
        assert part in text


@needs_browser
def test_a_race_is_two_threads_and_a_dashed_edge_and_steps_go_both_ways(tmp_path: Path) -> None:
    trial = """const said = () => document.querySelector("body > section p[aria-live]").innerText.slice(0, 11);
    const [back, on] = document.querySelectorAll("body > section .bar button"), steps = [said()];
    for (const button of [on, on, back]) { button.click(); steps.push(said()); }
    const picture = document.querySelector("figure svg"), edges = picture.querySelectorAll("line[stroke-dasharray]");
    return [steps, edges.length, picture.getAttribute("aria-label")];"""
    seen, complaints = try_out(page("t", "a", sample()), trial, tmp_path)
    assert complaints == []
    assert [step[:6] for step in seen[0]] == ["Step 1", "Step 2", "Step 3", "Step 2"]
    assert seen[1] == 1
    assert "thread (0,0,0) reads 7, thread (32,0,0) writes 0" in seen[2]


@needs_browser
def test_two_runs_stand_side_by_side(tmp_path: Path) -> None:
    before = sample()
    kernel = before["kernels"][0]
    kernel["model"] = {**kernel["model"], "modelled_ns": 5000}
    kernel["counters"] = {**kernel["counters"], next(iter(kernel["counters"])): 20}
    data = {**sample(), "baseline": before}
    seen, complaints = try_out(page("t", "a", data), "return document.getElementById('baseline').innerText;", tmp_path)
    assert complaints == []
    assert "2 times as fast" in seen
    assert [line.split("\t")[1:3] for line in seen.splitlines() if "\t" in line][1:] == [["20", "10"]]


def test_every_counter_of_the_page_is_one_that_the_emulator_writes() -> None:
    scripts = Path(page_module.__file__).parent / "page"
    named = {name for file in scripts.glob("*.js") for name in re.findall(r'"(\w+__[\w.]+)"', file.read_text())}
    assert len(named) > 10
    unknown = {name for name in named if name not in gather.meanings()}
    assert {name for name in unknown if not name.endswith("_op_")} == set()  # some are put together from parts


@needs_browser
def test_the_memory_chart_shows_the_way_through_both_caches(tmp_path: Path) -> None:
    data = sample()
    figures = {"lts__t_sectors_srcunit_tex.sum": 1000, "dram__bytes_read.sum": 0, "dram__bytes_write.sum": 0}
    data["kernels"][0]["figures"] |= figures
    trial = "return document.querySelector('figure svg[aria-label^=\"Memory\"]').getAttribute('aria-label');"
    seen, complaints = try_out(page("t", "a", data), trial, tmp_path)
    assert complaints == []
    assert "L1 to L2 32 KB (asked for, and sent there)" in seen
    assert "DRAM" not in seen  # the caches are modelled, and nothing left them


@needs_browser
def test_a_line_without_requests_says_nothing_of_them(tmp_path: Path) -> None:
    data = sample()
    data["kernels"][0]["requests"] = []
    text, complaints = try_out(page("t", "a", data), "return document.getElementById('source').innerText;", tmp_path)
    assert complaints == []
    assert "PTX instruction" in text and "null" not in text


@needs_browser
def test_what_belongs_to_no_file_comes_last(tmp_path: Path) -> None:
    data = sample()
    kernel = data["kernels"][0]
    kernel["files"] = ["", *kernel["files"]]
    often = {name: 100 * value for name, value in kernel["counters"].items()}
    kernel["lines"] = [[0, 0, often]] + [[1, line, counters] for _, line, counters in kernel["lines"]]
    trial = "return [...document.querySelectorAll('#file option')].map(option => option.innerText);"
    seen, complaints = try_out(page("t", "a", data), trial, tmp_path)
    assert complaints == []
    assert len(seen) == 2 and seen[1] == "(of no file)"


HOSTILE = '<img src=x onerror="window.__got=1"></script><script>window.__got=1</script>'


@needs_browser
def test_names_and_sources_are_text_whatever_they_hold(tmp_path: Path) -> None:
    data = sample(name=HOSTILE, line=HOSTILE, file=f"/tmp/{HOSTILE}.cu")
    data["counters"] = {**data["counters"], HOSTILE: ("sectors", HOSTILE)}
    text = page(HOSTILE, HOSTILE, data)
    trial = "return [typeof window.__got, document.images.length, document.body.innerText.includes('onerror')];"
    seen, complaints = try_out(text, trial, tmp_path)
    assert seen == ["undefined", 0, True]
    assert complaints == []


@pytest.mark.long
@needs_browser
def test_a_hundred_thousand_lines_open_in_two_seconds(tmp_path: Path) -> None:
    text = page("long", "", sample(lines=100_000))
    took = []
    for attempt in range(3):  # the quickest counts: the machine may be busy
        (tmp_path / str(attempt)).mkdir()
        ms, complaints = try_out(text, "return performance.now();", tmp_path / str(attempt))
        assert complaints == []
        took.append(ms)
    assert min(took) < 2000


@needs_browser
def test_only_lines_in_view_are_in_the_document(tmp_path: Path) -> None:
    trial = "return document.querySelectorAll('.grid .row').length;"
    rows, complaints = try_out(page("long", "", sample(lines=20_000)), trial, tmp_path)
    assert complaints == []
    assert 0 < rows < 500


def test_the_page_fetches_nothing() -> None:
    text = page("t", "", sample())
    assert "default-src 'none'" in text
    assert not [
        part
        for part in ("http://", "https://", "@import", "url(")
        if part in text.replace("http://www.w3.org/2000/svg", "")
    ]


def test_data_cannot_end_its_element() -> None:
    text = page("t", "", {"kernels": [], "x": "</script><b>"})
    assert text.count("</script>") == 2


def test_a_title_is_escaped() -> None:
    assert "<title>a &lt;b&gt; @DATA@</title>" in page("a <b> @DATA@", "", {"kernels": []})


def test_no_kernel_is_said(tmp_path: Path) -> None:
    empty: dict[str, Any] = {**sample(), "kernels": []}
    if needs_browser.args[0]:
        pytest.skip("no Chromium here")
    text, complaints = try_out(page("t", "", empty), "return document.body.innerText;", tmp_path)
    assert "launched no kernel" in text
    assert complaints == []

# SPDX-License-Identifier: MIT
"""The tables that are generated into README.md and the chapters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sample_results

from warpladder.core import paths
from warpladder.core.console import CourseError
from warpladder.results import ladder, saved, tables
from warpladder.results.saved import Results
from warpladder.verbs import plot

PAGE = "# Title\n\nbefore\n\n<!-- results: {} -->\nold\n<!-- /results -->\n\nafter\n"


@pytest.fixture
def results() -> Results:
    return Results(Path("x"), saved.collect(sample_results.documents(), "./course run --publish"))


def body(results: Results, what: str) -> list[str]:
    text = tables.rewrite(PAGE.format(what), "page.md", results)
    assert text.startswith("# Title\n\nbefore\n") and text.endswith("<!-- /results -->\n\nafter\n")
    assert tables.rewrite(text, "page.md", results) == text, "writing it again changes nothing"
    return text.splitlines()[6:-4]


def test_the_whole_ladder(results: Results) -> None:
    lines = body(results, "ladder")
    assert lines[0] == "| lesson | rung | time | GB/s | of the roof | × previous |"
    assert any(
        line.startswith("| [01_naive_atomic](lessons/01_naive_atomic/README.md) | `global_atomic` |") for line in lines
    )
    assert any("| `redux (i32)` |" in line for line in lines)
    source = "*Measured on NVIDIA H200, n = 2^26 f32, 2026-01-02, revision abc1234, `./course run --publish`.*"
    assert lines[-1] == source


def test_a_lesson(results: Results) -> None:
    lines = body(results, "02_shared_memory_tree f32")
    assert lines[0].startswith("| rung | what changed | time | spread | GB/s |")
    row = next(line for line in lines if "`interleaved`" in line)
    assert "the idea of interleaved" in row and "7.21×" in row and "423 µs" in row
    assert any(line.startswith("| one CPU core, one loop |") for line in lines)


def test_a_lesson_at_another_n(results: Results) -> None:
    lines = body(results, "05_cooperative_groups f32 2^20")
    assert sum("`" in line for line in lines[2:-1]) == len(sample_results.LADDER["05_cooperative_groups"])
    assert ", n = 2^20 f32," in lines[-1]
    with pytest.raises(tables.Unknown, match=r"hold no 02_shared_memory_tree of type 'f32' at 2\^20"):
        tables.table(results, "02_shared_memory_tree f32 2^20")  # one rung alone is not the lesson


def test_errors_beside_their_bounds(results: Results) -> None:
    lines = body(results, "01_naive_atomic f32 errors")
    assert lines[0] == "| sum | bound | error | error / bound |"
    assert any(line.startswith("| `global_atomic` | 0.00100 |") for line in lines)
    assert any(line.startswith("| one CPU core, one loop |") for line in lines)
    with pytest.raises(tables.Unknown, match="hold no errors of 01_naive_atomic of type 'f64'"):
        tables.table(results, "01_naive_atomic f64 errors")


def test_some_rows_alone(results: Results) -> None:
    lines = body(results, "02_shared_memory_tree f32 only strided | one CPU core, one loop")
    whole = body(results, "02_shared_memory_tree f32")
    assert [line.split(" |")[0] for line in lines if line.startswith("|")][2:] == [
        "| one CPU core, one loop",
        "| `strided`",
    ]
    assert lines[:2] == whole[:2] and lines[-1] == whole[-1] and set(lines) < set(whole)


def test_a_rung_that_did_not_run_says_why(results: Results) -> None:
    lines = body(results, "04_warp_shuffle f32")
    assert any("`redux`" in line and "skipped: it adds integers only" in line for line in lines)


def test_modelled_times_are_called_modelled_and_have_no_spread() -> None:
    documents = sample_results.documents(times="modelled", backend="emulator")
    lines = body(Results(Path("x"), saved.collect(documents, "")), "03_divergence_free i32")
    assert "spread" not in lines[0]
    assert lines[-1].startswith("*Modelled on ")


def test_an_experiment(results: Results) -> None:
    lines = body(results, "04_warp_shuffle latencies.chain")
    assert lines[:2] == ["**Latency of one step (cycles)**", ""]
    assert "| __shfl_xor_sync | 24.0 | 32.1 |" in lines
    assert "| __match_any_sync | 369 | - |" in lines


def test_the_sweep_says_the_mean_and_that_every_size_is_won(results: Results) -> None:
    lines = body(results, "sweep f32")
    assert lines[0] == "| n | `async_copy` µs | CUB µs | × CUB | GB/s | of the bus |"
    assert len([line for line in lines if line.startswith("| 2^")]) == 21
    verdict = lines[-3]
    assert verdict.startswith("On the geometric mean of 2^10 to 2^24, `async_copy` is 1.")
    assert verdict.endswith("at least as fast as CUB at every size in the table.")


def test_a_size_that_is_not_won_is_named(results: Results) -> None:
    pair = ladder.duel(results, "f32")
    assert pair is not None
    rung, library = pair
    object.__setattr__(rung.points[-1], "us", library.points[-1].us * 1.01)
    verdict = tables.verdict(rung, library, "CUB")
    assert "It is slower than CUB at 2^30 (1.00 % slower)" in verdict


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PAGE.format("weather"), "page.md:5: unknown marker 'results: weather'"),
        (PAGE.format(""), "page.md:5: unknown marker"),
        (PAGE.format("99_nowhere f32"), "page.md:5: the results hold no 99_nowhere of type 'f32'"),
        (PAGE.format("01_naive_atomic f64"), "page.md:5: the results hold no 01_naive_atomic of type 'f64'"),
        (PAGE.format("04_warp_shuffle latencies.none"), "page.md:5: the results hold no table 'none'"),
        (PAGE.format("sweep f32 only 2^10 | 2^9"), "page.md:5: the table has no row '2^9' (there are: 2^10 | "),
        (PAGE.format("sweep f16"), "page.md:5: the results hold no sweep"),
        ("<!-- results: ladder -->\n", "page.md:1: the marker is never closed"),
        ("a\n<!-- /results -->\n", "page.md:2: <!-- /results --> closes nothing"),
        ("<!-- results: ladder -->\n<!-- results: ladder -->\n", "page.md:2: a marker inside of the one in line 1"),
    ],
)
def test_a_marker_that_cannot_be_served_is_named_with_file_and_line(text: str, message: str, results: Results) -> None:
    with pytest.raises(CourseError) as raised:
        tables.rewrite(text, "page.md", results)
    assert str(raised.value).startswith(message)
    assert raised.value.exit_code == 2


def test_the_committed_tables_are_what_the_command_would_write() -> None:
    if not (paths.RESULTS / plot.PUBLISHED / saved.NAME).exists():
        pytest.skip(f"there are no results/{plot.PUBLISHED} yet")
    for page, text in plot.rewritten().items():
        assert page.read_text(encoding="utf-8") == text, f"{page}: run `./course plot --publish`"


def test_no_table_waits_for_results_that_are_not_there(results: Results) -> None:
    """Every marker in the documents is one of the kinds there are."""
    for page in tables.documents_with_markers(paths.ROOT):
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
            match = tables.MARKER.match(line)
            if match and match.group(1) == "results":
                try:
                    tables.table(results, match.group(2).removeprefix("modelled "))
                except tables.Unknown as error:
                    assert "unknown marker" not in str(error), f"{page}:{number}: {error}"


def test_the_short_table_names_the_device_and_every_rung(results: Results) -> None:
    lines = tables.short_table(results)
    assert lines[1] == "Measured on NVIDIA H200, n = 2^26 f32"
    assert lines[2].split() == ["rung", "time", "GB/s", "%", "roof", "x", "prev"]
    assert len(lines) == 3 + len(ladder.ladder(results, "f32"))


def source(documents: list[dict[str, Any]]) -> str:
    return tables.table(Results(Path("x"), saved.collect(documents, "./course run")), "03_divergence_free f32")[-1]


def test_the_command_that_was_typed_stands_below_the_table() -> None:
    documents = sample_results.documents()
    assert source(documents).endswith(", `./course run`.*")
    documents = [{**d, "command": "./course run 03" if d["lesson"] == "03_divergence_free" else "x"} for d in documents]
    assert source(documents).endswith(", `./course run 03`.*")


def test_a_dirty_cache_is_said_and_is_what_older_documents_had() -> None:
    clean = sample_results.documents()
    assert "cache" not in source(clean)
    assert ", L2 cache dirty, " in source([{**d, "flush": "dirty"} for d in clean])
    assert ", L2 cache dirty, " in source([{k: v for k, v in d.items() if k != "flush"} for d in clean])


def test_a_program_that_was_never_measured_says_so(results: Results) -> None:
    assert tables.table(results, "05_cooperative_groups flush.times")[0].startswith("*Not measured yet")
    with pytest.raises(tables.Unknown, match="no table 'times' of the program"):
        tables.table(results, "05_cooperative_groups no_such_program.times")


def test_a_marker_may_ask_for_modelled_results(results: Results) -> None:
    data = saved.collect(sample_results.documents(), "./course run")
    modelled = Results(Path("y"), {**data, "times": "modelled"})
    page = PAGE.format("modelled 01_naive_atomic f32")
    assert "*Modelled on " in tables.rewrite(page, "page.md", results, modelled)
    assert "*Measured on " in tables.rewrite(PAGE.format("01_naive_atomic f32"), "page.md", results, modelled)

# SPDX-License-Identifier: MIT
"""What a report is made of: data, sources, baseline, Perfetto; and whole runs as a user starts them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import result_schemas
from exercise_samples import needs_emulator
from report_samples import TRACE, sample

from warpladder import cli
from warpladder.core.console import CourseError
from warpladder.report import gather, perfetto, steps
from warpladder.report import run as reporting
from warpladder.report.page import page

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = r"""#include <cstdio>
#include <cstdlib>
__global__ void scatter(float* out) { out[8 * threadIdx.x] = 1; }
__global__ void past(float* out) { out[1 << 20] = 1; }
int main(int argc, char**) {
  float* out;
  cudaMalloc(&out, 4096);
  for (int i = 0; i < 3; ++i) scatter<<<1, 32>>>(out);
  if (argc > 1) past<<<1, 32>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 7;
}
"""


# Sources.


def test_only_files_where_sources_may_lie_are_quoted(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    (inside / "a.cu").write_text("one\n\ttwo\n")
    (outside / "secret").write_text("secret")
    (inside / "link").symlink_to(outside / "secret")
    assert gather.source(str(inside / "a.cu"), [inside])["text"][:2] == ["one", "    two"]
    for path in (outside / "secret", inside / "link", inside / ".." / "out" / "secret"):
        assert "not among the sources" in gather.source(str(path), [inside])["why"]


def test_what_is_no_text_is_not_quoted(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\x7fELF\0\1")
    (tmp_path / "giant").write_bytes(b"x" * 4_000_001)
    os.mkfifo(tmp_path / "pipe")
    for name, why in (
        ("binary", "no text"),
        ("giant", "too large"),
        ("pipe", "no plain file"),
        ("none", "cannot be read"),
        (".", ""),
    ):
        assert why in gather.source(str(tmp_path / name), [tmp_path])["why"]


def test_a_long_line_is_cut(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("x" * 10_000)
    assert len(gather.source(str(tmp_path / "a.cu"), [tmp_path])["text"][0]) == 2000


def test_every_counter_has_its_meaning() -> None:
    assert gather.meanings()["smsp__sass_inst_executed.sum"][0] == "warp instructions"
    assert len(gather.meanings()) > 60


# Perfetto and the baseline.


def test_a_trace_has_a_track_for_each_lane() -> None:
    events = perfetto.trace(sample())["traceEvents"]
    pieces = [event for event in events if event["ph"] == "X"]
    assert len([event for event in events if event["name"] == "thread_name"]) == 32
    assert {(piece["tid"], piece["ts"], piece["dur"], piece["name"]) for piece in pieces if piece["tid"] in (0, 9)} == {
        (0, 0, 1, "scatter.cu:2"), (0, 1, 1, "scatter.cu:3"), (9, 0, 1, "scatter.cu:2")
    }  # fmt: skip


def test_a_report_can_be_the_baseline_of_another(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(page("<t>", "", sample(name="</script>")))
    assert reporting.baseline(tmp_path / "a.html")["kernels"][0]["name"] == "</script>"


def test_anything_else_is_no_baseline(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<html></html>")
    for name in ("a.html", "none.html", "."):
        with pytest.raises(CourseError, match="is no report") as error:
            reporting.baseline(tmp_path / name)
        assert error.value.exit_code == 2


def test_a_run_without_the_emulator_is_said(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="nothing to report"):
        gather.data(tmp_path / "a", tmp_path / "b", [])


def test_a_trace_becomes_steps() -> None:
    (trace,) = steps.traces(TRACE)
    assert (trace["kernel"], trace["schedule"], trace["total"]) == ("send", "random:11, weak memory", 3)
    assert trace["steps"][1] == [
        "b1 t0", "load weak", "message", "0 (stale: newest is 42)", "stale.cu:23", "received[1] = message;"
    ]  # fmt: skip
    assert trace["steps"][2] == ["b1 t0", "fence acq_rel.gpu", "", "", "", ""]


# Wrong input.


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["emulate", "--baseline", "a.html", "x.cu"], "--baseline goes with --report"),
        (["emulate", "--report", "/none/a.html", "x.cu"], "there is no folder"),
        (["report", "99"], "there is no lesson"),
        (["report", "nothing_like_this"], "there is no exercise"),
        (["report", "03", "--n", "0"], "is not a number of elements"),
        (["report", "03", "--file", "x"], "--file is for an exercise"),
        (["report", "vector_index", "--n", "5"], "--n is for a lesson"),
        (["report", "vector_index", "--file", "/none"], "there is no file"),
        (["report"], "required"),
    ],
)
def test_wrong_input_gets_one_line(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = cli.main(words)
    except SystemExit as end:
        code = int(str(end.code))
    said = capsys.readouterr().err
    assert code == 2
    assert says in said
    assert len(said.strip().splitlines()) == 1


# Whole runs.


@needs_emulator
def test_a_report_of_a_program(tmp_path: Path) -> None:
    """Also of one that fails: what it did until then is shown, and its exit code is kept."""
    (tmp_path / "scatter.cu").write_text(PROGRAM)
    words = ["emulate", "-q", "--report", "r.html", "--perfetto", "t.json", "--picture", "p.json", "scatter.cu", "fail"]
    run = subprocess.run([sys.executable, str(ROOT / "course"), *words], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 7, run.stderr
    result_schemas.check(json.loads((tmp_path / "p.json").read_text()), "picture")
    assert json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    text = (tmp_path / "r.html").read_text()
    begin = text.index('id="data">') + len('id="data">')
    data = json.loads(text[begin : text.index("</script>", begin)])
    good, bad = data["kernels"]
    assert (good["name"], good["launches"], good["failed"]) == ("scatter(float*)", 3, False)
    assert (good["requests"][0]["pieces"], good["requests"][0]["ideal"]) == (32, 4)
    assert bad["failed"]
    source = data["sources"][str(tmp_path / "scatter.cu")]["text"]
    assert source[good["instructions"][good["requests"][0]["at"]][1] - 1].startswith("__global__ void scatter")

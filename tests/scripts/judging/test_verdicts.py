# SPDX-License-Identifier: MIT
"""What a student reads: for each way to be wrong, the whole verdict as it stands on the terminal."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from exercise_samples import ROOT, WARP_SUM, course, facts, needs_emulator
from terminal import Terminal

from warpladder.build import backend
from warpladder.core.console import Console
from warpladder.exercises import catalog
from warpladder.exercises.verdict import Kind
from warpladder.judging.evaluate import Request, evaluate

HEAD = """// SPDX-License-Identifier: MIT
#include <cstddef>
__global__ void warp_sum(const int* x, std::size_t n, int* sum) {
  const unsigned lane = threadIdx.x;
  int mine = 0;
  for (std::size_t i = lane; i < n; i += 32) mine += x[i];
"""
TREE = """
  for (unsigned distance = 16; distance > 0; distance /= 2)
    mine += __shfl_down_sync(0xffffffffu, mine, distance);
"""
TAIL = "  if (lane == 0) *sum = mine;\n}\n"
pytestmark = needs_emulator


def check(tmp_path: Path, text: str) -> tuple[str, dict[str, str]]:
    """Headline and facts of what `check` says about this file."""
    file = tmp_path / "04_warp_shuffle" / "warp_sum.cuh"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    run = course("check", "warp_sum", work=tmp_path)
    assert run.stderr == ""
    assert run.returncode == (0 if "PASSED" in run.stdout else 1)
    assert f"file      {file}" in run.stdout, "it says which file"
    assert "on        the emulator" in run.stdout or "on        the GPU" in run.stdout, "and where it ran"
    headline = next(line for line in run.stdout.splitlines() if line.startswith(("PASSED", "NOT YET")))
    return headline, facts(run.stdout)


def test_wrong_value(tmp_path: Path) -> None:
    headline, told = check(tmp_path, HEAD + TREE.replace("16", "8") + TAIL)
    assert headline == "NOT YET  wrong value: sum is 9150, not 16061, for n = 31"
    assert told["first difference"] == "sum"
    assert (told["expected"], told["actual"]) == ("16061", "9150")
    assert told["for"] == "n = 31, seed 1"


def test_right_by_luck(tmp_path: Path) -> None:
    luck = """  __shared__ int s[32];
  s[lane] = mine;
  int all = 0;
  for (int k = 0; k < 32; ++k) all += s[k];
  if (lane == 0) *sum = all;
}
"""
    headline, told = check(tmp_path, HEAD + luck)
    assert headline == "NOT YET  a race: right in the usual order of the threads, wrong in another one (schedule 1)"
    assert told["cause"] == "a race in shared memory: s[1]"
    assert told["first"] == "thread (1,0,0) of block (0,0,0) writes 0, line 8"
    assert told["then"] == "thread (0,0,0) of block (0,0,0) reads 0, line 10"
    assert told["try"] == "__syncwarp() between line 8 and line 10"


def test_a_race_that_no_order_shows(tmp_path: Path) -> None:
    luck = "  __shared__ int t[2];\n  t[lane & 1] = lane;\n  __syncwarp();\n  if (t[n & 1] > 99) *sum = 0;\n"
    headline, told = check(tmp_path, HEAD + luck + TREE + TAIL)
    assert re.fullmatch(r"NOT YET  a race in shared memory: t\[[01]\]; the values are right this time only", headline)
    assert told["try"] == "one lane that writes, or an atomic"


def test_never_written(tmp_path: Path) -> None:
    headline, told = check(tmp_path, HEAD + TREE + "}\n")
    assert headline == "NOT YET  sum was never written, for n = 0"
    assert told["actual"] == "-842150451 (the fill of fresh memory)"


def test_out_of_bounds(tmp_path: Path) -> None:
    headline, told = check(tmp_path, HEAD + "  mine += x[n + lane];\n" + TREE + TAIL)
    assert headline == "NOT YET  access out of bounds, at warp_sum.cuh:7"
    assert told["line"] == "7 | mine += x[n + lane];"
    assert told["who"].startswith("block (0,0,0), thread (0,0,0)")
    assert told["case"].startswith("n = ")


def test_deadlock_names_who_waits(tmp_path: Path) -> None:
    headline, told = check(tmp_path, HEAD + "  volatile int* p = sum;\n  *p = 0;\n  while (*p == 0) {\n  }\n" + TAIL)
    expected = "NOT YET  livelock: threads loop, and nothing they read will ever change, at warp_sum.cuh:"
    assert headline.startswith(expected)
    assert "lane" in told["waits"]


def test_a_lane_that_its_mask_does_not_name(tmp_path: Path) -> None:
    headline, told = check(tmp_path, HEAD + TREE.replace("0xffffffffu", "0x0000ffffu") + TAIL)
    assert headline == "NOT YET  a lane calls a _sync function whose mask does not name it, at warp_sum.cuh:9"
    assert told["think"] == "each lane that calls a _sync function must be named in its mask"


def test_compile_error_is_the_first_one(tmp_path: Path) -> None:
    headline, told = check(tmp_path, HEAD + "  mine += nothing;\n  mine += nobody;\n" + TREE + TAIL)
    assert headline == "NOT YET  it does not compile: warp_sum.cuh:7"
    assert told["error"] == 'identifier "nothing" is undefined'
    assert told["line"] == "mine += nothing;"
    assert told["more"].startswith("1 more error follows")


def test_a_kernel_that_is_not_there(tmp_path: Path) -> None:
    headline, told = check(tmp_path, "__global__ void other() {}\n")
    assert headline == "NOT YET  it does not compile: your file does not define warp_sum"
    assert told["missing"] == "warp_sum: the exercise calls it by this name" and "error" not in told


def test_time_limit(tmp_path: Path) -> None:
    """With less than the 20 s of the exercise, which would all be waited for."""
    endless = "struct Hang { Hang() { volatile int x = 1; while (x) {} } };\nstatic Hang hang;\n"
    file = tmp_path / "warp_sum.cuh"
    file.write_text(endless + HEAD + TREE + TAIL)
    where = backend.choose(Console(), "emulator")
    verdict = evaluate(Request(catalog.find("warp_sum", catalog.everything()), file, where, run_seconds=2.0))
    assert (verdict.kind, verdict.headline) == (Kind.TIME_LIMIT, "time limit: not finished after 2 s")


def test_printing_a_grade_changes_nothing(tmp_path: Path) -> None:
    forged = (
        '#include <cstdio>\n#include <cstdlib>\nstruct F { F() { std::puts("PASSED"); std::exit(0); } };\nstatic F f;\n'
    )
    headline, _ = check(tmp_path, forged + HEAD + TREE + TAIL)
    assert headline.startswith("NOT YET  no result for n = 0")


def test_a_program_that_rewrites_its_inputs_is_judged_by_the_true_ones(tmp_path: Path) -> None:
    """It puts the empty case in the place of all others, for which 0 is right."""
    cheat = """#include <filesystem>
struct Cheat {
  Cheat() {
    namespace fs = std::filesystem;
    for (const auto& file : fs::directory_iterator("inputs"))
      if (file.path().stem() != "n0")
        fs::copy_file("inputs/n0.in", file.path(), fs::copy_options::overwrite_existing);
  }
};
static Cheat cheat;
"""
    headline, _ = check(tmp_path, cheat + HEAD + TREE + TAIL)
    assert headline.startswith("NOT YET  wrong value: sum is 0, not ")


def test_a_flood_of_output(tmp_path: Path) -> None:
    flood = '#include <cstdio>\nstruct F { F() { for (;;) std::puts("PASSED"); } };\nstatic F f;\n'
    headline, _ = check(tmp_path, flood + HEAD + TREE + TAIL)
    assert headline == "NOT YET  output limit: it wrote more than 1024 KiB"


@pytest.mark.skipif(
    "schedule" not in backend._features(backend.find_emulator()), reason="this emulator has no other orders"
)
def test_a_race(tmp_path: Path) -> None:
    headline, told = check(tmp_path, (WARP_SUM / "wrong" / "shared_without_sync.cuh").read_text())
    assert headline.startswith("NOT YET  a race: right in the usual order of the threads, wrong in another one")
    assert told["again"] == "./course check warp_sum --schedule 1"


@pytest.mark.skipif("weak" not in backend._features(backend.find_emulator()), reason="this emulator has no weak memory")
def test_a_missing_acquire(tmp_path: Path) -> None:
    """Nothing but weak memory shows it: the store of the flag is a release, and the orders of the threads are few."""
    folder = ROOT / "lessons" / "06_lock_free" / "exercises" / "message_passing"
    run = course("check", "message_passing", "--file", str(folder / "wrong" / "no_acquire.cuh"), work=tmp_path)
    assert "wrong in another one with weak memory (schedule 1)" in run.stdout
    assert "the 0 that was in the box before the message" in facts(run.stdout)["because"]
    assert "which acquire" in run.stdout
    # The solution of an exercise that takes less to compile; lint runs that of this one.
    folder = ROOT / "lessons" / "10_thread_scheduling" / "exercises" / "safe_flag"
    right = course("check", "safe_flag", "--file", str(folder / "solution.cuh"), work=tmp_path)
    assert "in 20 other orders of the threads and with weak memory too" in right.stdout


def test_over_budget_names_the_line(tmp_path: Path) -> None:
    wrong = ROOT / "lessons" / "03_divergence_free" / "exercises" / "lost_tail" / "wrong" / "scalar.cuh"
    run = course("check", "lost_tail", "--file", str(wrong), work=tmp_path)
    told = facts(run.stdout)
    assert "NOT YET  over budget: 2049 loads from global memory, 640 are allowed" in run.stdout
    assert told["most"] == "2049 of them at scalar.cuh:11"
    assert "mine += x[i];" in told["line"]


def test_the_source_with_counters_beside_it(tmp_path: Path) -> None:
    wrong = ROOT / "lessons" / "03_divergence_free" / "exercises" / "lost_tail" / "wrong" / "own_stretch.cuh"
    run = course("check", "lost_tail", "--file", str(wrong), "--annotate", work=tmp_path)
    assert "case n65539" in run.stdout
    line = next(line for line in run.stdout.splitlines() if line.endswith("reinterpret_cast<const int4*>(x)[i];"))
    assert "32.0" in line, "sectors per request: twice the ideal"
    assert "cannot be read" not in run.stdout


def test_a_barrier_that_not_all_reach(tmp_path: Path) -> None:
    folder = ROOT / "lessons" / "02_shared_memory_tree" / "exercises" / "missing_barrier"
    wrong = folder / "wrong" / "barrier_in_the_branch.cuh"
    run = course("check", "missing_barrier", "--file", str(wrong), work=tmp_path)
    assert "NOT YET  a barrier is not reached by all threads that it waits for, at" in run.stdout
    assert not (tmp_path / "progress.json").exists(), "another file than the student's leaves no trace"


def test_the_path_of_a_student(tmp_path: Path) -> None:
    """On a terminal: fail, see a hint, repair, pass, be told of the next; the second check is quick."""
    env = {**os.environ, "WARPLADDER_WORK": str(tmp_path), "TERM": "xterm"}

    def type_(*words: str) -> tuple[int, str, str]:
        with Terminal([sys.executable, str(ROOT / "course"), *words], ROOT, env) as terminal:
            code = terminal.ends(120)
            return code, terminal.rest(), terminal.raw

    code, screen, raw = type_("check", "warp_sum")
    assert code == 1 and "this is still the starter" in screen
    assert "\033[31mNOT YET\033[0m" in raw, "red on a terminal"
    assert "hint 1 of 3" in type_("hint", "warp_sum")[1]
    assert "hint 2 of 3 for warp_sum: The concept" in type_("hint", "warp_sum")[1]
    assert type_("solution", "warp_sum")[0] == 1
    (tmp_path / "04_warp_shuffle" / "warp_sum.cuh").write_text((WARP_SUM / "solution.cuh").read_text())
    code, screen, _ = type_("check", "warp_sum")
    assert code == 0 and "PASSED" in screen and "is the next exercise" in screen
    assert "__shfl_down_sync" in type_("solution", "warp_sum")[1]
    assert "[x] warp_sum" in type_("progress")[1]
    assert "[x] warp_sum" in type_("list", "04")[1]

# SPDX-License-Identifier: MIT
"""`course explore FILE.cu`: finds an order that breaks a program, makes it small and runs it again."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from exercise_samples import needs_emulator

from warpladder import cli
from warpladder.emulate import search
from warpladder.emulate.prepare import Ready
from warpladder.emulate.search import Ending, Find, Order, Shrinking, Subject
from warpladder.verbs import explore

ROOT = Path(__file__).resolve().parents[3]
# With an argument two blocks count without atomics, each through a launch of its own kind; without, one does.
PROGRAM = r"""#include <cstdio>
__global__ void count(int* c) { const int v = *c; *c = v + 1; }
int main(int argc, char**) {
  int *c, h;
  cudaMalloc(&c, 4);
  cudaMemset(c, 0, 4);
  count<<<argc > 1 ? 3 : 1, 1>>>(c);
  cudaMemcpy(&h, c, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
}
"""


class Pretended(Subject):
    """A program that fails when the second turn of thread 3 comes before thread 5's."""

    def __init__(self) -> None:
        super().__init__(Ready(Path(), Path(), (), {}, ()), 1.0, Ending(0), True)

    def unlike(self, order: Order, settings: object = None) -> Find | None:
        file = Path(order.schedule.removeprefix("replay:"))
        if not order.schedule.startswith("replay:"):
            assert isinstance(settings, dict)
            lines = [f"0 {thread} 4" for thread in (1, 3, 2, 3, 4, 5, 6, 7, 8, 3)]
            Path(settings["WARPLADDER_TURNS"]).write_text("\n".join([search.HEAD, "launch 7 k()", *lines]) + "\n")
            return Find(order, "output", "")
        threads = [line.split()[1] for line in file.read_text().splitlines()[2:]]
        early = threads[: threads.index("5")] if "5" in threads else []
        return Find(order, "output", "") if early.count("3") >= 2 else None


def test_turns_that_do_not_matter_are_left_out_and_the_others_become_short() -> None:
    found = search.shrunk(Pretended(), Find(Order("random:1"), "output", ""), 400, lambda count: None)
    assert found == ([("launch 7 k()", ["0 3 1", "0 3 1", "0 5 1"])], 10)


def test_the_search_for_a_smaller_one_ends(tmp_path: Path) -> None:
    work = Shrinking(Pretended(), Find(Order("random:1"), "output", ""), tmp_path, tries=3)
    launches = work.recorded()
    assert launches is not None
    work.smallest(launches)
    assert work.tries == 0


def test_another_kind_of_failure_is_not_the_same(tmp_path: Path) -> None:
    work = Shrinking(Pretended(), Find(Order("random:1"), "time", ""), tmp_path, tries=9)
    assert work.recorded() is None


def test_every_seed_is_tried_with_all_policies_and_memories() -> None:
    tried = [order.options() for order in search.orders(("random", "pct"), ("strong", "weak"), 4, 2)]
    assert len(tried) == 8
    assert tried[:4] == [
        "--schedule random:4", "--schedule random:4 --memory weak", "--schedule pct:4", "--schedule pct:4 --memory weak"
    ]  # fmt: skip


def test_turns_are_read_and_written() -> None:
    text = "warpladder-turns/1\nlaunch 7 k(int, int)\n0 3 2\nlaunch 8 j\n"
    assert search.written(search.read(text)) == text
    with pytest.raises(ValueError, match="no turns"):
        search.read("something")


def test_words_after_a_program_are_its_own(tmp_path: Path) -> None:
    assert explore.sort_words(["--seeds", "5", "a.cu", "--seeds", "7"]) == ["--seeds=5", "--", "a.cu", "--seeds", "7"]
    assert explore.sort_words(["queue_ring", "--seeds", "7"]) == ["queue_ring", "--seeds", "7"]
    assert explore.sort_words(["--list"]) == ["--list"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["none.cu"], "there is no file none.cu"),
        (["--seeds", "0", "a.cu"], "must be at least 1"),
        (["--seconds", "x", "a.cu"], "is not a number of seconds"),
        (["--replay", "none", "a.cu"], "there is no such file"),
        (["--chapter", "a.cu"], "are for structures"),
        (["--replay", "a", "queue_ring"], "--replay goes with a program"),
    ],
)
def test_wrong_input_gets_one_line(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = cli.main(["explore", *words])
    except SystemExit as end:
        code = int(str(end.code))
    said = capsys.readouterr().err
    assert code == 2
    assert says in said
    assert len(said.strip().splitlines()) == 1


@needs_emulator
def test_a_race_is_found_made_small_and_replayed(tmp_path: Path) -> None:
    (tmp_path / "racy.cu").write_text(PROGRAM)

    def course(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(ROOT / "course"), *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    found = course("explore", "-q", "--memory", "strong", "--trace", "--report", "r.html", "racy.cu", "more")
    assert found.returncode == 1, found.stderr
    assert "instead of '3'" in found.stdout
    assert "load weak" in found.stderr
    assert len((tmp_path / "racy.turns").read_text().splitlines()) <= 4  # one or two turns suffice
    text = (tmp_path / "r.html").read_text()
    begin = text.index('id="data">') + len('id="data">')
    shown = json.loads(text[begin : text.index("</script>", begin)])
    assert shown["findings"][0]["id"] == "race-global"  # the two threads, with the edge that is missing
    assert [len(shown["traces"]), len(shown["traces"][0]["steps"]) > 2] == [1, True]  # and their steps
    again = course("emulate", "-q", "--schedule", "replay:racy.turns", "racy.cu", "more")
    assert again.returncode == 0
    assert again.stdout.strip() in ("1", "2")
    assert course("explore", "-q", "--replay", "racy.turns", "racy.cu", "more").stdout == again.stdout
    none = course("explore", "-q", "--seeds", "3", "racy.cu")
    assert (none.returncode, "nothing found in 12 orders" in none.stdout) == (0, True)
    other = course("emulate", "-q", "--schedule", "replay:racy.cu", "racy.cu")
    assert "is no file of turns" in other.stderr

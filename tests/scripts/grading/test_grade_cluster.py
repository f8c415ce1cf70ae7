# SPDX-License-Identifier: MIT
"""Beyond one process: workers that die, hang or lie cost time and no grade; parts of a class are put together."""

from __future__ import annotations

import argparse
import contextlib
import csv
import inspect
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import many_samples
import pytest
from exercise_samples import ROOT

from warpladder.build import backend
from warpladder.build.backend import Backend
from warpladder.core import shard
from warpladder.core.console import CourseError
from warpladder.exercises import catalog
from warpladder.exercises.verdict import Kind, Verdict
from warpladder.grading import dispatch, pace, worker
from warpladder.grading.config import Item
from warpladder.grading.dispatch import Cluster, Order
from warpladder.grading.grader import Grader
from warpladder.grading.outcome import Outcome
from warpladder.sandbox import sandbox
from warpladder.sandbox.allowance import Allowance
from warpladder.testing import suite
from warpladder.verbs import explore, grade

ITEM = Item(catalog.find("warp_sum"), 10)
RIGHT, WRONG = Outcome(Verdict(Kind.PASSED, "right"), 1.0), Outcome(Verdict(Kind.WRONG_VALUE, "wrong"), 1.0)


class Workers:
    """In the place of a client: each worker is a name and what it answers; "dies" and "hangs" are answers too."""

    def __init__(self, **answers: object) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def scheduler_info(self, n_workers: int) -> dict[str, Any]:
        return {"workers": {name: {} for name in self.answers}}

    def processing(self) -> dict[str, list[str]]:
        return {self.asked[-1]: ["key"]}

    def submit(self, *words: object, workers: list[str] | None, **more: object) -> Workers:
        self.key, self.task = "key", words[2]
        self.asked.append((workers or list(self.answers))[0])
        return self

    def result(self, timeout: float) -> object:
        name = self.asked[-1]
        answer = self.answers[name]
        if answer == "dies":
            raise RuntimeError("KilledWorker")
        if answer == "hangs":
            raise TimeoutError
        return {"worker": name, **answer(self.task)} if callable(answer) else answer

    def cancel(self, force: bool) -> None:
        pass


def honest(task: dict[str, Any]) -> dict[str, Any]:
    return {"proof": worker.proof(task["nonce"]), "outcome": json.dumps(WRONG.to_json()), "used": (3.0, 1.0)}


def liar(task: dict[str, Any]) -> dict[str, Any]:
    return {**honest(task), "proof": worker.proof("x"), "outcome": json.dumps(RIGHT.to_json())}


def refuses(task: dict[str, Any]) -> dict[str, Any]:
    return {"proof": worker.proof(task["nonce"]), "refused": "it has no walls"}


def judged(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> tuple[Outcome, Allowance, list[str]]:
    monkeypatch.setattr(dispatch, "_ALONE", 0.2)
    said: list[str] = []
    order = Order("{}", 1, "auto", (False,), ())
    allowance = Allowance(100, 50)
    outcome = Cluster(workers, order, said.append).judge(ITEM, b"text", allowance, lambda: RIGHT)
    return outcome, allowance, said


def test_an_honest_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome, allowance, said = judged(Workers(a=honest), monkeypatch)
    assert outcome == WRONG and allowance.left == (97, 49) and said == []


@pytest.mark.parametrize(("odd", "why"), [(liar, "another version"), ("hangs", "not answer"), (refuses, "no walls")])
def test_an_odd_one_is_asked_once(monkeypatch: pytest.MonkeyPatch, odd: object, why: str) -> None:
    workers = Workers(a=odd, b=honest)
    outcome, _, said = judged(workers, monkeypatch)
    assert outcome == WRONG and workers.asked == ["a", "b"]
    assert len(said) == 1 and why in said[0]


@pytest.mark.parametrize("odd", ["dies", {}, None, 7])
def test_a_file_that_no_worker_answers_for_is_judged_here(monkeypatch: pytest.MonkeyPatch, odd: object) -> None:
    workers = Workers(a=odd, b=honest)
    outcome, _, _ = judged(workers, monkeypatch)
    assert outcome == RIGHT and len(workers.asked) == 4


@pytest.mark.parametrize("workers", [Workers(), Workers(a=liar), Workers(a=liar, b=refuses)])
def test_nobody_left(monkeypatch: pytest.MonkeyPatch, workers: Workers) -> None:
    outcome, _, said = judged(workers, monkeypatch)
    assert outcome == RIGHT and "this process goes on alone" in said[-1]


def test_what_is_sent_needs_no_course_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scheduler unpacks it: nothing of the course may be found by name (test_grade_scheduler.py has a real one)."""
    sent = dispatch._messenger()
    needs = inspect.getclosurevars(sent)
    assert "<locals>" in sent.__qualname__ and needs.nonlocals == {} and set(needs.globals) <= {"importlib"}
    monkeypatch.setitem(sys.modules, "distributed", FakeDask)
    assert sent(f"{__name__}:answers", {"x": 1}) == {"worker": "tcp://w", "seen": {"x": 1}}


def answers(task: dict[str, Any]) -> dict[str, Any]:
    return {"seen": task}


class FakeDask:
    address = "tcp://w"

    @staticmethod
    def get_worker() -> type[FakeDask]:
        return FakeDask


def test_the_proof_is_of_the_files_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [tmp_path / "scripts" / "warpladder", tmp_path / "common", tmp_path / "emulator", tmp_path / "lessons"]
    for folder in folders:
        folder.mkdir(parents=True)
        (folder / "a.cpp").write_text("x")
    monkeypatch.setattr(worker, "ROOT", tmp_path)
    monkeypatch.setattr(worker, "SCRIPTS", tmp_path / "scripts")
    first = worker.proof("1")
    assert first == worker.proof("1") != worker.proof("2")
    for folder in folders:
        (folder / "a.cpp").write_text("y")
        assert worker.proof("1") != first
        (folder / "a.cpp").write_text("x")


@pytest.mark.parametrize("text", ["0", "1025", "x", "http://a:1", "tcp://", "tcp://a", "tcp://a:b", "-1"])
def test_wrong_workers(text: str) -> None:
    with pytest.raises(CourseError, match="^--workers: ") as error:
        grade._check_workers(text)
    assert error.value.exit_code == 2
    grade._check_workers("tcp://host-1.example:8786")


@pytest.mark.parametrize("text", ["0/4", "5/4", "1", "1/0", "a/b", "1/99999", "-1/2", "1/2/3"])
def test_wrong_shards(text: str) -> None:
    with pytest.raises(CourseError, match="^--shard: ") as error:
        shard.parsed(text)
    assert error.value.exit_code == 2


def test_shards_are_parts_of_the_whole() -> None:
    names = [f"s{i}" for i in range(200)]
    parts = [shard.parsed(f"{k}/7") for k in range(1, 8)]
    assert sorted(name for part in parts for name in names if part.has(name)) == sorted(names)
    assert sorted(name for part in parts for name in part.share(names)) == sorted(names)
    assert shard.parsed(None) == shard.WHOLE and all(shard.WHOLE.has(name) for name in names)


def test_other_verbs_have_parts_too() -> None:
    seeds = [explore.seeds_of(shard.parsed(f"{k}/7"), 100, 1000) for k in range(1, 8)]
    assert sorted(seed for first, count in seeds for seed in range(first, first + count)) == list(range(100, 1100))
    with pytest.raises(CourseError, match="there are only 3 seeds"):
        explore.seeds_of(shard.parsed("1/4"), 0, 3)
    compiled = tuple(suite.Compiled(f"test {i}", (), ()) for i in range(50))
    scripts = [suite.Script(f"t{i}", f"tests/test_{i % 9}.py::test_{i}", False) for i in range(90)]
    parts = [suite.shared(suite.Part(compiled, ()), shard.parsed(f"{k}/4"), scripts) for k in range(1, 5)]
    assert sorted(test.name for part in parts for test in part.compiled) == sorted(test.name for test in compiled)
    files = [{test.node.partition("::")[0] for test in part.scripts} for part in parts]
    assert sum(map(len, files)) == 9, "a file is in one part"
    assert sum(len(part.scripts) for part in parts) == 90
    exercises = catalog.everything()
    assert sum(len(shard.parsed(f"{k}/3").share(exercises)) for k in (1, 2, 3)) == len(exercises)


def test_the_time_that_is_left() -> None:
    now = [0.0]
    line = ""
    counted = pace.Pace(100, "students", lambda: now[0])
    for _ in range(20):
        now[0] += 3
        line = counted.one_more() or line
    assert line == "20 of 100 students, about 4 min left"
    assert [pace.spoken(seconds) for seconds in (0.2, 45, 4000, 20_000)] == [
        "about 1 s",
        "about 45 s",
        "about 67 min",
        "about 5.6 h",
    ]


class Class:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        many_samples.hand_in(folder / "in", 30)
        rules = {"schema": "warpladder-grading/1", "exercises": {many_samples.EXERCISE: 10}}
        (folder / "rules.json").write_text(json.dumps(rules))

    def course(self, *words: str) -> str:
        parser, text = argparse.ArgumentParser(), io.StringIO()
        grade.add_arguments(parser)
        with contextlib.redirect_stdout(text):
            assert grade.run(parser.parse_args([*words, "--config", str(self.folder / "rules.json")])) == 0
        return text.getvalue()

    def part(self, k: int, n: int, *more: str) -> str:
        self.course(str(self.folder / "in"), "--shard", f"{k}/{n}", "--out", str(self.folder / f"part{k}"), *more)
        return str(self.folder / f"part{k}")

    def rows(self, out: str) -> dict[str, float]:
        with (self.folder / out / "class.csv").open(newline="") as file:
            return {row["student"]: float(row["score"]) for row in csv.DictReader(file)}


@pytest.fixture
def school(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Class]:
    def evaluated(self: Grader, item: Item, text: bytes, allowance: Allowance) -> tuple[Verdict, None, list[str]]:
        return many_samples.verdict(text), None, []

    (tmp_path / "emulator").mkdir()
    monkeypatch.setattr(Grader, "_evaluate", evaluated)
    monkeypatch.setattr(backend, "choose", lambda *words, **more: Backend("/bin/true", False, tmp_path / "emulator"))
    monkeypatch.setattr(sandbox, "isolation", lambda: sandbox.ALL)
    yield Class(tmp_path)


def test_parts_are_put_together(school: Class) -> None:
    parts = [school.part(k, 3, "--seed", "5") for k in (1, 2, 3)]
    counts = [len(school.rows(Path(part).name)) for part in parts]
    assert sum(counts) == 30 and min(counts) > 3
    text = school.course("merge", *parts, "--out", str(school.folder / "all"))
    assert "30 students of 3 parts" in text
    assert school.rows("all") == {f"s{i:05}": many_samples.expected(i) for i in range(30)}
    assert "30 of 30 students graded" in school.course("status", "--out", str(school.folder / "all"))
    # What the parts knew is known: nothing is judged again.
    text = school.course(str(school.folder / "in"), "--out", str(school.folder / "all"))
    assert "0 of 30 files had to be judged" in text


def test_parts_that_are_none_of_one_whole(school: Class) -> None:
    one, two, other = (
        school.part(1, 2, "--seed", "5"),
        school.part(2, 2, "--seed", "6"),
        school.part(3, 3, "--seed", "5"),
    )
    school.course(str(school.folder / "in"), "--out", str(school.folder / "whole"))
    for parts, why in (
        ([one], "missing: shard 2"),
        ([one, one], "are both shard 1/2"),
        ([one, two], "different seeds"),
        ([one, other], "different wholes"),
        ([str(school.folder / "whole")], "is no part"),
        ([], "which parts"),
        ([str(school.folder / "nowhere")], "there is no gradebook"),
    ):
        with pytest.raises(CourseError, match=why) as error:
            school.course("merge", *parts, "--out", str(school.folder / "all"))
        assert error.value.exit_code == 2 and "\n" not in str(error.value)
    with pytest.raises(CourseError, match="--shard needs a --seed"):
        school.part(1, 2)


@pytest.mark.long
@pytest.mark.parametrize("students", [2000])
def test_thousands_over_a_cluster(students: int) -> None:
    """`tests/support/grade_many.py` does the same with 10,000."""
    pytest.importorskip("distributed")
    words = [sys.executable, str(ROOT / "tests" / "support" / "grade_many.py"), "--students", str(students)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=1200)
    print(done.stdout)
    assert done.returncode == 0 and "every grade right, none twice, none lost: True" in done.stdout, done.stdout

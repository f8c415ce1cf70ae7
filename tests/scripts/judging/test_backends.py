# SPDX-License-Identifier: MIT
"""Where an exercise runs: on the emulator, on a GPU, or on both, and what the two say together."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from exercise_samples import WARP_SUM, needs_emulator, pretended_gpu

from warpladder.build import backend, cmake
from warpladder.build.backend import Backend
from warpladder.core.console import Console, CourseError
from warpladder.core.paths import ROOT
from warpladder.exercises import catalog
from warpladder.exercises.catalog import Timed
from warpladder.exercises.verdict import Kind, Verdict
from warpladder.judging import compile, diagnose, sanitize
from warpladder.judging.evaluate import Request, evaluate
from warpladder.setup import machine, provision
from warpladder.verbs import lint

EXERCISE = catalog.find("warp_sum")
RIGHT, RACE = WARP_SUM / "solution.cuh", WARP_SUM / "wrong" / "shared_without_sync.cuh"


def choose(monkeypatch: pytest.MonkeyPatch, gpus: list[str], built: bool, name: str, thorough: bool = False) -> Backend:
    monkeypatch.setattr(provision, "ensure_nvcc", lambda *_: "nvcc")
    monkeypatch.setattr(machine, "gpus", lambda: gpus)
    monkeypatch.setattr(backend, "find_emulator", lambda: Path("found") if built else None)
    monkeypatch.setattr(backend, "_build_emulator", lambda *_: Path("made"))
    monkeypatch.setattr(backend, "_features", lambda emulator: frozenset())
    return backend.choose(Console(), name, thorough)


@pytest.mark.parametrize(
    ("gpus", "built", "name", "thorough", "gpu", "emulator"),
    [
        ([], False, "auto", False, False, "made"),
        ([], True, "auto", False, False, "found"),
        (["a GPU"], True, "auto", False, True, "found"),
        (["a GPU"], False, "auto", False, True, None),  # a student need not wait for a build
        (["a GPU"], False, "auto", True, True, "made"),  # a grade needs it
        (["a GPU"], True, "gpu", True, True, None),
        (["a GPU"], False, "emulator", False, False, "made"),
    ],
)
def test_what_is_chosen(
    monkeypatch: pytest.MonkeyPatch,
    gpus: list[str],
    built: bool,
    name: str,
    thorough: bool,
    gpu: bool,
    emulator: str | None,
) -> None:
    chosen = choose(monkeypatch, gpus, built, name, thorough)
    assert (chosen.gpu, chosen.emulator) == (gpu, Path(emulator) if emulator else None)


def test_every_folder_of_the_library_counts_when_its_age_is_asked() -> None:
    """A folder that is forgotten here would leave an old emulator in use."""
    there = {file.relative_to(ROOT / "emulator").parts[0] for file in (ROOT / "emulator").glob("*/**/*.cpp")}
    counted = {file.relative_to(ROOT / "emulator").parts[0] for file in backend.sources()}
    assert there - counted == {"bench", "fuzz", "tests"}


def test_other_work_runs_while_the_emulator_is_built(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    begun = threading.Event()
    monkeypatch.setattr(provision, "ensure_packages", lambda *_: None)
    monkeypatch.setattr(backend, "BUILD", tmp_path)
    library = tmp_path / "default" / "lib" / "libcudart.so.13"
    library.parent.mkdir(parents=True)
    library.touch()
    monkeypatch.setattr(cmake, "build", lambda *_, **__: begun.wait(10))  # False if it never begins
    given: list[str] = []

    def beside(nvcc: str) -> None:
        begun.set()
        given.append(nvcc)

    assert backend._build_emulator(Console(), "nvcc", 1, beside) == library.parent
    assert given == ["nvcc"]


def test_what_fails_ahead_of_time_is_told_later(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise CourseError("common/exercise/run.cpp does not compile")

    monkeypatch.setattr(compile, "common_parts", broken)
    compile.ahead(EXERCISE, "nvcc")


def test_a_gpu_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CourseError, match="there is no GPU here") as error:
        choose(monkeypatch, [], True, "gpu")
    assert error.value.exit_code == 3


def test_the_emulator_goes_first() -> None:
    both, gpu, emulator = (Backend("nvcc", *words) for words in ((True, Path()), (True, None), (False, Path())))
    assert (both.stages, gpu.stages, emulator.stages) == ((False, True), (True,), (False,))
    assert both.title == "the emulator, then the GPU"


@needs_emulator
def test_right_on_both(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = evaluate(Request(EXERCISE, RIGHT, pretended_gpu(monkeypatch)))
    assert verdict.passed and verdict.notes == ()
    assert verdict.headline == "all 15 cases are right, in 4 other orders of the threads too, and on the GPU"


@needs_emulator
def test_what_the_emulator_rejects_does_not_reach_the_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the better words, and a kernel that hangs would hang there too."""
    said: list[str] = []
    where = pretended_gpu(monkeypatch)
    verdict = evaluate(Request(EXERCISE, WARP_SUM / "wrong" / "past_the_end.cuh", where, say=said.append))
    assert verdict.kind is Kind.OUT_OF_BOUNDS and "past_the_end.cuh:" in verdict.headline
    assert not any("GPU" in text for text in said)


@needs_emulator
def test_wrong_on_the_gpu_only(monkeypatch: pytest.MonkeyPatch) -> None:
    where = pretended_gpu(monkeypatch, WARPLADDER_SCHEDULE="random:1")
    verdict = evaluate(Request(replace(EXERCISE, schedules=0), RACE, where))
    assert verdict.kind is Kind.WRONG_VALUE
    assert dict(verdict.details)["where"].startswith("on the GPU; on the emulator all is right")


@needs_emulator
def test_what_does_not_compile_for_this_gpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An old GPU may lack an instruction that the emulator has."""
    where = pretended_gpu(monkeypatch)
    monkeypatch.setattr(compile, "_gpu_architecture", lambda: "-arch=compute_75")
    file = tmp_path / "warp_sum.cuh"
    file.write_text(RIGHT.read_text() + "\n#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800\n#error too old\n#endif\n")
    verdict = evaluate(Request(EXERCISE, file, where))
    assert verdict.kind is Kind.COMPILE_ERROR
    assert dict(verdict.details)["where"] == "for this GPU; for the emulator it compiles, and all is right"


@needs_emulator
def test_a_gpu_alone_says_what_it_cannot_see(monkeypatch: pytest.MonkeyPatch) -> None:
    where = pretended_gpu(monkeypatch, alone=True)
    verdict = evaluate(Request(EXERCISE, RACE, where))
    assert verdict.passed, "as it may on a GPU"
    assert "`./course check warp_sum --backend emulator` looks for them" in verdict.notes[0]
    with pytest.raises(CourseError, match="--schedule needs the emulator"):
        evaluate(Request(EXERCISE, RACE, where, schedule=1))


@needs_emulator
@pytest.mark.parametrize(("alone", "rejected"), [(False, len(EXERCISE.wrong)), (True, 0)])
def test_lint_with_a_gpu(monkeypatch: pytest.MonkeyPatch, alone: bool, rejected: int) -> None:
    """With the emulator at hand the verdicts are those of exercise.json; without it only the solution runs."""
    where = pretended_gpu(monkeypatch, alone=alone)
    report = lint.Report(replace(EXERCISE, performance=Timed(n=3000, repeats=2)))
    lint._run_all(Console(), [report], where, 2, lint._Plan())
    assert (report.problems, report.rejected) == ([], rejected)


def test_notes_of_both_are_kept() -> None:
    first, second = Verdict(Kind.PASSED, "right", notes=("one",)), Verdict(Kind.PASSED, "right", notes=("two",))
    assert diagnose.of_stages([first, second], (False, True), "x").notes == ("one", "two")


def pretended_tool(folder: Path, body: str) -> Path:
    tool = folder / "compute-sanitizer"
    tool.write_text(f"#!/bin/sh\n{body}\n")
    tool.chmod(0o755)
    return tool


@needs_emulator
@pytest.mark.parametrize(
    ("body", "found"),
    [
        ('shift 4; exec "$@"', ""),
        (
            "echo '========= COMPUTE-SANITIZER'; echo '========= Invalid read of size 4'; exit 9",
            "Invalid read of size 4",
        ),
        ("exit 1", "exit code 1"),
    ],
)
def test_what_the_sanitizer_finds_is_a_problem(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, body: str, found: str
) -> None:
    where = pretended_gpu(monkeypatch)
    monkeypatch.setattr(sanitize, "program", lambda nvcc: str(pretended_tool(tmp_path, body)))
    assert sanitize.finding(EXERCISE, "memcheck", where) == (f"memcheck: {found}" if found else "")

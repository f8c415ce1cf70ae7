# SPDX-License-Identifier: MIT
"""Fifty hostile programs, each with the verdict it must get; in the plain suite behind the walls that stand here, in
the long one behind all kinds of them, as root and as an ordinary user.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from exercise_samples import ROOT, needs_emulator
from hostile_samples import EXERCISE, MISCHIEF, source, verdicts

from warpladder.build import backend
from warpladder.core.console import Console
from warpladder.core.paths import SCRIPTS
from warpladder.grading import imports
from warpladder.grading.remarks import odd_calls, odd_words
from warpladder.judging import compile
from warpladder.sandbox import sandbox
from warpladder.sandbox import user as sandbox_user

pytestmark = [needs_emulator, pytest.mark.early, pytest.mark.xdist_group("hostile")]


@pytest.fixture(scope="module")
def student(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("hostile") / f"{EXERCISE.name}.cuh"
    file.write_text(source(ROOT / "course"))
    return file


@pytest.fixture(scope="module")
def program(student: Path) -> Path:
    compiled = compile.runner(EXERCISE, student, backend.choose(Console(), "emulator").nvcc, gpu=False)
    assert compiled.program is not None, compiled.error
    return compiled.program


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    yield monkeypatch
    monkeypatch.undo()
    sandbox.walls.cache_clear()


def held(stands: frozenset[str]) -> list[str]:
    """Those that these walls hold."""
    return [name for name, what in MISCHIEF.items() if not what.wall or what.wall in stands]


def wrong(found: dict[str, str]) -> dict[str, str]:
    return {name: kind for name, kind in found.items() if kind not in MISCHIEF[name].verdicts.split()}


def test_there_are_many() -> None:
    assert len(MISCHIEF) >= 45


def test_each_is_pointed_out(program: Path) -> None:
    silent = [name for name, what in MISCHIEF.items() if what.remark and not odd_words(what.body.encode())]
    assert silent == []
    assert odd_calls(imports.asked_for(program)), "and the program itself"


def test_each_gets_its_verdict(open_folder: Path, student: Path, program: Path) -> None:
    names = held(sandbox.isolation())
    found = verdicts(backend.choose(Console(), "emulator"), program, student, open_folder, names)
    assert wrong({name: verdict.kind.value for name, verdict in found.items()}) == {}
    texts = "".join("".join([verdict.headline, *verdict.lines()]) for verdict in found.values())
    assert not set(texts) & set("\x1b\x07\x9b") and "root:" not in texts
    assert [path for path in ("/etc/mark", "/usr/mark") if Path(path).exists()] == []
    assert len(names) >= 40 or "files" not in sandbox.isolation()


@pytest.mark.long
@pytest.mark.parametrize("less", ["bubblewrap", "calls", "group", "namespaces"])
def test_behind_other_walls(
    open_folder: Path, student: Path, program: Path, fresh: pytest.MonkeyPatch, less: str
) -> None:
    fresh.setenv("WARPLADDER_WITHOUT", less)
    sandbox.walls.cache_clear()
    stands = sandbox.isolation()
    if not stands & {"user", "processes"}:
        pytest.skip("grading is refused here")
    found = verdicts(backend.choose(Console(), "emulator"), program, student, open_folder, held(stands))
    assert wrong({name: verdict.kind.value for name, verdict in found.items()}) == {}


@pytest.mark.long
@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="needs root, to become somebody")
@pytest.mark.parametrize("less", ["", "bubblewrap", "namespaces"])
def test_as_an_ordinary_user(student: Path, program: Path, less: str) -> None:
    """`namespaces`: there grading is refused; what limits alone hold is tried all the same."""
    if not sandbox_user.reachable([SCRIPTS / "x", program]):
        pytest.skip("other users cannot get at the course")
    judge = compile.judge(EXERCISE)
    where = backend.choose(Console(), "emulator")
    user = 80_000 + os.getpid()
    base = Path("/var/tmp") / f"warpladder-hostile-{user}"
    stands = frozenset(("files", "processes", "network", "calls")) if less != "namespaces" else frozenset(("calls",))
    # Without a process tree of its own one that ends all it can reach would end the test.
    names = [name for name in held(stands) if less != "namespaces" or MISCHIEF[name].wall != "processes"]
    try:
        (base / "cache").mkdir(parents=True)
        (base / "work").mkdir()
        shutil.copytree(judge.parent, base / "cache" / judge.parent.name)
        for support in compile.CACHE.glob("support.o-*"):
            shutil.copytree(support, base / "cache" / support.name)
        shutil.copy(student, base / student.name)
        shutil.copy(program, base / "runner")
        subprocess.run(["chown", "-R", f"{user}:{user}", str(base)], check=True)
        samples = Path(__file__).parents[1] / "samples"
        words = [where.nvcc, str(where.emulator), str(base / "cache"), str(base / "runner"), str(base / student.name)]
        python = sys.executable if sandbox_user.reachable([Path(sys.executable)]) else "/usr/bin/python3"  # root's own
        command = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", python, "-B"]
        modules = f"{SCRIPTS}:{samples}:{Path(pytest.__file__).parents[1]}"
        env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": modules, "TMPDIR": str(base / "work")}
        run = subprocess.run(
            [*command, str(samples / "hostile_samples.py"), *words, str(base / "work"), *names],
            env=env | {"WARPLADDER_WITHOUT": less, "WARPLADDER_WORK": str(base / "work")},
            cwd=base,
            capture_output=True,
            text=True,
            timeout=900,
        )
        found = {line.split("\t")[0]: line.split("\t")[1] for line in run.stdout.splitlines()}
        assert set(found) == set(names), run.stderr
        assert wrong(found) == {}
    finally:
        shutil.rmtree(base, ignore_errors=True)

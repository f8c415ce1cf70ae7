# SPDX-License-Identifier: MIT
"""The autograder zip: what is in it, what must not be, and that it grades as Gradescope would run it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import result_schemas
from class_samples import mischief
from exercise_samples import WARP_SUM, course, needs_emulator

from warpladder.build import backend
from warpladder.sandbox import sandbox

RULES = {"schema": "warpladder-grading/1", "exercises": {"warp_sum": 7}, "hidden_seeds": 1}


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pack")
    (folder / "rules.json").write_text(json.dumps(RULES))
    words = ["--config", str(folder / "rules.json"), "--seed", "31337", "--out", str(folder / "a.zip")]
    made = course("grade", "--pack", "gradescope", *words, work=folder)
    assert made.returncode == 0, made.stderr
    return folder / "a.zip"


def test_only_what_grading_needs(pack: Path) -> None:
    with zipfile.ZipFile(pack) as zipped:
        names = zipped.namelist()
        modes = {entry.filename: entry.external_attr >> 16 & 0o777 for entry in zipped.infolist()}
        rules = json.loads(zipped.read("course/grading.json"))
    assert {"setup.sh", "run_autograder", "course/course", "course/emulator/CMakeLists.txt"} <= set(names)
    assert {"course/scripts/pinned.json", "course/scripts/probe.py", "course/scripts/setup_container.sh"} <= set(names)
    assert modes["course/scripts/setup_container.sh"] == 0o755
    assert modes["setup.sh"] == modes["run_autograder"] == modes["course/course"] == 0o755
    forbidden = ("solution.cuh", "hints.md", "explanation.md", "/wrong/", ".test.", "/testdata/", "README")
    assert [name for name in names if any(word in name for word in forbidden)] == []
    exercise = "course/lessons/04_warp_shuffle/exercises/"
    assert {
        name.removeprefix(exercise).split("/")[0] for name in names if "/exercises/" in name and "/lessons/" in name
    } == {"warp_sum"}
    assert (rules["seed"], modes["course/grading.json"]) == (31337, 0o600)
    assert pack.stat().st_mode & 0o077 == 0
    assert pack.stat().st_size < 20 << 20


def test_the_scripts_are_scripts(pack: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(pack) as zipped:
        for name in ("setup.sh", "run_autograder"):
            (tmp_path / name).write_bytes(zipped.read(name))
            assert subprocess.run(["bash", "-n", tmp_path / name], capture_output=True).returncode == 0


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder that all users can get into, as /autograder is."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def unpack(pack: Path, home: Path) -> None:
    """As Gradescope does it, with the emulator that is here already in the place of one that setup.sh builds."""
    for name in ("source", "submission", "results"):
        (home / name).mkdir(parents=True)
    with zipfile.ZipFile(pack) as zipped:
        for entry in zipped.infolist():
            path = Path(zipped.extract(entry, home / "source"))
            path.chmod(entry.external_attr >> 16 & 0o777)
    emulator = backend.find_emulator()
    assert emulator is not None
    shutil.copytree(emulator, home / "source" / "course" / "build" / "default" / "lib", symlinks=True)
    for library in (home / "source" / "course" / "build" / "default" / "lib").glob("libcudart.so*"):
        library.touch()
    build = home / "source" / "course" / "build"
    for folder in (build.parent, build, build / "default"):
        folder.chmod(0o711)
    (home / "submission_metadata.json").write_text('{"created_at": "2026-02-01T10:00:00.000000-08:00"}')


def grade(home: Path, text: str) -> dict[str, Any]:
    (home / "submission" / "warp_sum.cuh").write_text(text)
    kept = ("WARPLADDER_NO_NAMESPACES",)
    env = {name: value for name, value in os.environ.items() if name in kept or not name.startswith("WARPLADDER_")}
    env["WARPLADDER_AUTOGRADER"] = str(home)
    done = subprocess.run([home / "source" / "run_autograder"], env=env, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0
    data: dict[str, Any] = json.loads((home / "results" / "results.json").read_text())
    result_schemas.check_gradescope(data)
    return data


@needs_emulator
def test_it_grades(pack: Path, home: Path) -> None:
    unpack(pack, home)
    assert grade(home, (WARP_SUM / "solution.cuh").read_text())["score"] == 7
    rules = home / "source" / "course" / "grading.json"
    spy = mischief(
        f'    if (open("{rules}", O_RDONLY) >= 0) _exit(3);\n    if (errno == EACCES || errno == ENOENT) _exit(4);\n'
    )
    data = grade(home, spy.replace("#include <fcntl.h>", "#include <errno.h>\n#include <fcntl.h>"))
    if {"files", "user"} & sandbox.isolation():
        assert "exit code 4" in data["tests"][0]["output"], "the rules cannot be read"
    rules.write_text("{}")
    failed = grade(home, "")
    assert failed["score"] == 0 and "the grader failed, this is not your fault" in failed["output"]

# SPDX-License-Identifier: MIT
"""`./course run` is killed, at any moment and in any way, and run again: it recovers.

The plain suite kills a run of lessons that are scripts. --long kills a real one, in a tree of its own where nothing is
built yet: while it configures, compiles, runs and saves. Set-up has its own such tests (test_fetching.py).
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_run import machine_with_lessons, saved  # noqa: F401 (a fixture is used by its name)

from warpladder import cli

ROOT = Path(__file__).resolve().parents[3]
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


def begin_in_a_child(words: list[str]) -> int:
    """`course WORDS` as it is set up in this process, but in a group of its own that can be killed."""
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            os.setsid()
            signal.signal(signal.SIGINT, signal.default_int_handler)  # it may have been ignored by whoever started us
            nowhere = os.open(os.devnull, os.O_RDWR)
            for number in (0, 1, 2):
                os.dup2(nowhere, number)
            cli.main(words)
        os._exit(0)
    return child


def test_a_killed_run_leaves_nothing_that_hinders_the_next(machine_with_lessons: Path) -> None:  # noqa: F811
    start = time.monotonic()
    assert cli.main(["run", "--quick"]) == 3  # all is there but the charts
    whole, lasts = saved(machine_with_lessons), time.monotonic() - start
    assert whole.documents
    moments = random.Random(7)
    shutil.rmtree(machine_with_lessons / "results")
    for kind in (*SIGNALS, *SIGNALS):
        child = begin_in_a_child(["run", "--quick"])
        time.sleep(moments.uniform(0.0, lasts))
        os.killpg(child, kind) if os.getpgid(child) == child else os.kill(child, kind)
        os.waitpid(child, 0)
        for file in (machine_with_lessons / "results").rglob("*.json"):
            json.loads(file.read_text(encoding="utf-8"))  # nothing half written
    assert cli.main(["run", "--quick"]) == 3
    assert len(saved(machine_with_lessons).documents) == len(whole.documents)


def own_tree(folder: Path) -> Path:
    """The files of this tree, as they are now; what is set up already is shared."""
    names = subprocess.run(["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    for name in filter(None, names.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    for shared in (".venv", ".toolkit"):
        if (ROOT / shared).exists():
            (folder / shared).symlink_to(ROOT / shared)
    return folder


def results_in(folder: Path) -> list[Path]:
    return sorted((folder / "results" / "mine").rglob("*.json"))


@pytest.mark.long
@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_real_run_is_killed_again_and_again(tmp_path: Path) -> None:
    """Sometimes all of it is killed, sometimes only the process that was started: its compilers go on for a while."""
    folder, moments = own_tree(tmp_path / "tree"), random.Random(11)
    command = [sys.executable, "course", "run", "01", "--quick"]
    for round_ in range(12):
        run = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        # From a moment to half a minute, so that set-up, configuring and many compilations are met.
        with contextlib.suppress(subprocess.TimeoutExpired):
            run.wait(timeout=30 ** moments.uniform(-0.5, 1.0))
        kind = SIGNALS[round_ % len(SIGNALS)]
        with contextlib.suppress(ProcessLookupError):
            os.killpg(run.pid, kind) if moments.random() < 0.5 else os.kill(run.pid, kind)
        run.wait()
        for file in results_in(folder):
            json.loads(file.read_text(encoding="utf-8"))
    last = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert last.returncode == 0, last.stdout[-2000:] + last.stderr[-2000:]
    assert "global_atomic" in last.stdout and "FAIL" not in last.stdout
    assert results_in(folder)

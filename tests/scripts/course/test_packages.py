# SPDX-License-Identifier: MIT
"""The packages of scripts/warpladder import one way only, and the check of that notices where they do not."""

from __future__ import annotations

from pathlib import Path

import check_packages
import pytest

from warpladder import cli
from warpladder.core.paths import SCRIPTS

SMALL = {"core": frozenset[str](), "verbs": frozenset({"core"}), "(top)": frozenset({"verbs"})}
GOOD = {
    "cli.py": "from .verbs import run\n",
    "core/__init__.py": "",
    "core/paths.py": "import os\n",
    "verbs/__init__.py": "",
    "verbs/run.py": "from ..core.paths import ROOT\nfrom ..core import paths\n",
}


def test_the_course_keeps_its_directions() -> None:
    assert check_packages.faults(SCRIPTS / "warpladder") == []


def test_every_module_of_verbs_is_a_verb() -> None:
    files = {file.stem for file in (SCRIPTS / "warpladder" / "verbs").glob("*.py")} - {"__init__"}
    assert files == set(cli.VERBS)


def faults(root: Path, **more: str) -> list[str]:
    for name, text in {**GOOD, **more}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return check_packages.faults(root, SMALL)


def test_what_points_one_way_is_right(tmp_path: Path) -> None:
    assert faults(tmp_path) == []


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("core/paths.py", "def f():\n    from ..verbs import run\n", "core may not know verbs"),
        ("core/paths.py", "from ..verbs.run import f\n", "core/paths.py imports verbs/run.py: core may not know verbs"),
        ("core/paths.py", "from .console import f\n", "circle: core/paths.py -> core/console.py -> core/paths.py"),
        ("verbs/watch.py", "from . import run\n", "verbs/watch.py imports verbs/run.py: what two verbs need"),
        ("verbs/run.py", "import os\n", "nothing in verbs imports core any more"),
        ("verbs/run.py", "import numpy.linalg\n", "verbs/run.py imports numpy.linalg, which comes neither"),
        ("extra/more.py", "", "the package extra is not in the table"),
    ],
)
def test_what_points_the_other_way_is_named(tmp_path: Path, file: str, text: str, fault: str) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "console.py").write_text("from . import paths\n")
    assert any(fault in each for each in faults(tmp_path, **{file: text}))

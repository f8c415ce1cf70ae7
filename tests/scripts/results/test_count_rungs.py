# SPDX-License-Identifier: MIT
"""The table of counters in the chapter of lesson 07, from made-up launches."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

_FILE = Path(__file__).resolve().parents[3] / "scripts" / "count_rungs.py"
_SPEC = importlib.util.spec_from_file_location("count_rungs", _FILE)
assert _SPEC is not None and _SPEC.loader is not None
count_rungs = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(count_rungs)


def _launch(kernel: str, passes: int) -> dict[str, object]:
    return {"kernel": kernel, "counters": {count_rungs.GLOBAL: 1, count_rungs.REQUESTS: 2, count_rungs.PASSES: passes}}


def test_the_last_launch_of_a_rung_counts() -> None:
    launches = [_launch("void a::hist_wide<int>(x)", 3), _launch("void a::hist_wide<int>(x)", 4), _launch("b(x)", 5)]
    assert count_rungs.last_launch(launches, "hist_wide")[count_rungs.PASSES] == 4
    with pytest.raises(SystemExit, match="hist_warp was not launched"):
        count_rungs.last_launch(launches, "hist_warp")


def test_the_table_has_a_row_for_each_rung_and_a_cell_for_each_input() -> None:
    found = [count_rungs.last_launch([_launch("void a::r<int>(x)", passes)], "r") for passes in (7, 8)]
    lines = count_rungs.table({"r": found}).splitlines()
    assert lines[2] == "| `r` | 1 | 2 | 7 | 1 | 2 | 8 |"
    assert lines[0].count("|") == lines[1].count("|") == lines[2].count("|")
    assert "Counted by the emulator" in lines[-1]


def test_ncu_is_read_from_the_last_launch() -> None:
    text = (
        '==PROF== Profiling "hist_wide" - 0\n'
        '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n'
        '"0","hist_wide<unsigned int>","a.sum","","1,024"\n'
        '"1","other","a.sum","","7"\n'
        '"2","hist_wide<unsigned int>","a.sum","","2,048"\n'
    )
    assert count_rungs.last_of_ncu(text, "hist_wide") == {"a.sum": 2048}
    with pytest.raises(SystemExit, match="hist_warp"):
        count_rungs.last_of_ncu(text, "hist_warp")

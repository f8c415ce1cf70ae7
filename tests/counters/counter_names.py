# SPDX-License-Identifier: MIT
"""The counters that are compared with those of Nsight Compute, and what it is asked for."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEF = ROOT / "emulator" / "counters" / "counters.def"
# Recorded beside the counters: the same counted by the hardware instead of the patched code, and what explains others.
EXTRA = [
    "smsp__inst_executed.sum",
    "smsp__thread_inst_executed.sum",
    "smsp__thread_inst_executed_pred_on.sum",
    "smsp__sass_inst_executed_op_branch.sum",
    "smsp__sass_inst_executed_op_global_ld.sum",
    "smsp__sass_inst_executed_op_global_st.sum",
    "smsp__sass_inst_executed_op_global_atom.sum",
    "smsp__sass_inst_executed_op_global_red.sum",
    "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum",
    "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_atom.sum",
    "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_red.sum",
    "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "smsp__sass_thread_inst_executed_op_inter_thread_communication_pred_on.sum",
]
# Counters that Nsight Compute derives from its counts per instruction: it gives them with the section SourceCounters,
# some under another name, and does not know them as metrics.
RAW_NAME = {
    "smsp__sass_sectors_mem_global_ideal.sum": "memory_l2_theoretical_sectors_global_ideal",
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal.sum": "memory_l1_wavefronts_shared_ideal",
}
DERIVED = [
    "derived__memory_l1_wavefronts_shared_excessive",
    "derived__memory_l2_theoretical_sectors_global_excessive",
    "memory_l1_wavefronts_shared",
    "memory_l2_theoretical_sectors_global",
]


def table_of_counters() -> dict[str, str]:
    """Name -> meaning of every counter that is summed over instructions."""
    rows = re.findall(r'^COUNTER\(\w+, "([^"]+)", "[^"]*", "([^"]*)"\)', DEF.read_text(), re.MULTILINE)
    return dict(rows)


def comparable() -> list[str]:
    """The counters that Nsight Compute has too."""
    return [n for n in table_of_counters() if not n.startswith("warpladder__")]


def asked() -> list[str]:
    return [n for n in comparable() if n not in RAW_NAME and n not in DERIVED] + EXTRA

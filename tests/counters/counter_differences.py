# SPDX-License-Identifier: MIT
"""Where the GPU counts something else, and why."""

from __future__ import annotations

from typing import NamedTuple


class Difference(NamedTuple):
    """A micro-kernel of which the GPU counts something else, mostly as ptxas makes another program; what is here."""

    kernel: str
    reason: str
    here: dict[str, int]


_LOCAL = "smsp__sass_{}_mem_local_op_{}.sum".format
_ADDED_UP = "ptxas adds the lanes' values up first (`REDUX`), so that one lane of 32 makes the atomic"
_SELECTS = "ptxas keeps the array in registers and selects: no local memory is touched"
# Nothing else may differ, and these values may not change; the page shows them.
DIFFERENCES = [
    Difference("red int, 1 address", _ADDED_UP, {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum": 256}),
    Difference(
        "shared atomic int, 1 word",
        _ADDED_UP,
        {
            "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum": 256,
            "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum": 256,
            "derived__memory_l1_wavefronts_shared_excessive": 248,
        },
    ),
    Difference(
        "shared atomic float, 32 words",
        "the GPU has no such instruction: ptxas makes a loop of load and compare-and-swap (`ATOMS.CAST.SPIN`),"
        " which turns more often when warps meet",
        {
            "smsp__sass_inst_executed_op_shared_ld.sum": 0,
            "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum": 0,
            "smsp__sass_data_bytes_mem_shared_op_ld.sum": 0,
            "smsp__sass_inst_executed_op_shared_atom.sum": 8,
            "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum": 8,
            "smsp__sass_data_bytes_mem_shared_op_atom.sum": 1024,
            "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum": 8,
            "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal.sum": 8,
        },
    ),
    Difference(
        "shared load 128 odd lanes, packed",
        "no program of ptxas's: Nsight Compute's counter in the code says three passes per warp, the hardware's own"
        " (`l1tex__data_pipe_lsu_wavefronts_mem_shared`) two, as here; with all lanes on, both say two",
        {
            "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum": 16,
            "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum": 16,
            "derived__memory_l1_wavefronts_shared_excessive": 0,
        },
    ),
] + [
    Difference(
        kernel,
        _SELECTS,
        {
            "smsp__sass_inst_executed_op_local_ld.sum": 8,
            _LOCAL("l1tex_t_sectors_pipe_lsu", "ld"): sectors,
            _LOCAL("data_bytes", "ld"): loaded,
            "smsp__sass_inst_executed_op_local_st.sum": 64,
            _LOCAL("l1tex_t_sectors_pipe_lsu", "st"): 1024,
            _LOCAL("data_bytes", "st"): 1024,  # all lanes at the same place of their own array
        },
    )
    for kernel, sectors, loaded in (("local array, same index", 32, 32), ("local array, own index", 256, 1024))
]

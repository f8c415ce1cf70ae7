// The columns of the source table: each a figure of a line from its counters, by Nsight Compute's names.
"use strict";
const C = {
  inst: "smsp__sass_inst_executed.sum", thread: "smsp__sass_thread_inst_executed_pred_on.sum",
  divergent: "smsp__sass_branch_targets_threads_divergent.sum",
  sectors: "smsp__sass_sectors_mem_global.sum", ideal: "smsp__sass_sectors_mem_global_ideal.sum",
  wavefronts: "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", conflicts: "derived__memory_l1_wavefronts_shared_excessive",
  global_atomics: "warpladder__atomics_mem_global.sum", shared_atomics: "warpladder__atomics_mem_shared.sum",
  local_ld: "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum", local_st: "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum",
  barriers: "warpladder__inst_executed_op_barrier.sum", dram_read: "dram__bytes_read.sum", dram_write: "dram__bytes_write.sum",
  l2: "lts__t_sectors_srcunit_tex.sum", l1_hit: "l1tex__t_sector_hit_rate.pct", l2_hit: "lts__t_sector_hit_rate.pct",
  load: "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", store: "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
};
const GLOBAL_REQUESTS = ["ld", "st", "atom", "red"].map(kind => "l1tex__t_requests_pipe_lsu_mem_global_op_" + kind + ".sum");
const ATOMIC_SECTORS = ["atom", "red"].map(kind => "l1tex__t_sectors_pipe_lsu_mem_global_op_" + kind + ".sum");
function of(counters, name) { return counters[name] || 0; }
function sum(counters, names) { return names.reduce((total, name) => total + of(counters, name), 0); }

const COLUMNS = [
  { id: "executed", head: "executed", on: true, why: "warp instructions at this line", get: c => of(c, C.inst) },
  { id: "lanes", head: "lanes", on: true, why: "of 32, how many worked in each of them on average", ratio: true,
    get: c => of(c, C.inst) ? of(c, C.thread) / of(c, C.inst) : 0 },
  { id: "divergent", head: "divergent", on: true, why: "branches at which the lanes of a warp parted", get: c => of(c, C.divergent) },
  { id: "sectors", head: "sectors", on: true, why: "32-byte pieces of global memory that its accesses touch", get: c => of(c, C.sectors) },
  { id: "per", head: "sectors/req", on: true, ratio: true, why: "the same for each access of a warp",
    get: c => sum(c, GLOBAL_REQUESTS) ? of(c, C.sectors) / sum(c, GLOBAL_REQUESTS) : 0 },
  { id: "excess", head: "excessive", why: "sectors beyond what lanes side by side would touch",
    get: c => Math.max(0, of(c, C.sectors) - of(c, C.ideal)) },
  { id: "wavefronts", head: "wavefronts", why: "passes through the banks of shared memory", get: c => of(c, C.wavefronts) },
  { id: "conflicts", head: "conflicts", on: true, why: "passes that bank conflicts add", get: c => of(c, C.conflicts) },
  { id: "atomics", head: "atomics", on: true, why: "atomic operations, per lane", get: c => sum(c, [C.global_atomics, C.shared_atomics]) },
  { id: "local", head: "local", why: "sectors of local memory: registers that did not suffice, arrays that are indexed",
    get: c => sum(c, [C.local_ld, C.local_st]) },
  { id: "barriers", head: "barriers", why: "barriers of the block, per warp", get: c => of(c, C.barriers) },
];
const HEATS = COLUMNS.filter(column => !column.ratio);

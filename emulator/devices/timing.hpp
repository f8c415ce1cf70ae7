// SPDX-License-Identifier: MIT
// How long a GPU takes for one thing at a time: the constants of the modelled clock. Each is a .def
// file of TIME(name, value) rows beside this header; timing/model.hpp says how they are used.
#pragma once

#include "devices/profile.hpp"

namespace emu::devices {

struct Timing {
  bool calibrated = false;  // measured on such a GPU, not scaled from another one

  // On a stream, in nanoseconds.
  double event_ns = 0;   // between two events with nothing between them
  double kernel_ns = 0;  // a kernel that does nothing, on top
  double memset_ns = 0, memcpy_ns = 0;
  double block_ns = 0;  // until the next block can begin
  double block_turnover =
      0;  // cycles from the end of a block to the first instruction of the one that takes its place

  // Between devices, and between a device and the host: a direction alone. Published by others, measured on none of
  // ours. 0 GB/s: such GPUs do not reach each other's memory.
  double peer_gbps = 0, peer_ns = 0;  // the second: until what was sent is there
  double host_gbps = 0, host_ns = 0;

  // Memory.
  double dram_gbps = 0, l2_gbps = 0;
  double copy_gbps = 0;  // memcpy and memset: what is read and written together
  // Of the L2, what must be written back when something else takes its place: of a usual load, and of
  // a streaming one.
  double dirty_share = 0, dirty_share_streaming = 0;
  // For each row of DRAM that is opened and not read whole.
  double row_ns = 0;
  // Cycles until a load's value can be used.
  double dram_latency = 0, l2_latency = 0, l1_latency = 0;
  // More cycles for the first access of a launch: if nothing is read from DRAM, and if something is.
  double first_access_latency = 0, first_read_latency = 0;
  double memory_sharpness = 1;  // how DRAM's latency and bandwidth go together: timing/model.hpp
  double atomic_latency = 0, fence_latency = 0;  // cycles: atomic with a result; fence of the GPU
  // On one address, per lane; the compiler makes one of all lanes of a warp for many integer ones.
  double float_atomic_ns = 0, integer_atomic_ns = 0;
  // How much longer handing a word on takes for each doubling of the warps that run at once.
  double contention = 0;
  // ... and for each lane that tries to swap it meanwhile.
  double attempt_ns = 0;
  // On different sectors of one slice of L2.
  double slice_atomic_ns = 0;
  // What L2 takes for a sector that is stored, for one of which hardly anything is, and for each line;
  // and for each line that is loaded.
  double l2_store_ns = 0, l2_word_ns = 0, l2_store_line_ns = 0, l2_load_line_ns = 0;

  // One operation after the other, in cycles.
  double arithmetic_latency = 0, branch_latency = 0, special_latency = 0;
  double parting_latency = 0;  // of lanes that go two ways, until they are together again
  double shared_latency = 0, shared_pass_latency = 0;  // the second: for each pass after the first
  double cluster_latency = 0;                          // a load from another block's shared memory
  double shuffle_latency = 0, vote_latency = 0, redux_latency = 0;
  double match_latency = 0, warp_sync_latency = 0;
  double mask_sync_latency = 0;  // __syncwarp() with a mask that is no constant
  double barrier_latency = 0, barrier_per_warp = 0;
  double cluster_barrier_latency = 0;
  double shared_cas_latency = 0;  // float atomics on shared memory: per lane on one address

  // What a multiprocessor does at most.
  double issue_per_cycle = 0;     // instructions, all warps together
  double shared_per_cycle = 0;    // passes through the banks, shuffles, votes
  double shared_cas_cycles = 0;   // ... each float atomic takes that many cycles
  double l1_lines_per_cycle = 1;  // that requests name
  double barrier_cycles = 0;      // per warp that comes to a barrier
  // For each sector that global atomics send to L2: without a result, and with one.
  double atomic_cycles = 0, atomic_result_cycles = 0;
};

const Timing& timing(const Profile& profile);

}  // namespace emu::devices

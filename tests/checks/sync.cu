// SPDX-License-Identifier: MIT
// What goes wrong where threads meet, each beside its cure. A broken kernel ends in _broken; the line above it names
// the finding, and its lines are marked `// sync A` (and `// sync B`). All others must stay without a word.
#include <cooperative_groups.h>

#include "corpus.cuh"
#include "sync/barriers.cuh"

namespace cg = cooperative_groups;

// ---- shuffles

// finds sync-shuffle
__global__ void reads_outside_its_mask_broken(int* a, int*, int) {
  int v = threadIdx.x;
  if (threadIdx.x < 16) v += __shfl_down_sync(0xffff, v, 8);  // sync A
  a[threadIdx.x] = v;                                         // sync B
}
__global__ void nobody_uses_what_is_outside(int* a, int*, int) {
  int v = threadIdx.x;
  if (threadIdx.x < 16) {
    for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0xffff, v, d);
    if (threadIdx.x == 0) a[0] = v;
  }
}
// finds sync-shuffle
__global__ void returned_too_early_broken(int* a, int* b, int) {
  if (threadIdx.x >= 20) return;
  int v = b[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);  // sync A
  if (threadIdx.x == 0) a[0] = v;                                           // sync B
}
__global__ void all_come(int* a, int* b, int) {
  int v = threadIdx.x < 20 ? b[threadIdx.x] : 0;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x == 0) a[0] = v;
}
// finds sync-shuffle
__global__ void sum_over_a_ballot_broken(int* a, int* b, int) {
  const bool in = threadIdx.x < 20;
  const unsigned mask = __ballot_sync(0xffffffff, in);
  if (in) {
    int v = b[threadIdx.x];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(mask, v, d);  // sync A
    if (threadIdx.x == 0) a[0] = v;                                     // sync B
  }
}
__global__ void reduce_over_a_ballot(int* a, int* b, int) {
  const bool in = threadIdx.x < 20;
  const unsigned mask = __ballot_sync(0xffffffff, in);
  if (in) {
    const int v = __reduce_add_sync(mask, b[threadIdx.x]);
    if (threadIdx.x == 0) a[0] = v;
  }
}
// finds sync-shuffle
__global__ void broadcast_from_a_stranger_broken(int* a, int* b, int) {
  int v = b[threadIdx.x];
  if (threadIdx.x < 4) v = __shfl_sync(0xf, v, 7);  // sync A
  a[threadIdx.x] = v;                               // sync B
}
__global__ void broadcast_from_a_member(int* a, int* b, int) {
  int v = b[threadIdx.x];
  if (threadIdx.x < 4) v = __shfl_sync(0xf, v, 3);
  a[threadIdx.x] = v;
}
// finds sync-shuffle
__global__ void lower_lanes_are_gone_broken(int* a, int* b, int) {
  int v = b[threadIdx.x];
  if (threadIdx.x < 8) return;
  v += __shfl_up_sync(0xffffffff, v, 8);  // sync A
  a[threadIdx.x] = v;                     // sync B
}
__global__ void lower_lanes_are_there(int* a, int* b, int) {
  int v = b[threadIdx.x];
  v += __shfl_up_sync(0xffffffff, v, 8);
  if (threadIdx.x >= 8) a[threadIdx.x] = v;
}
// finds sync-shuffle
__global__ void decides_by_it_broken(int* a, int* b, int) {
  int v = b[threadIdx.x];
  if (threadIdx.x < 16) {
    const int other = __shfl_xor_sync(0xffff, v, 16);  // sync A
    if (other == 0) a[threadIdx.x] = 1;                // sync B
  }
}
__global__ void exchanges_within(int* a, int* b, int) {
  int v = b[threadIdx.x];
  if (threadIdx.x < 16) {
    const int other = __shfl_xor_sync(0xffff, v, 8);
    if (other == 0) a[threadIdx.x] = 1;
  }
}
__global__ void segments_of_sixteen(int* a, int*, int) {
  int v = threadIdx.x;
  const unsigned mask = threadIdx.x < 16 ? 0xffff : 0xffff0000;
  for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(mask, v, d, 16);
  a[threadIdx.x] = v;
}
__global__ void scan_with_a_check(int* a, int*, int) {
  int v = threadIdx.x;
  if (threadIdx.x < 16) {
    for (int d = 1; d < 16; d *= 2) {
      const int other = __shfl_up_sync(0xffff, v, d);
      if (threadIdx.x >= d) v += other;
    }
    a[threadIdx.x] = v;
  }
}
__global__ void half_a_warp(int* a, int* b, int) {  // 48 threads: the last warp has 16
  int v = b[threadIdx.x];
  for (int d = 8; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);
  a[threadIdx.x] = v;
}

// ---- masks

// finds sync-lane-not-in-mask
__global__ void not_in_its_own_mask_broken(int* a, int*, int) {
  a[threadIdx.x] = __shfl_sync(0xffff, static_cast<int>(threadIdx.x), 0);  // sync A
}
__global__ void a_mask_for_each_half(int* a, int*, int) {
  const unsigned mask = threadIdx.x < 16 ? 0xffff : 0xffff0000;
  a[threadIdx.x] = __shfl_sync(mask, static_cast<int>(threadIdx.x), threadIdx.x & 16);
}
// finds sync-lane-not-in-mask
__global__ void ballot_of_others_broken(int* a, int*, int) {
  a[threadIdx.x] = __ballot_sync(0x55555555, threadIdx.x & 2);  // sync A
}
__global__ void ballot_of_its_own(int* a, int*, int) {
  if (threadIdx.x % 2 == 0) a[threadIdx.x] = __ballot_sync(0x55555555, threadIdx.x & 2);
}
// finds sync-deadlock
__global__ void waits_for_the_other_branch_broken(int* a, int*, int) {
  if (threadIdx.x < 16) {
    __syncwarp();  // sync A
  } else {
    a[threadIdx.x] = __ballot_sync(0xffffffff, 1);  // sync B
  }
}
__global__ void waits_for_its_own_branch(int* a, int*, int) {
  if (threadIdx.x < 16) {
    __syncwarp(0xffff);
  } else {
    a[threadIdx.x] = __ballot_sync(0xffff0000, 1);
  }
}
// finds sync-activemask
__global__ void mask_of_the_moment_broken(int* a, int* b, int) {
  int v = b[threadIdx.x];
  if (threadIdx.x < 16) {
    const unsigned mask = __activemask();
    for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(mask, v, d);  // sync A
    if (threadIdx.x == 0) a[0] = v;
  }
}
__global__ void mask_of_the_branch(int* a, int* b, int) {
  int v = b[threadIdx.x];
  const unsigned mask = __ballot_sync(0xffffffff, threadIdx.x < 16);
  if (threadIdx.x < 16) {
    for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(mask, v, d);
    if (threadIdx.x == 0) a[0] = v;
  }
}
__global__ void whoever_is_there(int* a, int* b, int) {
  if (threadIdx.x % 3 == 0) {
    const unsigned mask = __activemask();
    const int leader = __ffs(mask) - 1;
    int base = 0;
    if (threadIdx.x == leader) base = atomicAdd(a, __popc(mask));
    b[threadIdx.x] = __shfl_sync(mask, base, leader) + __popc(mask & ((1u << threadIdx.x) - 1));
  }
}

// ---- groups

// finds sync-passed-by
__global__ void tile_in_a_branch_broken(int* a, int* b, int) {
  __shared__ int s[32];
  if (threadIdx.x < 16) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    s[threadIdx.x] = b[threadIdx.x];
    tile.sync();  // sync A
    a[threadIdx.x] = s[15 - threadIdx.x];
  }
  b[threadIdx.x + 32] = 1;  // sync B
}
__global__ void tile_before_the_branch(int* a, int* b, int) {
  __shared__ int s[32];
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  if (threadIdx.x < 16) s[threadIdx.x] = b[threadIdx.x];
  tile.sync();
  if (threadIdx.x < 16) a[threadIdx.x] = s[15 - threadIdx.x];
  b[threadIdx.x + 32] = 1;
}
// finds sync-shuffle
__global__ void tile_sums_in_a_branch_broken(int* a, int* b, int) {
  if (threadIdx.x < 16) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int v = b[threadIdx.x];
    for (int d = 16; d > 0; d /= 2) v += tile.shfl_down(v, d);  // sync A
    if (tile.thread_rank() == 0) a[0] = v;                      // sync B
  }
}
__global__ void whoever_takes_the_branch(int* a, int* b, int) {
  if (threadIdx.x < 16) {
    auto group = cg::coalesced_threads();
    int v = b[threadIdx.x];
    for (int d = 8; d > 0; d /= 2) v += group.shfl_down(v, d);
    if (group.thread_rank() == 0) a[0] = v;
  }
}
// finds sync-passed-by
__global__ void syncwarp_in_a_branch_broken(int* a, int* b, int) {
  if (threadIdx.x < 8) __syncwarp();  // sync A
  a[threadIdx.x] = b[threadIdx.x];    // sync B
}
__global__ void syncwarp_in_both_branches(int* a, int* b, int) {
  __shared__ int s[32];
  if (threadIdx.x < 8) {
    s[threadIdx.x] = b[threadIdx.x];
    __syncwarp();
  } else {
    b[threadIdx.x + 32] = 1;
    __syncwarp();
    a[threadIdx.x] = s[threadIdx.x % 8];
  }
}
// finds sync-grid
__global__ void grid_of_an_ordinary_launch_broken(int* a, int*, int) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  cg::this_grid().sync();  // sync A
}
__global__ void grid_of_a_cooperative_launch(int* a, int*, int) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  cg::this_grid().sync();
}

using corpus::Case;
const Case kCases[] = {
    CASE(reads_outside_its_mask_broken, 1, 32),
    CASE(nobody_uses_what_is_outside, 1, 32),
    CASE(returned_too_early_broken, 1, 32),
    CASE(all_come, 1, 32),
    CASE(sum_over_a_ballot_broken, 1, 32),
    CASE(reduce_over_a_ballot, 1, 32),
    CASE(broadcast_from_a_stranger_broken, 1, 32),
    CASE(broadcast_from_a_member, 1, 32),
    CASE(lower_lanes_are_gone_broken, 1, 32),
    CASE(lower_lanes_are_there, 1, 32),
    CASE(decides_by_it_broken, 1, 32),
    CASE(exchanges_within, 1, 32),
    CASE(segments_of_sixteen, 1, 32),
    CASE(scan_with_a_check, 1, 32),
    CASE(half_a_warp, 1, 48),
    CASE(not_in_its_own_mask_broken, 1, 32),
    CASE(a_mask_for_each_half, 1, 32),
    CASE(ballot_of_others_broken, 1, 32),
    CASE(ballot_of_its_own, 1, 32),
    CASE(waits_for_the_other_branch_broken, 1, 32),
    CASE(waits_for_its_own_branch, 1, 32),
    CASE(mask_of_the_moment_broken, 1, 32),
    CASE(mask_of_the_branch, 1, 32),
    CASE(whoever_is_there, 1, 32),
    CASE(tile_in_a_branch_broken, 1, 32),
    CASE(tile_before_the_branch, 1, 32),
    CASE(tile_sums_in_a_branch_broken, 1, 32),
    CASE(whoever_takes_the_branch, 1, 32),
    CASE(syncwarp_in_a_branch_broken, 1, 32),
    CASE(syncwarp_in_both_branches, 1, 32),
    CASE(grid_of_an_ordinary_launch_broken, 2, 32),
    CASE(grid_of_a_cooperative_launch, 2, 32, 0, true),
    CASE(two_counts_broken),
    CASE(one_count),
    CASE(no_whole_warps_broken),
    CASE(whole_warps),
    CASE(no_such_barrier_broken),
    CASE(last_barrier),
    CASE(counts_a_warp_that_ended_broken),
    CASE(counts_those_who_come),
    CASE(barrier_in_a_branch_broken, 1, 32),
    CASE(barrier_in_a_branch_of_all, 1, 32),
    CASE(barrier_in_each_branch_broken, 1, 32),
    CASE(barrier_behind_the_branch, 1, 32),
    CASE(barrier_in_uneven_rounds_broken, 1, 32),
    CASE(barrier_in_even_rounds, 1, 32),
    CASE(leaves_before_the_barrier, 1, 32),
    CASE(spins_before_the_barrier),
    CASE(the_other_warp_never_comes_broken),
    CASE(the_other_warp_comes),
    CASE(arrives_twice_broken, 2, 32),
    CASE(arrives_and_waits, 2, 32),
};

int main() { return corpus::run(kCases, true); }

// SPDX-License-Identifier: MIT
// Exercise group_in_a_branch: repair a sum of the elements above a limit that hangs.
//
// The kernel is launched with blocks of 128 threads, one thread per element.
// sums[b] = the sum of the elements of block b that are larger than limit.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstddef>

namespace cg = cooperative_groups;

__global__ void sums_above(const int* x, std::size_t n, int limit, int* sums) {
  __shared__ int of_block;
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) of_block = 0;
  block.sync();
  const std::size_t i = std::size_t{blockIdx.x} * block.size() + block.thread_rank();
  if (i < n && x[i] > limit) {
    // TODO: who belongs to this group, and who of them is here?
    const auto warp = cg::tiled_partition<32>(block);
    const int sum = cg::reduce(warp, x[i], cg::plus<int>());
    if (warp.thread_rank() == 0) atomicAdd(&of_block, sum);
  }
  block.sync();
  if (block.thread_rank() == 0) sums[blockIdx.x] = of_block;
}

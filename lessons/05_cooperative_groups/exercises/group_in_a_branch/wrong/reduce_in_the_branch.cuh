// SPDX-License-Identifier: MIT
// Wrong: the group is made outside, but its members are still not all in the branch.
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
  const auto warp = cg::tiled_partition<32>(block);
  if (i < n && x[i] > limit) {
    const int sum = cg::reduce(warp, x[i], cg::plus<int>());
    if (warp.thread_rank() == 0) atomicAdd(&of_block, sum);
  }
  block.sync();
  if (block.thread_rank() == 0) sums[blockIdx.x] = of_block;
}

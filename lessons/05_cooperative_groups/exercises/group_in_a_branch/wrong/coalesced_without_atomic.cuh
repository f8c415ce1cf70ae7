// SPDX-License-Identifier: MIT
// Wrong: one place per warp, but lanes may come in several parts, and each part writes it.
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
  __shared__ int of_warp[4];
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = 0;
  block.sync();
  if (i < n && x[i] > limit) {
    const auto here = cg::coalesced_threads();
    const int sum = cg::reduce(here, x[i], cg::plus<int>());
    if (here.thread_rank() == 0) of_warp[threadIdx.x / 32] = sum;
  }
  block.sync();
  if (threadIdx.x < 4) atomicAdd(&of_block, of_warp[threadIdx.x]);
  block.sync();
  if (block.thread_rank() == 0) sums[blockIdx.x] = of_block;
}

// SPDX-License-Identifier: MIT
// Wrong: a cooperative launch, but as many blocks as are wanted, whether they fit or not.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstddef>

#include "common/check.cuh"

namespace cg = cooperative_groups;

constexpr unsigned kBlock = 256;

// The block's sum. Thread 0 has it.
__device__ int block_sum(const cg::thread_block& block, int mine) {
  __shared__ int of_block;
  if (block.thread_rank() == 0) of_block = 0;
  block.sync();
  const auto warp = cg::tiled_partition<32>(block);
  mine = cg::reduce(warp, mine, cg::plus<int>());
  if (warp.thread_rank() == 0) atomicAdd(&of_block, mine);
  block.sync();
  return of_block;
}

__global__ void grid_sum(const int* x, std::size_t n, int* partial, int* sum) {
  const auto block = cg::this_thread_block();
  const auto grid = cg::this_grid();
  int mine = 0;
  for (std::size_t i = grid.thread_rank(); i < n; i += grid.size()) mine += x[i];
  mine = block_sum(block, mine);
  if (block.thread_rank() == 0) partial[blockIdx.x] = mine;
  grid.sync();
  if (blockIdx.x != 0) return;
  mine = 0;
  for (unsigned b = block.thread_rank(); b < gridDim.x; b += block.size()) mine += partial[b];
  block.sync();  // of_block is used again
  mine = block_sum(block, mine);
  if (block.thread_rank() == 0) *sum = mine;
}

inline void launch_grid_sum(const int* x, std::size_t n, int* partial, int* sum, unsigned wanted) {
  void* arguments[] = {&x, &n, &partial, &sum};
  COURSE_CHECK(cudaLaunchCooperativeKernel(grid_sum, wanted, kBlock, arguments));
}

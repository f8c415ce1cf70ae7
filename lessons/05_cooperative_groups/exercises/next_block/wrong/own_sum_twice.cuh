// SPDX-License-Identifier: MIT
// Wrong: this is the sum of the block itself.
#pragma once

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) with_next(const int* x, int* out) {
  __shared__ int sum;
  const auto cluster = cg::this_cluster();
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) sum = 0;
  block.sync();
  atomicAdd(&sum, x[blockIdx.x * block.size() + block.thread_rank()]);
  cluster.sync();
  if (block.thread_rank() == 0) {
    const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    out[blockIdx.x] = sum + (next < cluster.num_blocks() ? sum : 0);
  }
  cluster.sync();
}

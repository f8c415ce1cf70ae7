// SPDX-License-Identifier: MIT
// Wrong: one table for each warp does not keep the lanes of a warp apart.
#pragma once

#include <cstddef>

__global__ void lane_counters(const unsigned char* x, std::size_t n, unsigned* counts) {
  __shared__ unsigned table[2][16];
  if (threadIdx.x < 32) table[threadIdx.x / 16][threadIdx.x % 16] = 0;
  __syncthreads();
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd(&table[threadIdx.x / 32][x[i]], 1u);
  __syncthreads();
  if (threadIdx.x < 16)
    atomicAdd(counts + threadIdx.x, table[0][threadIdx.x] + table[1][threadIdx.x]);
}

// SPDX-License-Identifier: MIT
// Wrong: every lane's counters are added to the result one by one.
#pragma once

#include <cstddef>

__global__ void lane_counters(const unsigned char* x, std::size_t n, unsigned* counts) {
  __shared__ unsigned table[16][32];
  for (unsigned i = threadIdx.x; i < 16 * 32; i += blockDim.x) table[i / 32][i % 32] = 0;
  __syncthreads();
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd(&table[x[i]][threadIdx.x % 32], 1u);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 16 * 32; i += blockDim.x)
    atomicAdd(counts + i / 32, table[i / 32][i % 32]);
}

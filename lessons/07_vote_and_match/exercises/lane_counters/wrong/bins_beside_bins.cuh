// SPDX-License-Identifier: MIT
// Wrong: a lane's counters lie side by side, so that lanes share banks.
#pragma once

#include <cstddef>

__global__ void lane_counters(const unsigned char* x, std::size_t n, unsigned* counts) {
  __shared__ unsigned table[32][16];
  for (unsigned i = threadIdx.x; i < 16 * 32; i += blockDim.x) table[i / 16][i % 16] = 0;
  __syncthreads();
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd(&table[threadIdx.x % 32][x[i]], 1u);
  __syncthreads();
  if (threadIdx.x < 16) {
    unsigned sum = 0;
    for (unsigned k = 0; k < 32; ++k) sum += table[k][threadIdx.x];
    atomicAdd(counts + threadIdx.x, sum);
  }
}

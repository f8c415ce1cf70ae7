// SPDX-License-Identifier: MIT
// Exercise lane_counters: how often does each of the values 0 to 15 occur?
//
// Launched with one block of 64 threads; counts is 0 before.
#pragma once

#include <cstddef>

__global__ void lane_counters(const unsigned char* x, std::size_t n, unsigned* counts) {
  // TODO: a counter for each lane, so that lanes never meet.
  __shared__ unsigned table[16];
  if (threadIdx.x < 16) table[threadIdx.x] = 0;
  __syncthreads();
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&table[x[i]], 1u);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(counts + threadIdx.x, table[threadIdx.x]);
}

// SPDX-License-Identifier: MIT
// Wrong: right, but it gives up the loads of four.
#pragma once

#include <cstddef>

__global__ void sum_by_fours(const int* x, std::size_t n, int* sum) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  int mine = 0;
  for (std::size_t i = me; i < n; i += threads) mine += x[i];
  for (unsigned distance = 16; distance > 0; distance /= 2)
    mine += __shfl_down_sync(0xffffffffu, mine, distance);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

// SPDX-License-Identifier: MIT
// Wrong: a lane with nobody below gets its own value back and adds it.
#pragma once

#include <cstddef>

constexpr unsigned kAllLanes = 0xffffffffu;

__global__ void row_prefix_sums(const int* x, std::size_t n, int* sums) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  int mine = i < n ? x[i] : 0;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    mine += __shfl_up_sync(kAllLanes, mine, distance);
  }
  if (i < n) sums[i] = mine;
}

// SPDX-License-Identifier: MIT
// Wrong: every lane writes the result, and after the tree only lane 0 has it.
#pragma once

#include <cstddef>

__global__ void warp_sum(const int* x, std::size_t n, int* sum) {
  const unsigned lane = threadIdx.x;
  int mine = 0;
  for (std::size_t i = lane; i < n; i += 32) mine += x[i];
  for (unsigned distance = 16; distance > 0; distance /= 2)
    mine += __shfl_down_sync(0xffffffffu, mine, distance);
  *sum = mine;
}

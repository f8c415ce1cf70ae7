// SPDX-License-Identifier: MIT
// Wrong: off by one step. Distances 8, 4, 2, 1 add up the first 16 lanes.
#pragma once

#include <cstddef>

__global__ void warp_sum(const int* x, std::size_t n, int* sum) {
  const unsigned lane = threadIdx.x;
  int mine = 0;
  for (std::size_t i = lane; i < n; i += 32) mine += x[i];
  for (unsigned distance = 8; distance > 0; distance /= 2)
    mine += __shfl_down_sync(0xffffffffu, mine, distance);
  if (lane == 0) *sum = mine;
}

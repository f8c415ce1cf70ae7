// SPDX-License-Identifier: MIT
// Wrong: off by one step. Distances 8, 4, 2, 1 see the first 16 lanes.
#pragma once

#include <climits>
#include <cstddef>

__global__ void warp_max(const int* x, std::size_t n, int* largest) {
  const unsigned lane = threadIdx.x;
  int mine = INT_MIN;
  for (std::size_t i = lane; i < n; i += 32) mine = max(mine, x[i]);
  for (unsigned distance = 8; distance > 0; distance /= 2)
    mine = max(mine, __shfl_down_sync(0xffffffffu, mine, distance));
  if (lane == 0) *largest = mine;
}

// SPDX-License-Identifier: MIT
// Wrong: right only for multiples of 32. The number of rounds is rounded down.
#pragma once

#include <climits>
#include <cstddef>

__global__ void warp_max(const int* x, std::size_t n, int* largest) {
  const unsigned lane = threadIdx.x;
  int mine = INT_MIN;
  for (std::size_t round = 0; round < n / 32; ++round) mine = max(mine, x[round * 32 + lane]);
  for (unsigned distance = 16; distance > 0; distance /= 2)
    mine = max(mine, __shfl_down_sync(0xffffffffu, mine, distance));
  if (lane == 0) *largest = mine;
}

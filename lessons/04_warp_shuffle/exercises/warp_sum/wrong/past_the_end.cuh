// SPDX-License-Identifier: MIT
// Wrong: the number of rounds is rounded up and the last one is not guarded.
#pragma once

#include <cstddef>

__global__ void warp_sum(const int* x, std::size_t n, int* sum) {
  const unsigned lane = threadIdx.x;
  int mine = 0;
  for (std::size_t round = 0; round < (n + 31) / 32; ++round) mine += x[round * 32 + lane];
  for (unsigned distance = 16; distance > 0; distance /= 2)
    mine += __shfl_down_sync(0xffffffffu, mine, distance);
  if (lane == 0) *sum = mine;
}

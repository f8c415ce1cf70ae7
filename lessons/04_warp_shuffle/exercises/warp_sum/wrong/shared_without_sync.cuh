// SPDX-License-Identifier: MIT
// Wrong: a race. It takes for granted that the lanes of a warp are in step, and has no __syncwarp().
#pragma once

#include <cstddef>

__global__ void warp_sum(const int* x, std::size_t n, int* sum) {
  __shared__ volatile int share[64];
  const unsigned lane = threadIdx.x;
  int mine = 0;
  for (std::size_t i = lane; i < n; i += 32) mine += x[i];
  share[lane] = mine;
  share[lane + 32] = 0;
  for (unsigned distance = 16; distance > 0; distance /= 2)
    share[lane] = share[lane] + share[lane + distance];
  if (lane == 0) *sum = share[0];
}

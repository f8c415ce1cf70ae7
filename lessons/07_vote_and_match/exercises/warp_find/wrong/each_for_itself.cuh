// SPDX-License-Identifier: MIT
// Wrong: a lane that has found it stops alone; the others read on to the end.
#pragma once

#include <cstddef>

__global__ void warp_find(const int* x, std::size_t n, int wanted, unsigned* where) {
  const unsigned lane = threadIdx.x;
  unsigned mine = static_cast<unsigned>(n);
  for (std::size_t i = lane; i < n; i += 32) {
    if (x[i] == wanted) {
      mine = static_cast<unsigned>(i);
      break;
    }
  }
  for (int step = 16; step > 0; step /= 2) {
    const unsigned other = __shfl_xor_sync(0xffffffffu, mine, step);
    if (other < mine) mine = other;
  }
  if (lane == 0) *where = mine;
}

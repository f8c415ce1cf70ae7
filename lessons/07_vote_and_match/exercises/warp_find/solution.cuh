// SPDX-License-Identifier: MIT
// Exercise warp_find: one warp looks for the first element that is equal to `wanted`.
//
// Launched with one block of 32 threads. *where = its index, or n.
#pragma once

#include <cstddef>

__global__ void warp_find(const int* x, std::size_t n, int wanted, unsigned* where) {
  const unsigned lane = threadIdx.x;
  // <solution>
  for (std::size_t base = 0; base < n; base += 32) {
    const bool found = base + lane < n && x[base + lane] == wanted;
    const unsigned finders = __ballot_sync(0xffffffffu, found);
    if (finders != 0) {
      if (lane == 0) *where = static_cast<unsigned>(base) + __ffs(finders) - 1;
      return;
    }
  }
  if (lane == 0) *where = static_cast<unsigned>(n);
  // <starter>
  //| // TODO: stop in the round in which a lane has found it.
  //| unsigned mine = static_cast<unsigned>(n);
  //| for (std::size_t i = lane; i < n; i += 32)
  //|   if (x[i] == wanted && i < mine) mine = static_cast<unsigned>(i);
  //| for (int step = 16; step > 0; step /= 2) {
  //|   const unsigned other = __shfl_xor_sync(0xffffffffu, mine, step);
  //|   if (other < mine) mine = other;
  //| }
  //| if (lane == 0) *where = mine;
  // </solution>
}

// SPDX-License-Identifier: MIT
// Wrong: the lane number has gaps where elements are dropped.
#pragma once

#include <cstddef>

__global__ void warp_compact(const int* x, std::size_t n, int* kept, unsigned* count) {
  const unsigned lane = threadIdx.x;
  unsigned first = 0;
  for (std::size_t base = 0; base < n; base += 32) {
    const bool keep = base + lane < n && x[base + lane] != 0;
    const unsigned takers = __ballot_sync(0xffffffffu, keep);
    if (keep && first + lane < n) kept[first + lane] = x[base + lane];
    first += __popc(takers);
  }
  if (lane == 0) *count = first;
}

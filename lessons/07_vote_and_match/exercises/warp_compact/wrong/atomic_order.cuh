// SPDX-License-Identifier: MIT
// Wrong: an atomic gives places in the order in which lanes come.
#pragma once

#include <cstddef>

__global__ void warp_compact(const int* x, std::size_t n, int* kept, unsigned* count) {
  const unsigned lane = threadIdx.x;
  unsigned first = 0;
  for (std::size_t base = 0; base < n; base += 32) {
    const bool keep = base + lane < n && x[base + lane] != 0;
    if (keep) kept[atomicAdd(count, 1u)] = x[base + lane];
    __syncwarp();
  }
  (void)first;
}

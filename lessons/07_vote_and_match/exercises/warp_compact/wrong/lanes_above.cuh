// SPDX-License-Identifier: MIT
// Wrong: it counts the lanes above: every round comes out backwards.
#pragma once

#include <cstddef>

__global__ void warp_compact(const int* x, std::size_t n, int* kept, unsigned* count) {
  const unsigned lane = threadIdx.x;
  unsigned first = 0;
  for (std::size_t base = 0; base < n; base += 32) {
    const bool keep = base + lane < n && x[base + lane] != 0;
    const unsigned takers = __ballot_sync(0xffffffffu, keep);
    if (keep) kept[first + __popc(takers & ~((2u << lane) - 1))] = x[base + lane];
    first += __popc(takers);
  }
  if (lane == 0) *count = first;
}

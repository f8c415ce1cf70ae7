// SPDX-License-Identifier: MIT
// Wrong: of several finders in one round the highest lane wins.
#pragma once

#include <cstddef>

__global__ void warp_find(const int* x, std::size_t n, int wanted, unsigned* where) {
  const unsigned lane = threadIdx.x;
  for (std::size_t base = 0; base < n; base += 32) {
    const bool found = base + lane < n && x[base + lane] == wanted;
    const unsigned finders = __ballot_sync(0xffffffffu, found);
    if (finders != 0) {
      if (lane == 0) *where = static_cast<unsigned>(base) + 31 - __clz(finders);
      return;
    }
  }
  if (lane == 0) *where = static_cast<unsigned>(n);
}

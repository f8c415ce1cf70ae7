// SPDX-License-Identifier: MIT
// Wrong: what lies behind the last whole row is never looked at.
#pragma once

#include <cstddef>

__global__ void warp_find(const int* x, std::size_t n, int wanted, unsigned* where) {
  const unsigned lane = threadIdx.x;
  for (std::size_t base = 0; base + 32 <= n; base += 32) {
    const unsigned finders = __ballot_sync(0xffffffffu, x[base + lane] == wanted);
    if (finders != 0) {
      if (lane == 0) *where = static_cast<unsigned>(base) + __ffs(finders) - 1;
      return;
    }
  }
  if (lane == 0) *where = static_cast<unsigned>(n);
}

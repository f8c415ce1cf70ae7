// SPDX-License-Identifier: MIT
// Wrong: it stops only when every lane has found it.
#pragma once

#include <cstddef>

__global__ void warp_find(const int* x, std::size_t n, int wanted, unsigned* where) {
  const unsigned lane = threadIdx.x;
  for (std::size_t base = 0; base < n; base += 32) {
    const bool found = base + lane < n && x[base + lane] == wanted;
    if (__all_sync(0xffffffffu, found)) {
      if (lane == 0) *where = static_cast<unsigned>(base);
      return;
    }
  }
  if (lane == 0) *where = static_cast<unsigned>(n);
}

// SPDX-License-Identifier: MIT
// Wrong: value and index in one number is fine, but as unsigned a negative value is a large one.
#pragma once

#include <cstddef>

__global__ void warp_argmax(const int* x, std::size_t n, unsigned* where) {
  const unsigned lane = threadIdx.x;
  unsigned long long best = 0;
  for (std::size_t i = lane; i < n; i += 32) {
    const unsigned long long value = static_cast<unsigned>(x[i]);
    best = max(best, value << 32 | static_cast<unsigned>(~i));
  }
  for (unsigned distance = 16; distance > 0; distance /= 2)
    best = max(best, __shfl_down_sync(0xffffffffu, best, distance));
  if (lane == 0) *where = ~static_cast<unsigned>(best);
}

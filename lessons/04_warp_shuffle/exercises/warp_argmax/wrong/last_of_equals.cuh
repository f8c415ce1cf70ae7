// SPDX-License-Identifier: MIT
// Wrong: of equal elements it takes the one further away.
#pragma once

#include <climits>
#include <cstddef>

__global__ void warp_argmax(const int* x, std::size_t n, unsigned* where) {
  const unsigned lane = threadIdx.x;
  int value = INT_MIN;
  unsigned index = UINT_MAX;
  for (std::size_t i = lane; i < n; i += 32) {
    if (index != UINT_MAX && x[i] <= value) continue;
    value = x[i];
    index = static_cast<unsigned>(i);
  }
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const int other_value = __shfl_down_sync(0xffffffffu, value, distance);
    const unsigned other_index = __shfl_down_sync(0xffffffffu, index, distance);
    if (other_value >= value) {
      value = other_value;
      index = other_index;
    }
  }
  if (lane == 0) *where = index;
}

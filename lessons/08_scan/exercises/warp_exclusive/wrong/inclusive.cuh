// SPDX-License-Identifier: MIT
// Wrong: every sum has its own element in it.
#pragma once

#include <cstddef>

constexpr unsigned kAllLanes = 0xffffffffu;

__global__ void warp_exclusive(const int* x, std::size_t n, int* out) {
  const unsigned lane = threadIdx.x;
  int carry = 0;
  for (std::size_t base = 0; base < n; base += 32) {
    const std::size_t i = base + lane;
    int inclusive = i < n ? x[i] : 0;
    int before = 0;
    for (unsigned distance = 1; distance < 32; distance *= 2) {
      const int left = __shfl_up_sync(kAllLanes, inclusive, distance);
      if (lane >= distance) inclusive += left;
    }
    const int left = __shfl_up_sync(kAllLanes, inclusive, 1);
    before = carry + inclusive;
    carry += __shfl_sync(kAllLanes, inclusive, 31);
    if (i < n) out[i] = before;
  }
}

// SPDX-License-Identifier: MIT
// Exercise warp_exclusive: one warp scans any number of elements.
//
// The kernel is launched as warp_exclusive<<<1, 32>>>(x, n, out). Leave x[0] + ... + x[i - 1] in
// out[i] for each i < n.
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
    // TODO: scan the 32 values with shuffles, so that `before` is the sum of all elements before
    // this lane's, those of earlier stretches included.
    before = carry;
    // TODO: carry along the sum of this stretch.
    if (i < n) out[i] = before;
  }
}

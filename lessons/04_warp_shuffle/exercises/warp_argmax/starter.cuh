// SPDX-License-Identifier: MIT
// Exercise warp_argmax: one warp finds where the largest element is.
//
// The kernel is launched as warp_argmax<<<1, 32>>>(x, n, where), n >= 1. Leave the index of the
// largest element in *where; of several that are equally large, the lowest index.
#pragma once

#include <climits>
#include <cstddef>

constexpr unsigned kAllLanes = 0xffffffffu;

// Does value a at index i win against value b at index j?
__device__ bool wins(int a, unsigned i, int b, unsigned j) {
  // TODO: what if the values are equal?
  return a > b;
}

__global__ void warp_argmax(const int* x, std::size_t n, unsigned* where) {
  const unsigned lane = threadIdx.x;
  int value = INT_MIN;
  unsigned index = UINT_MAX;
  for (std::size_t i = lane; i < n; i += 32) {
    if (!wins(x[i], static_cast<unsigned>(i), value, index)) continue;
    value = x[i];
    index = static_cast<unsigned>(i);
  }
  // TODO: bring the pair that wins, value and index, to lane 0 with shuffles.
  if (lane == 0) *where = index;
}

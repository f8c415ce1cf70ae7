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
  // <solution>
  return a > b || (a == b && i < j);
  // <starter>
  //| // TODO: what if the values are equal?
  //| return a > b;
  // </solution>
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
  // <solution>
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const int other_value = __shfl_down_sync(kAllLanes, value, distance);
    const unsigned other_index = __shfl_down_sync(kAllLanes, index, distance);
    if (!wins(other_value, other_index, value, index)) continue;
    value = other_value;
    index = other_index;
  }
  // <starter>
  //| // TODO: bring the pair that wins, value and index, to lane 0 with shuffles.
  // </solution>
  if (lane == 0) *where = index;
}

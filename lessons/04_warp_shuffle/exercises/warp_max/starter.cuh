// SPDX-License-Identifier: MIT
// Exercise warp_max: one warp finds the largest of any number of elements.
//
// The kernel is launched as warp_max<<<1, 32>>>(x, n, largest). n may be anything, and all elements
// may be negative. Leave the largest of x[0] ... x[n - 1] in *largest, INT_MIN if n is 0.
#pragma once

#include <climits>
#include <cstddef>

constexpr unsigned kAllLanes = 0xffffffffu;

__global__ void warp_max(const int* x, std::size_t n, int* largest) {
  const unsigned lane = threadIdx.x;
  int mine = 0;
  // TODO: let this lane find the largest of its share of x. Is 0 the right beginning?
  // TODO: bring the largest of the 32 shares to lane 0 with shuffles.
  if (lane == 0) *largest = mine;
}

// SPDX-License-Identifier: MIT
// Exercise warp_sum: one warp adds up any number of elements.
//
// The kernel is launched as warp_sum<<<1, 32>>>(x, n, sum). n may be anything, 0 and numbers that
// 32 does not divide included. Leave the sum of x[0] ... x[n - 1] in *sum.
#pragma once

#include <cstddef>

constexpr unsigned kAllLanes = 0xffffffffu;

__global__ void warp_sum(const int* x, std::size_t n, int* sum) {
  const unsigned lane = threadIdx.x;
  int mine = 0;
  // TODO: let this lane add up its share of x, so that every element has exactly one lane.
  if (lane < n) mine = x[lane];
  // TODO: add the 32 shares with shuffles, so that lane 0 has the sum.
  if (lane == 0) *sum = mine;
}

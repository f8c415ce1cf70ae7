// SPDX-License-Identifier: MIT
// Exercise careful_sum: one warp adds up an array, and loses nothing on the way.
//
// Launched with one block of 32 threads. *sum = the float nearest to the exact sum.
#pragma once

#include <cstddef>

__global__ void careful_sum(const float* x, std::size_t n, float* sum) {
  const unsigned lane = threadIdx.x;
  float mine = 0, error = 0;
  // TODO: this is Kahan's sum as it is often written for a warp. What every lane still owes is forgotten
  // when the sums are merged.
  for (std::size_t i = lane; i < n; i += 32) {
    const float corrected = __fsub_rn(x[i], error);
    const float next = __fadd_rn(mine, corrected);
    error = __fsub_rn(__fsub_rn(next, mine), corrected);
    mine = next;
  }
  for (int step = 16; step > 0; step /= 2) {
    const float other = __fsub_rn(__shfl_xor_sync(0xffffffffu, mine, step), error);
    const float next = __fadd_rn(mine, other);
    error = __fsub_rn(__fsub_rn(next, mine), other);
    mine = next;
  }
  if (lane == 0) *sum = mine;
}

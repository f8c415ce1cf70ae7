// SPDX-License-Identifier: MIT
// Wrong: Fast2Sum is exact only if the first number is the larger one.
#pragma once

#include <cstddef>

__global__ void careful_sum(const float* x, std::size_t n, float* sum) {
  const unsigned lane = threadIdx.x;
  float mine = 0, error = 0;
  for (std::size_t i = lane; i < n; i += 32) {
    const float next = __fadd_rn(mine, x[i]);
    error = __fadd_rn(error, __fsub_rn(x[i], __fsub_rn(next, mine)));
    mine = next;
  }
  for (int step = 16; step > 0; step /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, mine, step);
    const float others_error = __shfl_xor_sync(0xffffffffu, error, step);
    const float next = __fadd_rn(mine, other);
    const float there = __fsub_rn(next, mine);
    const float lost = __fsub_rn(other, there);
    error = __fadd_rn(__fadd_rn(error, others_error), lost);
    mine = next;
  }
  if (lane == 0) *sum = __fadd_rn(mine, error);
}

// SPDX-License-Identifier: MIT
// Wrong: errors travel, but what the merge itself loses is dropped.
#pragma once

#include <cstddef>

__global__ void careful_sum(const float* x, std::size_t n, float* sum) {
  const unsigned lane = threadIdx.x;
  float mine = 0, error = 0;
  for (std::size_t i = lane; i < n; i += 32) {
    const float next = __fadd_rn(mine, x[i]);
    const float there = __fsub_rn(next, mine);
    const float lost = __fadd_rn(__fsub_rn(mine, __fsub_rn(next, there)), __fsub_rn(x[i], there));
    error = __fadd_rn(error, lost);
    mine = next;
  }
  for (int step = 16; step > 0; step /= 2) {
    mine = __fadd_rn(mine, __shfl_xor_sync(0xffffffffu, mine, step));
    error = __fadd_rn(error, __shfl_xor_sync(0xffffffffu, error, step));
  }
  if (lane == 0) *sum = __fadd_rn(mine, error);
}

// SPDX-License-Identifier: MIT
// Wrong: nothing is compensated.
#pragma once

#include <cstddef>

__global__ void careful_sum(const float* x, std::size_t n, float* sum) {
  const unsigned lane = threadIdx.x;
  float mine = 0, error = 0;
  for (std::size_t i = lane; i < n; i += 32) mine = __fadd_rn(mine, x[i]);
  for (int step = 16; step > 0; step /= 2)
    mine = __fadd_rn(mine, __shfl_xor_sync(0xffffffffu, mine, step));
  if (lane == 0) *sum = __fadd_rn(mine, error);
}

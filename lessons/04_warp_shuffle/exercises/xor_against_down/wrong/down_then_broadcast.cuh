// SPDX-License-Identifier: MIT
// Wrong: right, but with a sixth shuffle.
#pragma once

#include <cstddef>

__global__ void sum_of_others(const int* x, std::size_t n, int* others) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int mine = i < n ? x[i] : 0;
  int sum = mine;
  for (unsigned distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, distance);
  sum = __shfl_sync(0xffffffffu, sum, 0);
  if (i < n) others[i] = sum - mine;
}

// SPDX-License-Identifier: MIT
// Wrong: two threads that read the same old value lose an addition.
#pragma once

#include <cstddef>

__global__ void sum_all(const int* x, std::size_t n, int* sum) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  int mine = 0;
  for (std::size_t i = me; i < n; i += threads) mine += x[i];
  *sum += mine;
}

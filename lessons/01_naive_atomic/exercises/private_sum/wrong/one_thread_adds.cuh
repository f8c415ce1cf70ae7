// SPDX-License-Identifier: MIT
// Wrong: right, and only one thread works.
#pragma once

#include <cstddef>

__global__ void sum_all(const int* x, std::size_t n, int* sum) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (me != 0 || threads == 0) return;
  int mine = 0;
  for (std::size_t i = 0; i < n; ++i) mine += x[i];
  atomicAdd(sum, mine);
}

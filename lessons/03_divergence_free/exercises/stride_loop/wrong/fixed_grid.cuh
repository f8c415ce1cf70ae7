// SPDX-License-Identifier: MIT
// Wrong: right only for a grid of 512 threads.
#pragma once

#include <cstddef>

__global__ void dot_shares(const int* a, const int* b, std::size_t n, int* shares) {
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  int mine = 0;
  for (std::size_t i = me; i < n; i += 512) mine += a[i] * b[i];
  shares[me] = mine;
}

// SPDX-License-Identifier: MIT
// Wrong: all wait until everybody has written, but nobody waits until his partner has read.
#pragma once

#include <cstddef>

__global__ void row_sums(const int* x, std::size_t n, int* sums) {
  __shared__ int cells[128];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const unsigned me = threadIdx.x;
  cells[me] = i < n ? x[i] : 0;
  __syncwarp();
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    cells[me] += cells[me ^ distance];
    __syncwarp();
  }
  if (i < n) sums[i] = cells[me];
}

// SPDX-License-Identifier: MIT
// Wrong: a fence orders what one thread does; the partner may still be anywhere.
#pragma once

#include <cstddef>

__global__ void row_sums(const int* x, std::size_t n, int* sums) {
  __shared__ int cells[128];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const unsigned me = threadIdx.x;
  cells[me] = i < n ? x[i] : 0;
  __threadfence_block();
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const int other = cells[me ^ distance];
    __threadfence_block();
    cells[me] += other;
    __threadfence_block();
  }
  if (i < n) sums[i] = cells[me];
}

// SPDX-License-Identifier: MIT
// Wrong: right, but one thread reads one element at a time.
#pragma once

#include <cstddef>

__global__ void triple_all(const int* x, std::size_t n, int* out) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (me == 0)
    for (std::size_t i = 0; i < n; ++i) out[i] = 3 * x[i];
}

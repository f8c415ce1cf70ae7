// SPDX-License-Identifier: MIT
// Wrong: the first element is done without a look at n.
#pragma once

#include <cstddef>

__global__ void triple_all(const int* x, std::size_t n, int* out) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  do {
    out[i] = 3 * x[i];
    i += stride;
  } while (i < n);
}

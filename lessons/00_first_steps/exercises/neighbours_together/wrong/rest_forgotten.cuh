// SPDX-License-Identifier: MIT
// Wrong: the elements behind the last whole round are left out.
#pragma once

#include <cstddef>

__global__ void triple_all(const int* x, std::size_t n, int* out) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t k = 0; k < n / threads; ++k) {
    const std::size_t i = k * threads + me;
    out[i] = 3 * x[i];
  }
}

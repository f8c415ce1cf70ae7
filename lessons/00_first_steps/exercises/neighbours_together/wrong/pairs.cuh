// SPDX-License-Identifier: MIT
// Wrong: two elements in a row for each thread: the lanes are still two apart.
#pragma once

#include <cstddef>

__global__ void triple_all(const int* x, std::size_t n, int* out) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t i = 2 * me; i < n; i += 2 * threads) {
    out[i] = 3 * x[i];
    if (i + 1 < n) out[i + 1] = 3 * x[i + 1];
  }
}

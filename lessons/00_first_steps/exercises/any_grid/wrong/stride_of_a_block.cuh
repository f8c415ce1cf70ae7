// SPDX-License-Identifier: MIT
// Wrong: a block does what other blocks do, too.
#pragma once

#include <cstddef>

__global__ void triple_all(const int* x, std::size_t n, int* out) {
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
    out[i] = 3 * x[i];
}

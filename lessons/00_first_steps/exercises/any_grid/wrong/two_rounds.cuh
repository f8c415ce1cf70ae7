// SPDX-License-Identifier: MIT
// Wrong: two elements for each thread are not always enough.
#pragma once

#include <cstddef>

__global__ void triple_all(const int* x, std::size_t n, int* out) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 3 * x[i];
  if (i + stride < n) out[i + stride] = 3 * x[i + stride];
}

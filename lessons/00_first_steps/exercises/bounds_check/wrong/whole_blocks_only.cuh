// SPDX-License-Identifier: MIT
// Wrong: a block that is not full does nothing.
#pragma once

#include <cstddef>

__global__ void triple(int* x, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if ((std::size_t{blockIdx.x} + 1) * blockDim.x <= n) x[i] = 3 * x[i];
}

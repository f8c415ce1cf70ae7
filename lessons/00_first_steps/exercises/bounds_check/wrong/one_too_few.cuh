// SPDX-License-Identifier: MIT
// Wrong: the last element is left out.
#pragma once

#include <cstddef>

__global__ void triple(int* x, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i + 1 < n) x[i] = 3 * x[i];
}

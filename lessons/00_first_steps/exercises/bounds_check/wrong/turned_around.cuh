// SPDX-License-Identifier: MIT
// Wrong: those beyond n leave, but thread n itself stays.
#pragma once

#include <cstddef>

__global__ void triple(int* x, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i > n) return;
  x[i] = 3 * x[i];
}

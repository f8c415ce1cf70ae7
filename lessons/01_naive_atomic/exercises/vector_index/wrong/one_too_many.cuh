// SPDX-License-Identifier: MIT
// Wrong: off by one. Element n is the first that is not there.
#pragma once

#include <cstddef>

__global__ void add(const int* a, const int* b, std::size_t n, int* c) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i <= n) c[i] = a[i] + b[i];
}

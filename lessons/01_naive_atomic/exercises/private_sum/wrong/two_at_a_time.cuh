// SPDX-License-Identifier: MIT
// Wrong: right, but still an atomic for every second element.
#pragma once

#include <cstddef>

__global__ void sum_all(const int* x, std::size_t n, int* sum) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t i = me; i < n; i += 2 * threads)
    atomicAdd(sum, x[i] + (i + threads < n ? x[i + threads] : 0));
}

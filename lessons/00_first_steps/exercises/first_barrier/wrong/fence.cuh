// SPDX-License-Identifier: MIT
// Wrong: a fence orders accesses, and waits for nobody.
#pragma once

#include <cstddef>

__global__ void turn_around(int* x) {
  __shared__ int part[1024];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  part[threadIdx.x] = x[i];
  __threadfence_block();
  x[i] = part[blockDim.x - 1 - threadIdx.x];
}

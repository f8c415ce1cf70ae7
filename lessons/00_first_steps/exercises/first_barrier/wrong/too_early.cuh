// SPDX-License-Identifier: MIT
// Wrong: the barrier stands before the writing.
#pragma once

#include <cstddef>

__global__ void turn_around(int* x) {
  __shared__ int part[1024];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  __syncthreads();
  part[threadIdx.x] = x[i];
  x[i] = part[blockDim.x - 1 - threadIdx.x];
}

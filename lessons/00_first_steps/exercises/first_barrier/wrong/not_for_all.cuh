// SPDX-License-Identifier: MIT
// Wrong: half of the threads do not wait.
#pragma once

#include <cstddef>

__global__ void turn_around(int* x) {
  __shared__ int part[1024];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  part[threadIdx.x] = x[i];
  if (threadIdx.x < blockDim.x / 2) __syncthreads();
  x[i] = part[blockDim.x - 1 - threadIdx.x];
}

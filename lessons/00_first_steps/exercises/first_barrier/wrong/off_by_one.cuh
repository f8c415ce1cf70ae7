// SPDX-License-Identifier: MIT
// Wrong: the last thread's number is one less than the size of the block.
#pragma once

#include <cstddef>

__global__ void turn_around(int* x) {
  __shared__ int part[1024];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  part[threadIdx.x] = x[i];
  __syncthreads();
  x[i] = part[(blockDim.x - threadIdx.x) % blockDim.x];
}

// SPDX-License-Identifier: MIT
// Exercise first_barrier: every block turns its part of the array around.
//
// A block has as many elements as threads, at most 1024. Thread 0 swaps with the last one, and so on.
#pragma once

#include <cstddef>

__global__ void turn_around(int* x) {
  __shared__ int part[1024];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // <solution>
  part[threadIdx.x] = x[i];
  __syncthreads();
  x[i] = part[blockDim.x - 1 - threadIdx.x];
  // <starter>
  //| part[threadIdx.x] = x[i];
  //| // TODO: what this thread reads next, another one must have written. It may not be that far yet.
  //| x[i] = part[blockDim.x - 1 - threadIdx.x];
  // </solution>
}

// SPDX-License-Identifier: MIT
// Exercise one_for_the_block: a sum of squares in one kernel, with one atomic for each block.
//
// Blocks have 256 threads. x has n elements; *sum and *blocks hold anything before.
#pragma once

#include <cstddef>

// The sum of what the threads of the block bring. All threads must call it, and all get the result.
__device__ int block_sum(int mine) {
  __shared__ int s[256];
  s[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  return s[0];
}

__global__ void squares(const int* x, std::size_t n, int* sum, unsigned* blocks) {
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (me == 0) *blocks = gridDim.x;
  int mine = 0;
  for (std::size_t i = me; i < n; i += std::size_t{gridDim.x} * blockDim.x) mine += x[i] * x[i];
  // TODO: let one thread speak for the whole block.
  atomicAdd(sum, mine);
}

// Host code: launches the kernel, with `most` blocks or fewer.
void sum_of_squares(const int* x, std::size_t n, unsigned most, int* sum, unsigned* blocks) {
  // TODO: what must *sum be before the first block adds to it?
  // TODO: at most `most` blocks, and no more than have an element; but one if there is none.
  const auto needed = static_cast<unsigned>((n + 255) / 256);
  squares<<<needed, 256>>>(x, n, sum, blocks);
}

// SPDX-License-Identifier: MIT
// Wrong: the last elements have no block of their own.
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
  const int all = block_sum(mine);
  if (threadIdx.x == 0) atomicAdd(sum, all);
}

// Host code: launches the kernel, with `most` blocks or fewer.
void sum_of_squares(const int* x, std::size_t n, unsigned most, int* sum, unsigned* blocks) {
  cudaMemsetAsync(sum, 0, sizeof(int));
  const std::size_t needed = n < 256 ? 1 : n / 256;
  const unsigned grid = needed < most ? static_cast<unsigned>(needed) : most;
  squares<<<grid, 256>>>(x, n, sum, blocks);
}

// SPDX-License-Identifier: MIT
// The last block adds up: see corpus.cuh.
#pragma once

#include "words.cuh"

__global__ void last_block(int* a, int* b, int) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    b[blockIdx.x] = blockIdx.x;
    __threadfence();
    last = atomicAdd(a, 1) == static_cast<int>(gridDim.x) - 1;
    __threadfence();
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) atomicAdd(a + 1, b[threadIdx.x]);
}
__global__ void last_block_racy(int* a, int* b, int) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    b[blockIdx.x] = blockIdx.x;  // race A
    last = atomicAdd(a, 1) == static_cast<int>(gridDim.x) - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) atomicAdd(a + 1, b[threadIdx.x]);  // race B
}
__global__ void last_block_all_write(int* a, int* b, int) {
  __shared__ bool last;
  b[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(a, 1) == static_cast<int>(gridDim.x) - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last) return;
  int sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x) sum += b[i];
  atomicAdd(a + 1, sum);
}
__global__ void last_block_no_barrier_racy(int* a, int* b, int) {
  __shared__ bool last;
  b[blockIdx.x * blockDim.x + threadIdx.x] = 1;  // race A
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(a, 1) == static_cast<int>(gridDim.x) - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last) return;
  int sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x)
    sum += b[i];  // race B
  atomicAdd(a + 1, sum);
}

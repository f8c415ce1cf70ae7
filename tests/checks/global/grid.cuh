// SPDX-License-Identifier: MIT
// The grid meets: see corpus.cuh.
#pragma once

#include "words.cuh"

__global__ void grid_meets(int* a, int* b, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[i] = i;
  cg::this_grid().sync();
  b[i] = a[n - 1 - i];
}
__global__ void grid_does_not_meet_racy(int* a, int* b, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[i] = i;  // race A
  __syncthreads();
  b[i] = a[n - 1 - i];  // race B
}
__global__ void grid_meets_once_racy(int* a, int* b, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[i] = i;
  cg::this_grid().sync();
  const int other = a[n - 1 - i];  // race A
  a[i] = other + 1;                // race B
  b[i] = other;
}
__global__ void grid_meets_twice(int* a, int* b, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[i] = i;
  cg::this_grid().sync();
  const int other = a[n - 1 - i];
  cg::this_grid().sync();
  a[i] = other + 1;
  b[i] = other;
}
__global__ void own_grid_barrier(int* a, int* b, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[64 + i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(a, 1);
    while (atomicAdd(a, 0) < static_cast<int>(gridDim.x)) {
    }
    __threadfence();
  }
  __syncthreads();
  b[i] = a[64 + n - 1 - i];
}
__global__ void own_grid_barrier_racy(int* a, int* b, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[64 + i] = i;           // race A
  if (threadIdx.x == 0) {  // the others have not been waited for
    __threadfence();
    atomicAdd(a, 1);
    while (atomicAdd(a, 0) < static_cast<int>(gridDim.x)) {
    }
    __threadfence();
  }
  __syncthreads();
  b[i] = a[64 + n - 1 - i];  // race B
}

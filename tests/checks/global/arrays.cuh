// SPDX-License-Identifier: MIT
// One array, read and written: see corpus.cuh.
#pragma once

#include "words.cuh"

__global__ void stencil_in_place_racy(int* a, int*, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) a[i] = a[i + 1] + 1;  // race A B
}
__global__ void stencil(int* a, int* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) b[i] = a[i + 1] + 1;
}
__global__ void same_output_racy(int* a, int*, int) {
  a[threadIdx.x] = blockIdx.x;  // race A B
}
__global__ void own_output(int* a, int*, int) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x;
}
__global__ void edges_overlap_racy(int* a, int*, int) {
  const int i = blockIdx.x * (blockDim.x - 1) + threadIdx.x;  // one column too little
  a[i] = i + blockIdx.x;                                      // race A B
}
__global__ void sum_in_one_kernel_racy(int* a, int* b, int) {
  if (threadIdx.x == 0) b[blockIdx.x] = 1;  // race A
  __syncthreads();
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x < gridDim.x)
    a[threadIdx.x] = b[threadIdx.x];  // race B
}
__global__ void block_exchange_racy(int* a, int* b, int) {
  a[threadIdx.x] = threadIdx.x;          // race A
  b[threadIdx.x] = a[threadIdx.x ^ 32];  // race B
}
__global__ void block_exchange(int* a, int* b, int) {
  a[threadIdx.x] = threadIdx.x;
  __syncthreads();
  b[threadIdx.x] = a[threadIdx.x ^ 32];
}
__global__ void warp_exchange_racy(int* a, int* b, int) {
  a[threadIdx.x] = threadIdx.x;         // race A
  b[threadIdx.x] = a[threadIdx.x ^ 1];  // race B
}
__global__ void warp_exchange(int* a, int* b, int) {
  a[threadIdx.x] = threadIdx.x;
  __syncwarp();
  b[threadIdx.x] = a[threadIdx.x ^ 1];
}
__global__ void bytes_side_by_side(int* a, int*, int) {
  reinterpret_cast<char*>(a)[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
__global__ void parent_read_racy(int* a, int*, int) {
  const int i = (blockIdx.x * 64 + threadIdx.x) % 16;
  if (a[i] == 0) atomicCAS(&a[i], 0, 1);  // race A B
}
__global__ void parent_read(int* a, int*, int) {
  const int i = (blockIdx.x * 64 + threadIdx.x) % 16;
  if (volatile_read(&a[i]) == 0) atomicCAS(&a[i], 0, 1);
}
__global__ void slots_of_a_queue(int* a, int* b, int) { b[atomicAdd(a, 1)] = threadIdx.x; }
__global__ void slots_read_racy(int* a, int* b, int) {
  b[atomicAdd(a, 1)] = threadIdx.x;                      // race A
  if (threadIdx.x == 0 && blockIdx.x == 3) a[1] = b[0];  // race B
}

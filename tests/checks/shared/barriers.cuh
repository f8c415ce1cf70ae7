// SPDX-License-Identifier: MIT
// A barrier is missing between writing and reading: see corpus.cuh.
#pragma once

__global__ void reverse_racy(int* a, int*, int) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;          // race A
  a[threadIdx.x] = s[63 - threadIdx.x];  // race B
}
__global__ void reverse(int* a, int*, int) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  a[threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void tree_racy(int* a, int*, int) {
  __shared__ int s[128];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int step = 64; step > 0; step /= 2) {
    if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];  // race A B
  }
  if (threadIdx.x == 0) a[0] = s[0];
}
__global__ void tree(int* a, int*, int) {
  __shared__ int s[128];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int step = 64; step > 0; step /= 2) {
    if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) a[0] = s[0];
}

__global__ void tree_start_racy(int* a, int*, int) {
  __shared__ int s[128];
  s[threadIdx.x] = threadIdx.x;  // race A
  for (int step = 64; step > 0; step /= 2) {
    if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];  // race B
    __syncthreads();
  }
  if (threadIdx.x == 0) a[0] = s[0];
}

__global__ void barrier_before_racy(int* a, int*, int) {
  __shared__ int s[64];
  __syncthreads();
  s[threadIdx.x] = threadIdx.x;                 // race A
  a[threadIdx.x] = s[(threadIdx.x + 32) % 64];  // race B
  __syncthreads();
}
__global__ void barrier_behind(int* a, int*, int) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  a[threadIdx.x] = s[(threadIdx.x + 32) % 64];
}

__global__ void flag_of_block_racy(int* a, int* b, int) {
  __shared__ int ready;
  if (threadIdx.x == 0) ready = b[0];  // race A
  a[threadIdx.x] = ready;              // race B
}
__global__ void flag_of_block(int* a, int*, int) {
  __shared__ int ready;
  if (threadIdx.x == 0) ready = 7;
  __syncthreads();
  a[threadIdx.x] = ready;
}

__global__ void total_racy(int* a, int*, int) {
  __shared__ int total;
  if (threadIdx.x == blockDim.x - 1) total = threadIdx.x;  // race A
  if (threadIdx.x == 0) a[0] = total;                      // race B
}
__global__ void total(int* a, int*, int) {
  __shared__ int total;
  if (threadIdx.x == blockDim.x - 1) total = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) a[0] = total;
}

__global__ void halo_racy(int* a, int* b, int) {
  __shared__ int s[66];
  s[threadIdx.x + 1] = b[threadIdx.x];                                        // race A
  if (threadIdx.x == 0) s[0] = s[65] = 0;                                     // race C
  a[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 1] + s[threadIdx.x + 2];  // race B
  __syncthreads();
}
__global__ void halo(int* a, int* b, int) {
  __shared__ int s[66];
  s[threadIdx.x + 1] = b[threadIdx.x];
  if (threadIdx.x == 0) s[0] = s[65] = 0;
  __syncthreads();
  a[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 1] + s[threadIdx.x + 2];
}

// SPDX-License-Identifier: MIT
// Counting: see corpus.cuh.
#pragma once

__global__ void bins_plain_racy(int* a, int*, int) {
  __shared__ int bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  bins[threadIdx.x % 4] += 1;  // race A B
  __syncthreads();
  if (threadIdx.x < 4) a[threadIdx.x] = bins[threadIdx.x];
}
__global__ void bins_atomic(int* a, int*, int) {
  __shared__ int bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x % 4], 1);
  __syncthreads();
  if (threadIdx.x < 4) a[threadIdx.x] = bins[threadIdx.x];
}
__global__ void bins_not_zero_yet_racy(int* a, int*, int) {
  __shared__ int bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;  // race A
  atomicAdd(&bins[threadIdx.x % 4], 1);        // race B
  __syncthreads();
  if (threadIdx.x < 4) a[threadIdx.x] = bins[threadIdx.x];
}
__global__ void bins_read_early_racy(int* a, int*, int) {
  __shared__ int bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x % 4], 1);                     // race A
  if (threadIdx.x < 4) a[threadIdx.x] = bins[threadIdx.x];  // race B
}
__global__ void bins_of_block_scope(int* a, int*, int) {
  __shared__ int bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd_block(&bins[threadIdx.x % 4], 1);
  __syncthreads();
  if (threadIdx.x < 4) a[threadIdx.x] = bins[threadIdx.x];
}

__global__ void everybody_writes_racy(int* a, int*, int) {
  __shared__ int who;
  who = threadIdx.x;  // race A B
  __syncthreads();
  a[threadIdx.x] = who;
}
__global__ void one_writes(int* a, int*, int) {
  __shared__ int who;
  if (threadIdx.x == 5) who = threadIdx.x;
  __syncthreads();
  a[threadIdx.x] = who;
}
__global__ void same_value_in_a_warp(int* a, int*, int) {
  __shared__ int seen;
  if (threadIdx.x < 32) seen = 1;
  __syncthreads();
  a[threadIdx.x] = seen;
}

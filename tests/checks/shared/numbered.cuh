// SPDX-License-Identifier: MIT
// Barriers with numbers: see corpus.cuh.
#pragma once

__device__ void named_sync(int id, int threads) {
  asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
__device__ void named_arrive(int id, int threads) {
  asm volatile("barrier.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__global__ void two_numbers_racy(int* a, int*, int) {
  __shared__ int s[128];
  s[threadIdx.x] = threadIdx.x;  // race A
  named_sync(1 + threadIdx.x / 64, 64);
  a[threadIdx.x] = s[127 - threadIdx.x];  // race B
}
__global__ void two_numbers(int* a, int*, int) {
  __shared__ int s[128];
  s[threadIdx.x] = threadIdx.x;
  named_sync(1 + threadIdx.x / 64, 64);
  a[threadIdx.x] = s[threadIdx.x ^ 63];
}
__global__ void one_number(int* a, int*, int) {
  __shared__ int s[128];
  s[threadIdx.x] = threadIdx.x;
  named_sync(3, 128);
  a[threadIdx.x] = s[127 - threadIdx.x];
}
__global__ void consumer_does_not_wait_racy(int* a, int*, int) {
  __shared__ int s[32];
  if (threadIdx.x < 32) {
    s[threadIdx.x] = threadIdx.x;  // race A
    named_sync(1, 64);
  } else {
    named_arrive(1, 64);
    a[threadIdx.x] = s[threadIdx.x - 32];  // race B
  }
}
__global__ void producer_arrives(int* a, int*, int) {
  __shared__ int s[32];
  if (threadIdx.x < 32) {
    s[threadIdx.x] = threadIdx.x;
    named_arrive(1, 64);
  } else {
    named_sync(1, 64);
    a[threadIdx.x] = s[threadIdx.x - 32];
  }
}
__global__ void producer_goes_on_racy(int* a, int*, int) {
  __shared__ int s[32];
  if (threadIdx.x < 32) {
    named_arrive(1, 64);
    s[threadIdx.x] = threadIdx.x;  // race A
  } else {
    named_sync(1, 64);
    a[threadIdx.x] = s[threadIdx.x - 32];  // race B
  }
}
__global__ void vote_of_block(int* a, int*, int) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  const int n = __syncthreads_count(threadIdx.x % 2);
  a[threadIdx.x] = s[63 - threadIdx.x] + n;
}

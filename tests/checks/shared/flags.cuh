// SPDX-License-Identifier: MIT
// Flags in shared memory: see corpus.cuh.
#pragma once

__global__ void volatile_flag_racy(int* a, int* b, int) {
  __shared__ int data;
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = b[1];  // race A
    flag = 1;
  } else if (threadIdx.x == 32) {
    while (flag == 0) {
    }
    a[0] = data;  // race B
  }
}
__global__ void volatile_flag_with_fences(int* a, int* b, int) {
  __shared__ int data;
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = b[1];
    __threadfence_block();
    flag = 1;
  } else if (threadIdx.x == 32) {
    while (flag == 0) {
    }
    __threadfence_block();
    a[0] = data;
  }
}

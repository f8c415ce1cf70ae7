// SPDX-License-Identifier: MIT
// Cp.async: see corpus.cuh.
#pragma once

#include "copying.cuh"

__global__ void copy_not_waited_racy(int* a, int* b, int) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &b[threadIdx.x], 4);  // race A
  __pipeline_commit();
  __syncthreads();
  a[threadIdx.x] = s[63 - threadIdx.x];  // race B
}
__global__ void copy_waited(int* a, int* b, int) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &b[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  a[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void own_copy_not_waited_racy(int* a, int* b, int) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &b[threadIdx.x], 4);  // race A
  __pipeline_commit();
  a[threadIdx.x] = s[threadIdx.x];  // race B
}
__global__ void own_copy_waited(int* a, int* b, int) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &b[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  a[threadIdx.x] = s[threadIdx.x];
}
__global__ void copy_without_barrier_racy(int* a, int* b, int) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &b[threadIdx.x], 4);  // race A
  __pipeline_commit();
  __pipeline_wait_prior(0);
  a[threadIdx.x] = s[63 - threadIdx.x];  // race B
}
__global__ void copy_barrier_first_racy(int* a, int* b, int) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &b[threadIdx.x], 4);  // race A
  __pipeline_commit();
  __syncthreads();
  __pipeline_wait_prior(0);
  a[threadIdx.x] = s[63 - threadIdx.x];  // race B
}
__global__ void waits_for_too_little_racy(int* a, int* b, int) {
  __shared__ int s[2][64];
  for (int k = 0; k < 2; ++k) {
    __pipeline_memcpy_async(&s[k][threadIdx.x], &b[k * 64 + threadIdx.x], 4);  // race A
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  __syncthreads();
  a[threadIdx.x] = s[0][63 - threadIdx.x];
  a[64 + threadIdx.x] = s[1][63 - threadIdx.x];  // race B
}
__global__ void waits_step_by_step(int* a, int* b, int) {
  __shared__ int s[2][64];
  for (int k = 0; k < 2; ++k) {
    __pipeline_memcpy_async(&s[k][threadIdx.x], &b[k * 64 + threadIdx.x], 4);
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  __syncthreads();
  a[threadIdx.x] = s[0][63 - threadIdx.x];
  __pipeline_wait_prior(0);
  __syncthreads();
  a[64 + threadIdx.x] = s[1][63 - threadIdx.x];
}
__global__ void copies_over_readers_racy(int* a, int* b, int) {
  __shared__ int s[64];
  int sum = 0;
  for (int k = 0; k < 3; ++k) {
    __pipeline_memcpy_async(&s[threadIdx.x], &b[k * 64 + threadIdx.x], 4);  // race B
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += s[63 - threadIdx.x];  // race A
  }
  a[threadIdx.x] = sum;
}
__global__ void copies_behind_readers(int* a, int* b, int) {
  __shared__ int s[64];
  int sum = 0;
  for (int k = 0; k < 3; ++k) {
    __pipeline_memcpy_async(&s[threadIdx.x], &b[k * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += s[63 - threadIdx.x];
    __syncthreads();
  }
  a[threadIdx.x] = sum;
}
__global__ void source_changes_racy(int* a, int* b, int) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &b[threadIdx.x], 4);  // race A
  __pipeline_commit();
  b[threadIdx.x] = 1;  // race B
  __pipeline_wait_prior(0);
  a[threadIdx.x] = s[threadIdx.x];
}
__global__ void source_changes_later(int* a, int* b, int) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &b[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  b[threadIdx.x] = 1;
  a[threadIdx.x] = s[threadIdx.x];
}

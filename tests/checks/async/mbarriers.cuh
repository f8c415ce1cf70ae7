// SPDX-License-Identifier: MIT
// Mbarriers: see corpus.cuh.
#pragma once

#include "copying.cuh"

__global__ void mbarrier_without_wait_racy(int* a, int*, int) {
  __shared__ Word bar;
  __shared__ int s[64];
  if (threadIdx.x == 0) make_bar(&bar, 64);
  __syncthreads();
  s[threadIdx.x] = threadIdx.x;  // race A
  arrive(&bar);
  a[threadIdx.x] = s[63 - threadIdx.x];  // race B
}
__global__ void mbarrier_waits(int* a, int*, int) {
  __shared__ Word bar;
  __shared__ int s[64];
  if (threadIdx.x == 0) make_bar(&bar, 64);
  __syncthreads();
  s[threadIdx.x] = threadIdx.x;
  arrive(&bar);
  wait(&bar, 0);
  a[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void mbarrier_second_phase_racy(int* a, int*, int) {
  __shared__ Word bar;
  __shared__ int s[64];
  if (threadIdx.x == 0) make_bar(&bar, 64);
  __syncthreads();
  arrive(&bar);
  wait(&bar, 0);
  s[threadIdx.x] = threadIdx.x;  // race A
  arrive(&bar);
  a[threadIdx.x] = s[63 - threadIdx.x];  // race B
}
__global__ void mbarrier_two_phases(int* a, int*, int) {
  __shared__ Word bar;
  __shared__ int s[64];
  if (threadIdx.x == 0) make_bar(&bar, 64);
  __syncthreads();
  arrive(&bar);
  wait(&bar, 0);
  s[threadIdx.x] = threadIdx.x;
  arrive(&bar);
  wait(&bar, 1);
  a[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void mbarrier_made_late_racy(int* a, int*, int) {
  __shared__ Word bar;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(in_shared(&bar)) : "memory");  // race A
  }
  if (threadIdx.x >= 32) {
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(in_shared(&bar)));  // race B
    a[threadIdx.x] = 1;
  }
}
__global__ void copies_counted(int* a, int* b, int) {
  __shared__ Word bar;
  __shared__ int s[64];
  if (threadIdx.x == 0) make_bar(&bar, 64);
  __syncthreads();
  __pipeline_memcpy_async(&s[threadIdx.x], &b[threadIdx.x], 4);
  copies_arrive(&bar);
  wait(&bar, 0);
  a[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void copies_not_counted_racy(int* a, int* b, int) {
  __shared__ Word bar;
  __shared__ int s[64];
  if (threadIdx.x == 0) make_bar(&bar, 64);
  __syncthreads();
  __pipeline_memcpy_async(&s[threadIdx.x], &b[threadIdx.x], 4);  // race A
  arrive(&bar);
  wait(&bar, 0);
  a[threadIdx.x] = s[63 - threadIdx.x];  // race B
}
__global__ void producer_and_consumer(int* a, int* b, int) {
  __shared__ Word full, empty;
  __shared__ int s[32];
  if (threadIdx.x == 0) {
    make_bar(&full, 32);
    make_bar(&empty, 32);
  }
  __syncthreads();
  for (int k = 0; k < 4; ++k) {
    if (threadIdx.x < 32) {
      if (k > 0) wait(&empty, (k - 1) % 2);
      s[threadIdx.x] = b[k * 32 + threadIdx.x] + k;
      arrive(&full);
    } else {
      wait(&full, k % 2);
      a[k * 32 + threadIdx.x - 32] = s[63 - threadIdx.x];
      arrive(&empty);
    }
  }
}
__global__ void producer_does_not_wait_racy(int* a, int* b, int) {
  __shared__ Word full;
  __shared__ int s[32];
  if (threadIdx.x == 0) make_bar(&full, 32);
  __syncthreads();
  if (threadIdx.x < 32) {
    s[threadIdx.x] = b[threadIdx.x] + 1;
    arrive(&full);
    s[threadIdx.x] = b[32 + threadIdx.x] + 2;  // race A
  } else {
    wait(&full, 0);
    a[threadIdx.x - 32] = s[63 - threadIdx.x];  // race B
  }
}
__global__ void library_barrier(int* a, int*, int) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int s[64];
  if (threadIdx.x == 0) init(&bar, 64);
  __syncthreads();
  s[threadIdx.x] = threadIdx.x;
  bar.arrive_and_wait();
  a[threadIdx.x] = s[63 - threadIdx.x];
}

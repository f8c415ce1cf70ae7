// SPDX-License-Identifier: MIT
// Counters: see corpus.cuh.
#pragma once

#include "words.cuh"

__global__ void counter_racy(int* a, int*, int) {
  *a = *a + 1;  // race A B
}
__global__ void counter(int* a, int*, int) { atomicAdd(a, 1); }

__global__ void counter_read_racy(int* a, int* b, int) {
  atomicAdd(a, 1);                        // race A
  b[blockIdx.x * 64 + threadIdx.x] = *a;  // race B
}
__global__ void counter_read(int* a, int* b, int) {
  atomicAdd(a, 1);
  b[blockIdx.x * 64 + threadIdx.x] = atomicAdd(a, 0);
}
__global__ void counter_of_block_scope_racy(int* a, int*, int) {
  atomicAdd_block(a, 1);  // race A B
}
__global__ void counter_of_block_scope(int* a, int*, int) { atomicAdd_block(a + blockIdx.x, 1); }
__global__ void counter_of_mixed_scope_racy(int* a, int*, int) {
  if (blockIdx.x == 0) {
    atomicAdd_block(a, 1);  // race A
  } else {
    atomicAdd(a, 1);  // race B
  }
}
__global__ void counter_zeroed_racy(int* a, int*, int) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *a = 0;  // race A
  atomicAdd(a, 1);                                  // race B
}
__global__ void guarded_maximum_racy(int* a, int* b, int) {
  const int mine = b[threadIdx.x] + threadIdx.x;
  if (*a < mine) atomicMax(a, mine);  // race A B
}
__global__ void maximum(int* a, int* b, int) {
  const int mine = b[threadIdx.x] + threadIdx.x;
  atomicMax(a, mine);
}
__global__ void guarded_maximum(int* a, int* b, int) {
  const int mine = b[threadIdx.x] + threadIdx.x;
  if (volatile_read(a) < mine) atomicMax(a, mine);
}
__global__ void histogram_racy(int* a, int* b, int) {
  ++a[b[threadIdx.x] + threadIdx.x % 8];  // race A B
}
__global__ void histogram(int* a, int* b, int) {
  atomicAdd(&a[b[threadIdx.x] + threadIdx.x % 8], 1);
}
__global__ void atomic_ref_relaxed(int* a, int*, int) {
  ref<kDevice>(*a).fetch_add(1, cuda::std::memory_order_relaxed);
}
__global__ void atomic_ref_of_block_racy(int* a, int*, int) {
  ref<kBlock>(*a).fetch_add(1, cuda::std::memory_order_relaxed);  // race A B
}

// SPDX-License-Identifier: MIT
// Locks: see corpus.cuh.
#pragma once

#include "words.cuh"

__device__ void lock(int* l) {
  while (atomicCAS(l, 0, 1) != 0) {
  }
}
__device__ void unlock(int* l) { atomicExch(l, 0); }

__global__ void lock_without_fences_racy(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  lock(a);
  a[1] += 1;  // race A B
  unlock(a);
}
__global__ void lock_with_fences(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  lock(a);
  __threadfence();
  a[1] += 1;
  __threadfence();
  unlock(a);
}
__global__ void lock_freed_early_racy(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  lock(a);
  __threadfence();
  const int old = a[1];  // race A
  __threadfence();
  unlock(a);
  a[1] = old + 1;  // race B
}
__global__ void lock_of_block_scope_racy(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  while (atomicCAS_block(a, 0, 1) != 0) {  // race C
  }
  __threadfence();
  a[1] += 1;  // race A B
  __threadfence();
  atomicExch_block(a, 0);  // race C
}
__global__ void lock_freed_plainly_racy(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(a, 0, 1) != 0) {  // race A
  }
  __threadfence();
  a[1] += 1;  // race C
  __threadfence();
  *a = 0;  // race B
}
__global__ void lock_acquire_release(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  const auto word = ref<kDevice>(*a);
  int expected = 0;
  while (!word.compare_exchange_weak(expected, 1, cuda::std::memory_order_acquire)) expected = 0;
  a[1] += 1;
  word.store(0, cuda::std::memory_order_release);
}
__global__ void lock_taken_relaxed_racy(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  const auto word = ref<kDevice>(*a);
  int expected = 0;
  while (!word.compare_exchange_weak(expected, 1, cuda::std::memory_order_relaxed)) expected = 0;
  a[1] += 1;  // race A B
  word.store(0, cuda::std::memory_order_release);
}
__global__ void two_locks_racy(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  int* const mine = a + 8 * (blockIdx.x % 2);
  lock(mine);
  __threadfence();
  a[1] += 1;  // race A B
  __threadfence();
  unlock(mine);
}
__global__ void ticket_lock(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  const int ticket = atomicAdd(a, 1);
  while (atomicAdd(a + 1, 0) != ticket) {
  }
  __threadfence();
  a[2] += 1;
  __threadfence();
  atomicAdd(a + 1, 1);
}
__global__ void lanes_take_a_lock(int* a, int*, int) {
  bool done = false;
  while (!done) {
    if (atomicCAS(a, 0, 1) == 0) {
      __threadfence();
      a[1] += 1;
      __threadfence();
      atomicExch(a, 0);
      done = true;
    }
  }
}

// SPDX-License-Identifier: MIT
// Races that the usual order of the threads hides: whoever waits sees a later word than the one he waits for, and with it
// knows more than he may count on. Another order shows them: see corpus.cuh.
#pragma once

#include "words.cuh"

__device__ void meet_all(int* arrived, int round) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (*reinterpret_cast<volatile int*>(arrived) < round * static_cast<int>(gridDim.x)) {
    }
    __threadfence();
  }
  __syncthreads();
}
// The next round begins before all have read.
__global__ void rounds_that_meet_once_hidden_racy(int* a, int* b, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int round = 1; round <= 3; ++round) {
    a[64 + i] = round;  // race A
    meet_all(a, round);
    b[i] += a[64 + n - 1 - i];  // race B
  }
}
__global__ void rounds_that_meet_twice(int* a, int* b, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int round = 1; round <= 3; ++round) {
    a[64 + i] = round;
    meet_all(a, 2 * round - 1);
    b[i] += a[64 + n - 1 - i];
    meet_all(a, 2 * round);
  }
}

// Whoever reads looks before and after whether somebody writes. What he reads meanwhile must be atomic all the same.
template <class Value>
__device__ void write_counted(int* a, Value&& value) {
  for (int k = 1; k <= 3; ++k) {
    ref<kDevice>(a[0]).fetch_add(1, cuda::memory_order_relaxed);
    __threadfence();
    value(k);
    __threadfence();
    ref<kDevice>(a[0]).fetch_add(1, cuda::memory_order_relaxed);
  }
}
template <class Value>
__device__ void read_counted(int* a, int* b, Value&& value) {
  for (int tries = 0; tries < 50; ++tries) {
    const int before = ref<kDevice>(a[0]).load(cuda::memory_order_acquire);
    const int seen = value();
    __threadfence();
    if (before % 2 == 0 && ref<kDevice>(a[0]).load(cuda::memory_order_relaxed) == before)
      b[0] = seen;
  }
}
__global__ void plain_value_between_counts_hidden_racy(int* a, int* b, int) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    write_counted(a, [&](int k) { a[1] = k; });  // race A
  } else {
    read_counted(a, b, [&] { return a[1]; });  // race B
  }
}
__global__ void atomic_value_between_counts(int* a, int* b, int) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    write_counted(a, [&](int k) { ref<kDevice>(a[1]).store(k, cuda::memory_order_relaxed); });
  } else {
    read_counted(a, b, [&] { return ref<kDevice>(a[1]).load(cuda::memory_order_relaxed); });
  }
}

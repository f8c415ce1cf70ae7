// SPDX-License-Identifier: MIT
// Volatile accesses: to a word that somebody waits for, and to data: see corpus.cuh.
#pragma once

#include "locks.cuh"

#define VOLATILE(p) (*reinterpret_cast<volatile int*>(p))

__global__ void volatile_counter_racy(int* a, int*, int) {
  VOLATILE(a) = VOLATILE(a) + 1;  // race A B
}
__global__ void volatile_look_at_a_counter(int* a, int* b, int) {
  b[blockIdx.x * blockDim.x + threadIdx.x] = VOLATILE(a);
  atomicAdd(a, 1);
}

__global__ void volatile_data_block_fence_racy(int* a, int* b, int) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    VOLATILE(&a[1]) = 7;  // race A
    __threadfence_block();
    atomicExch(a, 1);
  } else {
    while (atomicAdd(a, 0) == 0) {
    }
    __threadfence_block();
    b[2] = VOLATILE(&a[1]);  // race B
  }
}
__global__ void volatile_data_device_fence(int* a, int* b, int) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    VOLATILE(&a[1]) = 7;
    __threadfence();
    atomicExch(a, 1);
  } else {
    while (atomicAdd(a, 0) == 0) {
    }
    __threadfence();
    b[2] = VOLATILE(&a[1]);
  }
}
// No fence behind the flag: a volatile read that comes after one finds at least what was given with the flag.
__global__ void volatile_data_read_behind_flag(int* a, int* b, int) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    VOLATILE(&a[1]) = 7;
    __threadfence();
    atomicExch(a, 1);
  } else {
    while (atomicAdd(a, 0) == 0) {
    }
    b[2] = VOLATILE(&a[1]);
    VOLATILE(&a[1]) = 8;  // behind its own read, so behind what that found
  }
}
__global__ void volatile_data_written_behind_flag_racy(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    VOLATILE(&a[1]) = 7;  // race A
    __threadfence();
    atomicExch(a, 1);
  } else {
    while (atomicAdd(a, 0) == 0) {
    }
    VOLATILE(&a[1]) = 8;  // race B
  }
}

__global__ void volatile_data_under_lock_racy(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  lock(a);
  __threadfence();
  VOLATILE(&a[1]) = blockIdx.x;  // race A B
  unlock(a);
}
__global__ void volatile_data_under_lock(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  lock(a);
  __threadfence();
  VOLATILE(&a[1]) = blockIdx.x;
  __threadfence();
  unlock(a);
}

__global__ void volatile_store_past_lock_racy(int* a, int* b, int) {
  if (threadIdx.x != 0) return;
  lock(a);
  __threadfence();
  b[blockIdx.x] = VOLATILE(&a[1]);  // race A
  __threadfence();
  unlock(a);
  if (blockIdx.x == 0) VOLATILE(&a[1]) = 5;  // race B
}
__global__ void volatile_unlock(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  lock(a);
  __threadfence();
  a[1] += 1;
  __threadfence();
  VOLATILE(a) = 0;
}

__global__ void volatile_store_over_atomic_racy(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    atomicExch(a, 1);  // race A
  } else {
    VOLATILE(a) = 2;  // race B
  }
}
__global__ void volatile_end_of_search(int* a, int* b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n && VOLATILE(a) == 0; i += 64) {
    if (b[i] == 0 && i > 1000) VOLATILE(a) = i;  // any of them will do
  }
}

// The word of the block before is there already, so that nobody goes round the inner loop.
__global__ void volatile_look_back(int* a, int* b, int) {
  using Word = unsigned long long;
  volatile Word* const words = reinterpret_cast<Word*>(a);
  if (threadIdx.x != 0) return;
  unsigned sum = 0;
  for (unsigned t = blockIdx.x; t-- > 0;) {
    Word word = words[t];
    while ((word & 3) == 0) word = words[t];
    sum += static_cast<unsigned>(word >> 32);
    if ((word & 3) == 2) break;
  }
  words[blockIdx.x] = Word{sum + 1} << 32 | (1 + blockIdx.x % 2);
  b[blockIdx.x] = sum;
}

__global__ void volatile_look_back_in_one_loop(int* a, int* b, int) {
  volatile int* const words = a;
  if (threadIdx.x != 0) return;
  int sum = 0;
  for (int look = static_cast<int>(blockIdx.x) - 1; look >= 0;) {
    const int seen = words[look];
    if (seen == 0) continue;
    sum += seen >> 2;
    if ((seen & 3) == 2) break;
    --look;
  }
  words[blockIdx.x] = (sum + 1) << 2 | (1 + blockIdx.x % 2);
  b[blockIdx.x] = sum;
}

__global__ void volatile_between_warps_racy(int* a, int*, int) {
  __shared__ volatile int s;
  if (threadIdx.x == 0) s = 5;      // race A
  if (threadIdx.x == 32) a[0] = s;  // race B
}
__global__ void volatile_between_warps(int* a, int*, int) {
  __shared__ volatile int s;
  if (threadIdx.x == 0) s = 5;
  __syncthreads();
  if (threadIdx.x == 32) a[0] = s;
}

#undef VOLATILE

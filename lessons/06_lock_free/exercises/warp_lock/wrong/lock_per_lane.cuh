// SPDX-License-Identifier: MIT
// Wrong: right, but 32 lanes take the lock one after the other.
#pragma once

#include <cstddef>
#include <cuda/atomic>

struct Account {
  int total;
  int entries;
  int warps;  // how many warps have come: one for each warp that has at least one amount
};
using Lock = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__device__ void take(unsigned* lock) {
  while (Lock(*lock).exchange(1, cuda::memory_order_acquire) != 0) __nanosleep(32);
}

__device__ void release(unsigned* lock) { Lock(*lock).store(0, cuda::memory_order_release); }

__device__ int warp_sum(int mine) {
  for (unsigned distance = 16; distance > 0; distance /= 2)
    mine += __shfl_down_sync(0xffffffffu, mine, distance);
  return mine;  // lane 0 has the sum
}

__global__ void book(const int* amounts, std::size_t n, unsigned* lock, Account* account) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const bool first_lane = threadIdx.x % 32 == 0;
  if (i < n) {
    take(lock);
    account->total += amounts[i];
    account->entries += 1;
    if (first_lane) account->warps += 1;
    release(lock);
  }
}

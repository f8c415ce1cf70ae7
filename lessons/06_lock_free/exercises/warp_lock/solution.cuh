// SPDX-License-Identifier: MIT
// Exercise warp_lock: the warps of a grid keep one account, behind a lock.
//
// Launched with blocks of 64 threads, as many threads as there are amounts, rounded up to blocks.
// *lock is 0 before (free), the account is all 0. Afterwards `total` is the sum of the amounts and
// `entries` their number; the three numbers of the account are never seen half changed.
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

__device__ void release(unsigned* lock) {
  // Only the holder calls this, so a store is enough.
  // <solution>
  Lock(*lock).store(0, cuda::memory_order_release);
  // <starter>
  //| Lock(*lock).store(0, cuda::memory_order_relaxed);
  // </solution>
}

__device__ int warp_sum(int mine) {
  for (unsigned distance = 16; distance > 0; distance /= 2)
    mine += __shfl_down_sync(0xffffffffu, mine, distance);
  return mine;  // lane 0 has the sum
}

__global__ void book(const int* amounts, std::size_t n, unsigned* lock, Account* account) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const bool first_lane = threadIdx.x % 32 == 0;
  // <solution>
  const int total = warp_sum(i < n ? amounts[i] : 0);
  const int entries = warp_sum(i < n ? 1 : 0);
  if (first_lane && entries > 0) {
    take(lock);
    account->total += total;
    account->entries += entries;
    account->warps += 1;
    release(lock);
  }
  // <starter>
  //| // TODO: this hangs. Who holds the lock, and whom does that thread wait for?
  //| // TODO: when it no longer hangs: does the next holder see what the last one wrote?
  //| if (i < n) {
  //|   take(lock);
  //|   const int total = warp_sum(amounts[i]);
  //|   const int entries = warp_sum(1);
  //|   if (first_lane) {
  //|     account->total += total;
  //|     account->entries += entries;
  //|     account->warps += 1;
  //|   }
  //|   release(lock);
  //| }
  // </solution>
}

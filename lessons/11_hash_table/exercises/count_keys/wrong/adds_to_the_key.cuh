// SPDX-License-Identifier: MIT
// Wrong: the one is added to the lower half, which is the key.
#pragma once

using Slot = unsigned long long;
constexpr Slot kNone = ~0ull;

__device__ inline unsigned first_slot(unsigned key, unsigned capacity) {
  return key * 2654435761u % capacity;
}

__device__ void count(Slot* slots, unsigned capacity, unsigned key) {
  constexpr Slot kOne = 1ull << 32;
  unsigned at = first_slot(key, capacity);
  for (;;) {
    const Slot seen = atomicCAS(slots + at, kNone, kOne | key);
    if (seen == kNone) return;
    if (static_cast<unsigned>(seen) == key) {
      atomicAdd(slots + at, 1ull);
      return;
    }
    at = at + 1 < capacity ? at + 1 : 0;
  }
}

__global__ void count_keys(Slot* slots, unsigned capacity, const unsigned* keys, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) count(slots, capacity, keys[i]);
}

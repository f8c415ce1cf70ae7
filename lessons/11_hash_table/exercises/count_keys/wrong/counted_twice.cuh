// SPDX-License-Identifier: MIT
// Wrong: whoever puts the key in adds one as well.
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
    if (seen == kNone || static_cast<unsigned>(seen) == key) {
      atomicAdd(slots + at, kOne);
      return;
    }
    at = at + 1 < capacity ? at + 1 : 0;
  }
}

__global__ void count_keys(Slot* slots, unsigned capacity, const unsigned* keys, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) count(slots, capacity, keys[i]);
}

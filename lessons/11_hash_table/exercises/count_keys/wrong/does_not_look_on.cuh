// SPDX-License-Identifier: MIT
// Wrong: the first slot is taken for the key's, whoever has it.
#pragma once

using Slot = unsigned long long;
constexpr Slot kNone = ~0ull;

__device__ inline unsigned first_slot(unsigned key, unsigned capacity) {
  return key * 2654435761u % capacity;
}

__device__ void count(Slot* slots, unsigned capacity, unsigned key) {
  constexpr Slot kOne = 1ull << 32;
  const unsigned at = first_slot(key, capacity);
  if (atomicCAS(slots + at, kNone, kOne | key) != kNone) atomicAdd(slots + at, kOne);
}

__global__ void count_keys(Slot* slots, unsigned capacity, const unsigned* keys, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) count(slots, capacity, keys[i]);
}

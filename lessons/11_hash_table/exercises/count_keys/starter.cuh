// SPDX-License-Identifier: MIT
// Exercise count_keys: how often does each key occur? A table of counts.
//
// A slot is count << 32 | key; an empty one is kNone. There is room for every key.
#pragma once

using Slot = unsigned long long;
constexpr Slot kNone = ~0ull;

__device__ inline unsigned first_slot(unsigned key, unsigned capacity) {
  return key * 2654435761u % capacity;
}

__device__ void count(Slot* slots, unsigned capacity, unsigned key) {
  constexpr Slot kOne = 1ull << 32;
  // TODO: the first to come puts the key in, the others add one.
  slots[first_slot(key, capacity)] = kOne | key;
}

__global__ void count_keys(Slot* slots, unsigned capacity, const unsigned* keys, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) count(slots, capacity, keys[i]);
}

// SPDX-License-Identifier: MIT
// Exercise insert_pairs: a thread per pair inserts it into a table with linear probing.
//
// A slot is value << 32 | key; an empty one is kNone. Launched with at least n threads.
#pragma once

using Slot = unsigned long long;
constexpr Slot kNone = ~0ull;

enum Outcome : unsigned { kInserted, kPresent, kFull };

// Where the search for a key begins; then come the slots behind it, and after the last the first.
__device__ inline unsigned first_slot(unsigned key, unsigned capacity) {
  return key * 2654435761u % capacity;
}

__device__ unsigned insert(Slot* slots, unsigned capacity, unsigned key, unsigned value) {
  // TODO: look at one slot after the other; take the first that is empty.
  return kFull;
}

__global__ void insert_pairs(Slot* slots, unsigned capacity, const unsigned* keys,
                             const unsigned* values, unsigned n, unsigned* outcomes) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) outcomes[i] = insert(slots, capacity, keys[i], values[i]);
}

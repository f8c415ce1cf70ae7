// SPDX-License-Identifier: MIT
// Wrong: it takes a slot with the key and writes the value later, in another step.
#pragma once

using Slot = unsigned long long;
constexpr Slot kNone = ~0ull;

enum Outcome : unsigned { kInserted, kPresent, kFull };

// Where the search for a key begins; then come the slots behind it, and after the last the first.
__device__ inline unsigned first_slot(unsigned key, unsigned capacity) {
  return key * 2654435761u % capacity;
}

__device__ unsigned insert(Slot* slots, unsigned capacity, unsigned key, unsigned value) {
  const Slot mine = static_cast<Slot>(value) << 32 | key;
  unsigned at = first_slot(key, capacity);
  for (unsigned tried = 0; tried < capacity; ++tried) {
    const Slot seen = atomicCAS(slots + at, kNone, static_cast<Slot>(key));
    if (seen == kNone) return kInserted;
    if (static_cast<unsigned>(seen) == key) {
      slots[at] = mine;
      return kPresent;
    }
    at = at + 1 < capacity ? at + 1 : 0;
  }
  return kFull;
}

__global__ void insert_pairs(Slot* slots, unsigned capacity, const unsigned* keys,
                             const unsigned* values, unsigned n, unsigned* outcomes) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) outcomes[i] = insert(slots, capacity, keys[i], values[i]);
}

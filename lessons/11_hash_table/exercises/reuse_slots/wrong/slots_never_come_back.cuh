// SPDX-License-Identifier: MIT
// Wrong: erased slots are never used again: in the end the table is full of them.
#pragma once

using Slot = unsigned long long;
constexpr Slot kNone = ~0ull, kErased = ~0ull - 1;

enum Outcome : unsigned { kInserted, kPresent, kFull };

__device__ inline unsigned first_slot(unsigned key, unsigned capacity) {
  return key * 2654435761u % capacity;
}
__device__ inline unsigned next_slot(unsigned at, unsigned capacity) {
  return at + 1 < capacity ? at + 1 : 0;
}

// The key's slot, or capacity.
__device__ unsigned slot_of(const Slot* slots, unsigned capacity, unsigned key) {
  unsigned at = first_slot(key, capacity);
  for (unsigned tried = 0; tried < capacity; ++tried, at = next_slot(at, capacity)) {
    if (slots[at] == kNone) return capacity;
    if (static_cast<unsigned>(slots[at]) == key) return at;
  }
  return capacity;
}
__device__ unsigned find(const Slot* slots, unsigned capacity, unsigned key) {
  const unsigned at = slot_of(slots, capacity, key);
  return at < capacity ? static_cast<unsigned>(slots[at] >> 32) : 0xffffffff;
}
__device__ unsigned insert(Slot* slots, unsigned capacity, unsigned key, unsigned value) {
  unsigned at = first_slot(key, capacity);
  for (unsigned tried = 0; tried < capacity; ++tried, at = next_slot(at, capacity)) {
    const Slot seen = slots[at];
    if (static_cast<unsigned>(seen) == key) return kPresent;
    if (seen != kNone) continue;
    slots[at] = static_cast<Slot>(value) << 32 | key;
    return kInserted;
  }
  return kFull;
}
// Whether it was there.
__device__ bool erase(Slot* slots, unsigned capacity, unsigned key) {
  const unsigned at = slot_of(slots, capacity, key);
  if (at == capacity) return false;
  slots[at] = kErased;
  return true;
}

struct Call {
  unsigned what, key, value;  // 0 insert, 1 erase, 2 find
};

// One thread, one call after the other.
__global__ void reuse_slots(Slot* slots, unsigned capacity, const unsigned* calls, unsigned n,
                            unsigned* answers) {
  for (unsigned i = 0; i < n; ++i) {
    const Call call{calls[3 * i], calls[3 * i + 1], calls[3 * i + 2]};
    if (call.what == 0)
      answers[i] = insert(slots, capacity, call.key, call.value);
    else if (call.what == 1)
      answers[i] = erase(slots, capacity, call.key);
    else
      answers[i] = find(slots, capacity, call.key);
  }
}

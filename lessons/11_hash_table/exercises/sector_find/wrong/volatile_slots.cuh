// SPDX-License-Identifier: MIT
// Wrong: all four slots are read each time, one load for each.
#pragma once

using Slot = unsigned long long;
constexpr Slot kNone = ~0ull;

__device__ inline unsigned first_bucket(unsigned key, unsigned buckets) {
  return key * 2654435761u % buckets;
}

__device__ bool find(const Slot* slots, unsigned buckets, unsigned key, unsigned& value) {
  const volatile Slot* const all = slots;
  unsigned bucket = first_bucket(key, buckets);
  for (unsigned tried = 0; tried < buckets; ++tried) {
    const Slot words[4] = {all[bucket * 4], all[bucket * 4 + 1], all[bucket * 4 + 2],
                           all[bucket * 4 + 3]};
    bool room = false;
#pragma unroll
    for (const Slot word : words) {
      if (static_cast<unsigned>(word) == key) {
        value = static_cast<unsigned>(word >> 32);
        return true;
      }
      room |= word == kNone;
    }
    if (room) return false;
    bucket = bucket + 1 < buckets ? bucket + 1 : 0;
  }
  return false;
}

__global__ void sector_find(const Slot* slots, unsigned buckets, const unsigned* keys, unsigned n,
                            unsigned* found) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned value = 0xffffffff;
  found[i] = find(slots, buckets, keys[i], value) ? value : 0xffffffff;
}

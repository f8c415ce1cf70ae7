// SPDX-License-Identifier: MIT
// Wrong: the next bucket is read as well, whether it is needed or not.
#pragma once

using Slot = unsigned long long;
constexpr Slot kNone = ~0ull;

__device__ inline unsigned first_bucket(unsigned key, unsigned buckets) {
  return key * 2654435761u % buckets;
}

__device__ bool find(const Slot* slots, unsigned buckets, unsigned key, unsigned& value) {
  unsigned bucket = first_bucket(key, buckets);
  for (unsigned tried = 0; tried < buckets; ++tried) {
    const auto* const pairs = reinterpret_cast<const ulonglong2*>(slots + bucket * 4);
    const unsigned next = bucket + 1 < buckets ? bucket + 1 : 0;
    const auto* const more = reinterpret_cast<const volatile Slot*>(slots + next * 4);
    const ulonglong2 low = pairs[0], high = pairs[1];
    const Slot words[4] = {low.x, low.y, high.x, high.y};
    const Slot extra[4] = {more[0], more[1], more[2], more[3]};
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
    for (const Slot word : extra) {
      if (static_cast<unsigned>(word) == key) {
        value = static_cast<unsigned>(word >> 32);
        return true;
      }
    }
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

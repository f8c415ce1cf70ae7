// SPDX-License-Identifier: MIT
// Exercise sector_find: a bucket is a sector, and is read as one.
//
// A bucket has four slots, value << 32 | key, aligned to 32 bytes; an empty one is kNone.
#pragma once

using Slot = unsigned long long;
constexpr Slot kNone = ~0ull;

__device__ inline unsigned first_bucket(unsigned key, unsigned buckets) {
  return key * 2654435761u % buckets;
}

__device__ bool find(const Slot* slots, unsigned buckets, unsigned key, unsigned& value) {
  // <solution>
  unsigned bucket = first_bucket(key, buckets);
  for (unsigned tried = 0; tried < buckets; ++tried) {
    const auto* const pairs = reinterpret_cast<const ulonglong2*>(slots + bucket * 4);
    const ulonglong2 low = pairs[0], high = pairs[1];
    const Slot words[4] = {low.x, low.y, high.x, high.y};
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
  // <starter>
  //| // TODO: this is right, and asks for one slot at a time. Read a bucket with two loads.
  //| const unsigned capacity = buckets * 4;
  //| unsigned at = first_bucket(key, buckets) * 4;
  //| for (unsigned tried = 0; tried < capacity; ++tried) {
  //|   const Slot word = slots[at];
  //|   if (static_cast<unsigned>(word) == key) {
  //|     value = static_cast<unsigned>(word >> 32);
  //|     return true;
  //|   }
  //|   if (word == kNone) return false;
  //|   at = at + 1 < capacity ? at + 1 : 0;
  //| }
  //| return false;
  // </solution>
}

__global__ void sector_find(const Slot* slots, unsigned buckets, const unsigned* keys, unsigned n,
                            unsigned* found) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned value = 0xffffffff;
  found[i] = find(slots, buckets, keys[i], value) ? value : 0xffffffff;
}

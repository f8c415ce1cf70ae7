// SPDX-License-Identifier: MIT
// Exercise tile_find: eight lanes look for a key together.
//
// A bucket has eight slots, value << 32 | key; an empty one is kNone. All lanes of the tile call find().
#pragma once

#include <cooperative_groups.h>

namespace cg = cooperative_groups;
using Tile = cg::thread_block_tile<8>;
using Slot = unsigned long long;
constexpr Slot kNone = ~0ull;

__device__ inline unsigned first_bucket(unsigned key, unsigned buckets) {
  return key * 2654435761u % buckets;
}

// True, and the value, for all lanes; or false for all.
__device__ bool find(const Tile& tile, const Slot* slots, unsigned buckets, unsigned key,
                     unsigned& value) {
  // <solution>
  unsigned bucket = first_bucket(key, buckets);
  for (unsigned tried = 0; tried < buckets; ++tried) {
    const Slot mine = slots[bucket * 8 + tile.thread_rank()];
    const unsigned has = tile.ballot(static_cast<unsigned>(mine) == key);
    if (has != 0) {
      value = tile.shfl(static_cast<unsigned>(mine >> 32), __ffs(has) - 1);
      return true;
    }
    if (tile.any(mine == kNone)) return false;
    bucket = bucket + 1 < buckets ? bucket + 1 : 0;
  }
  return false;
  // <starter>
  //| // TODO: each lane looks at one slot of the bucket; then vote.
  //| return false;
  // </solution>
}

// Launched with one block of 64 threads.
__global__ void tile_find(const Slot* slots, unsigned buckets, const unsigned* keys, unsigned n,
                          unsigned* found) {
  const Tile tile = cg::tiled_partition<8>(cg::this_thread_block());
  for (unsigned i = tile.meta_group_rank(); i < n; i += tile.meta_group_size()) {
    unsigned value = 0xffffffff;
    const bool there = find(tile, slots, buckets, keys[i], value);
    if (tile.thread_rank() == i % 8) found[i] = there ? value : 0xffffffff;
  }
}

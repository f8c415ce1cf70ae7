// SPDX-License-Identifier: MIT
// Kernels for many operations at once. What limits them is waiting for a random place of a large memory,
// so a thread may have several keys under way: it asks for the buckets of all before it uses any.
#pragma once

#include <cooperative_groups.h>

#include <cstddef>

#include "lessons/11_hash_table/slots.cuh"

namespace lesson11 {

inline constexpr std::uint32_t kMissing =
    0xffffffff;  // what finds write for a key that is not there

// The kCount elements from `first` on, in one load where they are aligned; `none` behind the n-th.
template <std::uint32_t kCount>
struct Several {
  std::uint32_t of[kCount];

  __device__ Several(const std::uint32_t* in, std::size_t first, std::size_t n,
                     std::uint32_t none) {
    if constexpr (kCount == 4)
      if (first + 4 <= n && reinterpret_cast<std::uintptr_t>(in + first) % 16 == 0) {
        const uint4 v = *reinterpret_cast<const uint4*>(in + first);
        of[0] = v.x, of[1] = v.y, of[2] = v.z, of[3] = v.w;
        return;
      }
    if constexpr (kCount == 2)
      if (first + 2 <= n && reinterpret_cast<std::uintptr_t>(in + first) % 8 == 0) {
        const uint2 v = *reinterpret_cast<const uint2*>(in + first);
        of[0] = v.x, of[1] = v.y;
        return;
      }
#pragma unroll
    for (std::uint32_t k = 0; k < kCount; ++k) of[k] = first + k < n ? in[first + k] : none;
  }
};
__device__ inline std::size_t thread_number() {
  return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
inline unsigned blocks_for(std::size_t n, std::size_t per_block) {
  return static_cast<unsigned>((n + per_block - 1) / per_block);
}

// ---- one key per thread

template <bool kAdd, class Table>
__global__ void put_each(Table table, const std::uint32_t* keys, const std::uint32_t* values,
                         std::size_t n, unsigned* full) {
  const std::size_t i = thread_number();
  if (i >= n) return;
  const Outcome outcome =
      kAdd ? table.insert_or_add(keys[i], values[i]) : table.insert(keys[i], values[i]);
  if (outcome == Outcome::Full) atomicAdd(full, 1u);
}
template <class Table>
__global__ void find_each(Table table, const std::uint32_t* keys, std::size_t n,
                          std::uint32_t* found) {
  const std::size_t i = thread_number();
  if (i >= n) return;
  std::uint32_t value = kMissing;
  table.find(keys[i], value);
  found[i] = value;
}

// ---- a tile per key: each lane brings a key, the tile serves its lanes in turn

// Calls serve(r, key of lane r, this lane's word of that key's first bucket) for each lane r. Up to eight
// first buckets are asked for before any is used; more would not fit into the registers.
template <class Table, class Tile, class Serve>
__device__ void serve_lanes(const Table& table, const Tile& tile, std::uint32_t key, Serve serve) {
  constexpr std::uint32_t kTile = Table::kLanes, kAhead = kTile < 8 ? kTile : 8;
#pragma unroll 1
  for (std::uint32_t from = 0; from < kTile; from += kAhead) {
    Word word[kAhead];
#pragma unroll
    for (std::uint32_t r = 0; r < kAhead; ++r)
      word[r] = table.look(tile, table.probe(tile.shfl(key, from + r)));
#pragma unroll
    for (std::uint32_t r = 0; r < kAhead; ++r) serve(from + r, tile.shfl(key, from + r), word[r]);
  }
}
template <bool kAdd, class Table>
__global__ void put_each_by_tile(Table table, const std::uint32_t* keys,
                                 const std::uint32_t* values, std::size_t n, unsigned* full) {
  namespace cg = cooperative_groups;
  const auto tile = cg::tiled_partition<Table::kLanes>(cg::this_thread_block());
  const std::size_t i = thread_number();
  const std::uint32_t key = i < n ? keys[i] : kNoKey, value = i < n ? values[i] : 0;
  unsigned left_out = 0;
  serve_lanes(table, tile, key, [&](std::uint32_t r, std::uint32_t wanted, Word word) {
    left_out += table.template put<kAdd>(tile, wanted, tile.shfl(value, r), word) == Outcome::Full;
  });
  if (left_out != 0 && tile.thread_rank() == 0) atomicAdd(full, left_out);
}
template <class Table>
__global__ void find_each_by_tile(Table table, const std::uint32_t* keys, std::size_t n,
                                  std::uint32_t* found) {
  namespace cg = cooperative_groups;
  const auto tile = cg::tiled_partition<Table::kLanes>(cg::this_thread_block());
  const std::size_t i = thread_number();
  const std::uint32_t key = i < n ? keys[i] : kNoKey;
  std::uint32_t mine = kMissing;
  serve_lanes(table, tile, key, [&](std::uint32_t r, std::uint32_t wanted, Word word) {
    std::uint32_t value = kMissing;
    table.find(tile, wanted, value, word);
    if (tile.thread_rank() == r) mine = value;
  });
  if (i < n) found[i] = mine;
}

// ---- kCount keys per thread under way at once

// Changed: the thread looks up the first buckets of kCount keys, then exchanges for all, then reads the
//          answers.
// Why:     the waits overlap, within one thread and not only between warps.
// Cost:    registers for kCount buckets.
template <bool kAdd, std::uint32_t kCount, class Table>
__global__ void put_several(Table table, const std::uint32_t* keys, const std::uint32_t* values,
                            std::size_t n, unsigned* full) {
  const std::size_t first = thread_number() * kCount;
  if (first >= n) return;
  const Several<kCount> key(keys, first, n, kNoKey), value(values, first, n, 0);
  typename Table::Bucket words[kCount];
#pragma unroll
  for (std::uint32_t k = 0; k < kCount; ++k) words[k] = table.look(table.probe(key.of[k]));
  Word seen[kCount];
#pragma unroll
  for (std::uint32_t k = 0; k < kCount; ++k) {
    const std::uint32_t place = end_of_search(words[k], key.of[k]);
    seen[k] = kWall;  // no exchange made
    if (refused(key.of[k]) || selected(words[k], place) != kEmpty) continue;
    seen[k] = table.claim(table.probe(key.of[k]), place, pack(key.of[k], value.of[k]));
    update(words[k], place, seen[k]);
  }
#pragma unroll
  for (std::uint32_t k = 0; k < kCount; ++k) {
    if (seen[k] == kEmpty || refused(key.of[k])) continue;  // done
    const Outcome outcome =
        table.template put_from<kAdd>(key.of[k], value.of[k], table.probe(key.of[k]), words[k]);
    if (outcome == Outcome::Full) atomicAdd(full, 1u);
  }
}

// Few keys need a second bucket, but in nearly every warp some lane does. If each of the kCount keys had
// its own loop, the warp would wait once for each: so a lane goes on with whichever of its keys is left.
template <std::uint32_t kCount, class Table>
__global__ void find_several(Table table, const std::uint32_t* keys, std::size_t n,
                             std::uint32_t* found) {
  const std::size_t first = thread_number() * kCount;
  if (first >= n) return;
  const Several<kCount> key(keys, first, n, kNoKey);
  typename Table::Bucket words[kCount];
#pragma unroll
  for (std::uint32_t k = 0; k < kCount; ++k) words[k] = table.look(table.probe(key.of[k]));
  unsigned left = 0;  // bit k: the search for key k goes on
#pragma unroll
  for (std::uint32_t k = 0; k < kCount; ++k) {
    const std::uint32_t place = end_of_search(words[k], key.of[k]);
    std::uint32_t value = kMissing;
    if (place < Table::kSlots)
      Table::take(words[k], place, key.of[k], value);
    else if (!refused(key.of[k]))
      left |= 1u << k;
    if (first + k < n) found[first + k] = value;
  }
  while (left != 0) {
    const std::uint32_t at = __ffs(left) - 1;
    left &= left - 1;
    std::uint32_t wanted = kNoKey;
#pragma unroll
    for (std::uint32_t k = 0; k < kCount; ++k)
      if (k == at) wanted = key.of[k];
    auto probe = table.probe(wanted);
    std::uint32_t value = kMissing;
    for (std::uint32_t steps = table.steps(); --steps > 0;) {
      table.advance(probe);
      const auto bucket = table.look(probe);
      const std::uint32_t place = end_of_search(bucket, wanted);
      if (place == Table::kSlots) continue;
      Table::take(bucket, place, wanted, value);
      break;
    }
    if (value != kMissing) found[first + at] = value;
  }
}

}  // namespace lesson11

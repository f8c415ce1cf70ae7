// SPDX-License-Identifier: MIT
// Kernels for many operations at once. What limits them is waiting for a random place of a large memory,
// so a thread may have several keys under way: it asks for the buckets of all before it uses any.
#pragma once

#include <cooperative_groups.h>

#include <cstddef>
#include <cstring>
#include <cuda/std/type_traits>

#include "lessons/11_hash_table/slots.cuh"

namespace lesson11 {

// What finds write for a key that is not there.
inline constexpr std::uint32_t kMissing = 0xffffffff;

// kCount numbers in registers.
template <std::uint32_t kCount>
struct Several {
  static_assert(kCount == 2 || kCount == 4);
  using Vector = cuda::std::conditional_t<kCount == 2, uint2, uint4>;
  std::uint32_t of[kCount];

  Several() = default;
  // The elements from `first` on, in one load where they are aligned; `none` behind the n-th.
  __device__ Several(const std::uint32_t* in, std::size_t first, std::size_t n,
                     std::uint32_t none) {
    if (whole(in, first, n)) {
      const Vector v = *reinterpret_cast<const Vector*>(in + first);
      memcpy(of, &v, sizeof v);
      return;
    }
#pragma unroll
    for (std::uint32_t k = 0; k < kCount; ++k) of[k] = first + k < n ? in[first + k] : none;
  }
  __device__ void store(std::uint32_t* out, std::size_t first, std::size_t n) const {
    if (whole(out, first, n)) {
      Vector v;
      memcpy(&v, of, sizeof v);
      *reinterpret_cast<Vector*>(out + first) = v;
      return;
    }
#pragma unroll
    for (std::uint32_t k = 0; k < kCount; ++k)
      if (first + k < n) out[first + k] = of[k];
  }
  // of[at] without an address.
  __device__ std::uint32_t at(std::uint32_t at) const {
    std::uint32_t number = 0;
#pragma unroll
    for (std::uint32_t k = 0; k < kCount; ++k)
      if (k == at) number = of[k];
    return number;
  }
  __device__ void set(std::uint32_t at, std::uint32_t number) {
#pragma unroll
    for (std::uint32_t k = 0; k < kCount; ++k)
      if (k == at) of[k] = number;
  }

 private:
  __device__ static bool whole(const std::uint32_t* array, std::size_t first, std::size_t n) {
    return first + kCount <= n &&
           reinterpret_cast<std::uintptr_t>(array + first) % sizeof(Vector) == 0;
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
//
// Few keys need a second bucket, but in nearly every warp some lane does. If each of the kCount keys had
// its own loop, the warp would wait once for each: so a lane goes on with whichever of its keys is left.
template <bool kAdd, std::uint32_t kCount, class Table>
__global__ void put_several(Table table, const std::uint32_t* keys, const std::uint32_t* values,
                            std::size_t n, unsigned* full) {
  const std::size_t first = thread_number() * kCount;
  if (first >= n) return;
  const Several<kCount> key(keys, first, n, kNoKey), value(values, first, n, 0);
  typename Table::Bucket words[kCount];
#pragma unroll
  for (std::uint32_t k = 0; k < kCount; ++k) words[k] = table.look(table.probe(key.of[k]));
  unsigned left = 0, other = 0;  // bit k: key k is not in yet; and not for its first bucket
  Word seen[kCount];
#pragma unroll
  for (std::uint32_t k = 0; k < kCount; ++k) {
    const std::uint32_t place = end_of_search(words[k], key.of[k]);
    seen[k] = place < Table::kSlots ? selected(words[k], place) : kWall;
    if (seen[k] == kEmpty && !refused(key.of[k]))
      seen[k] = table.claim(table.probe(key.of[k]), place, pack(key.of[k], value.of[k]));
    other |= (place == Table::kSlots) << k;
  }
#pragma unroll
  for (std::uint32_t k = 0; k < kCount; ++k) {
    const bool there = !kAdd && key_of(seen[k]) == key.of[k];
    if (seen[k] != kEmpty && !there && !refused(key.of[k])) left |= 1u << k;
  }
  while (left != 0) {
    const std::uint32_t k = __ffs(left) - 1;
    left &= left - 1;
    const std::uint32_t mine = key.at(k);
    auto at = table.probe(mine);
    if (other >> k & 1) table.advance(at);
    if (table.template put_from<kAdd>(mine, value.at(k), at, table.look(at)) == Outcome::Full)
      atomicAdd(full, 1u);
  }
}

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
  Several<kCount> value;
#pragma unroll
  for (std::uint32_t k = 0; k < kCount; ++k) {
    const std::uint32_t place = end_of_search(words[k], key.of[k]);
    value.of[k] = kMissing;
    if (place < Table::kSlots)
      Table::take(words[k], place, key.of[k], value.of[k]);
    else if (!refused(key.of[k]))
      left |= 1u << k;
  }
  while (left != 0) {
    const std::uint32_t k = __ffs(left) - 1;
    left &= left - 1;
    const std::uint32_t mine = key.at(k);
    auto at = table.probe(mine);
    std::uint32_t result = kMissing;
    for (std::uint32_t steps = table.steps(); --steps > 0;) {
      table.advance(at);
      const auto bucket = table.look(at);
      const std::uint32_t place = end_of_search(bucket, mine);
      if (place == Table::kSlots) continue;
      Table::take(bucket, place, mine, result);
      break;
    }
    value.set(k, result);
  }
  value.store(found, first, n);
}

}  // namespace lesson11

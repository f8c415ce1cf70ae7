// SPDX-License-Identifier: MIT
// Kernels that insert or find many keys at once. What limits them is waiting: for a random place of
// a large memory. So every thread asks for the first buckets of several keys before it uses any.
#pragma once

#include <cooperative_groups.h>

#include <cuda/std/cstddef>
#include <cuda/std/cstdint>

#include "lessons/06_lock_free/hash_map.cuh"

namespace lesson06 {

// The keys of one thread: kInFlight of them, far apart, so that a warp reads neighbours. Behind the
// last key there is kNoKey, which every operation refuses.
template <std::uint32_t kInFlight>
struct Batch {
  __device__ Batch(const std::uint32_t* keys, std::size_t n)
      : step(std::size_t{gridDim.x} * blockDim.x),
        first(std::size_t{blockIdx.x} * blockDim.x + threadIdx.x),
        size(n) {
#pragma unroll
    for (std::uint32_t k = 0; k < kInFlight; ++k)
      key[k] = at(k) < n ? keys[at(k)] : HashMap<>::kNoKey;
  }
  __device__ std::size_t at(std::uint32_t k) const { return first + k * step; }
  __device__ bool has(std::uint32_t k) const { return at(k) < size; }

  std::uint32_t key[kInFlight];
  std::size_t step, first, size;
};
// How many blocks `n` keys need.
template <std::uint32_t kInFlight>
unsigned blocks_for(std::size_t n, unsigned block) {
  return static_cast<unsigned>((n + std::size_t{block} * kInFlight - 1) / (block * kInFlight));
}

// Adds up over the warp first: one addition per warp to the hot word.
__device__ inline void count_up(unsigned mine, unsigned long long* total) {
  const unsigned sum = __reduce_add_sync(0xffffffff, mine);
  if (threadIdx.x % 32 == 0 && sum != 0) atomicAdd(total, sum);
}

// One thread per key. Blocks of whole warps. `inserted` counts those that were Inserted.
template <std::uint32_t kInFlight, class Map>
__global__ void insert_keys(Map map, const std::uint32_t* keys, const std::uint32_t* values,
                            std::size_t n, unsigned long long* inserted) {
  const Batch<kInFlight> batch(keys, n);
  typename Map::First first[kInFlight];
#pragma unroll
  for (std::uint32_t k = 0; k < kInFlight; ++k) first[k] = map.look(batch.key[k]);
  unsigned count = 0;
#pragma unroll
  for (std::uint32_t k = 0; k < kInFlight; ++k)
    count += map.insert(batch.key[k], batch.has(k) ? values[batch.at(k)] : 0, first[k]) ==
             Insert::Inserted;
  count_up(count, inserted);
}

// values[i] becomes the value of keys[i], or kDead where there is none.
template <std::uint32_t kInFlight, class Map>
__global__ void find_keys(Map map, const std::uint32_t* keys, std::uint32_t* values,
                          std::size_t n) {
  const Batch<kInFlight> batch(keys, n);
  typename Map::First first[kInFlight];
#pragma unroll
  for (std::uint32_t k = 0; k < kInFlight; ++k) first[k] = map.look(batch.key[k]);
#pragma unroll
  for (std::uint32_t k = 0; k < kInFlight; ++k) {
    std::uint32_t value = Map::kDead;
    map.find(batch.key[k], value, first[k]);
    if (batch.has(k)) values[batch.at(k)] = value;
  }
}

// A tile of kTile lanes per key. Each lane brings a key; the tile serves its lanes in turn, with
// the first buckets of all of them (and kInFlight such sets) asked for at once.
template <std::uint32_t kTile, std::uint32_t kInFlight, class Map>
__global__ void insert_keys_tile(Map map, const std::uint32_t* keys, const std::uint32_t* values,
                                 std::size_t n, unsigned long long* inserted) {
  namespace cg = cooperative_groups;
  const auto tile = cg::tiled_partition<kTile>(cg::this_thread_block());
  const Batch<kInFlight> batch(keys, n);
  typename Map::First first[kInFlight][kTile];
  std::uint32_t value[kInFlight];
#pragma unroll
  for (std::uint32_t k = 0; k < kInFlight; ++k) {
    value[k] = batch.has(k) ? values[batch.at(k)] : 0;
#pragma unroll
    for (std::uint32_t r = 0; r < kTile; ++r)
      first[k][r] = map.look(tile, tile.shfl(batch.key[k], r));
  }
  unsigned count = 0;
#pragma unroll
  for (std::uint32_t k = 0; k < kInFlight; ++k)
#pragma unroll
    for (std::uint32_t r = 0; r < kTile; ++r) {
      const Insert result =
          map.insert(tile, tile.shfl(batch.key[k], r), tile.shfl(value[k], r), first[k][r]);
      count += tile.thread_rank() == r && result == Insert::Inserted;
    }
  count_up(count, inserted);
}

template <std::uint32_t kTile, std::uint32_t kInFlight, class Map>
__global__ void find_keys_tile(Map map, const std::uint32_t* keys, std::uint32_t* values,
                               std::size_t n) {
  namespace cg = cooperative_groups;
  const auto tile = cg::tiled_partition<kTile>(cg::this_thread_block());
  const Batch<kInFlight> batch(keys, n);
  typename Map::First first[kInFlight][kTile];
#pragma unroll
  for (std::uint32_t k = 0; k < kInFlight; ++k)
#pragma unroll
    for (std::uint32_t r = 0; r < kTile; ++r)
      first[k][r] = map.look(tile, tile.shfl(batch.key[k], r));
#pragma unroll
  for (std::uint32_t k = 0; k < kInFlight; ++k) {
    std::uint32_t mine = Map::kDead;
#pragma unroll
    for (std::uint32_t r = 0; r < kTile; ++r) {
      std::uint32_t value = Map::kDead;
      map.find(tile, tile.shfl(batch.key[k], r), value, first[k][r]);
      if (tile.thread_rank() == r) mine = value;
    }
    if (batch.has(k)) values[batch.at(k)] = mine;
  }
}

}  // namespace lesson06

// SPDX-License-Identifier: MIT
// Who does one operation of a hash map: a thread, or a tile of lanes. With a Worker, one kernel
// exercises and measures maps of both kinds. Also: keys that are all different.
#pragma once

#include <cooperative_groups.h>

#include <cstdint>

#include "lessons/06_lock_free/hash_map.cuh"

namespace lesson06 {

template <class Map>
struct Worker {
  static constexpr std::uint32_t kLanes = 1;
  __device__ bool leads() const { return true; }
  __device__ Insert insert(Map& map, std::uint32_t key, std::uint32_t value) const {
    return map.insert(key, value);
  }
  __device__ bool find(Map& map, std::uint32_t key, std::uint32_t& value) const {
    return map.find(key, value);
  }
  __device__ bool erase(Map& map, std::uint32_t key) const { return map.erase(key); }
  __device__ auto look(Map& map, std::uint32_t key) const { return map.look(key); }
  template <class First>
  __device__ Insert insert(Map& map, std::uint32_t key, std::uint32_t value, const First& f) const {
    return map.insert(key, value, f);
  }
  template <class First>
  __device__ bool find(Map& map, std::uint32_t key, std::uint32_t& value, const First& f) const {
    return map.find(key, value, f);
  }
};

template <class Orders, std::uint32_t kTile, std::uint32_t kPerLane>
struct Worker<TileHashMap<Orders, kTile, kPerLane>> {
  using Map = TileHashMap<Orders, kTile, kPerLane>;
  static constexpr std::uint32_t kLanes = kTile;
  typename Map::Tile tile =
      cooperative_groups::tiled_partition<kTile>(cooperative_groups::this_thread_block());

  __device__ bool leads() const { return tile.thread_rank() == 0; }
  __device__ Insert insert(Map& map, std::uint32_t key, std::uint32_t value) const {
    return map.insert(tile, key, value);
  }
  __device__ bool find(Map& map, std::uint32_t key, std::uint32_t& value) const {
    return map.find(tile, key, value);
  }
  __device__ bool erase(Map& map, std::uint32_t key) const { return map.erase(tile, key); }
  __device__ auto look(Map& map, std::uint32_t key) const { return map.look(tile, key); }
  template <class First>
  __device__ Insert insert(Map& map, std::uint32_t key, std::uint32_t value, const First& f) const {
    return map.insert(tile, key, value, f);
  }
  template <class First>
  __device__ bool find(Map& map, std::uint32_t key, std::uint32_t& value, const First& f) const {
    return map.find(tile, key, value, f);
  }
};

// Key number i: different for every i below 2^31, never one that a map refuses, and not in order.
// Every step can be undone, so no two numbers meet.
__host__ __device__ inline std::uint32_t key_number(std::uint32_t i) {
  constexpr std::uint32_t kMask = 0x7fffffff;
  std::uint32_t x = i & kMask;
  x = (x ^ x >> 15) * 0x2c1b3c6du & kMask;
  x = (x ^ x >> 12) * 0x297a2d39u & kMask;
  return x ^ x >> 15;
}

}  // namespace lesson06

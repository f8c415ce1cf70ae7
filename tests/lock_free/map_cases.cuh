// SPDX-License-Identifier: MIT
#pragma once

#include <cooperative_groups.h>

#include "lessons/06_lock_free/hash_map.cuh"
#include "lessons/06_lock_free/locked.cuh"
#include "lock_free/weaken.cuh"

namespace lock_free::maps {

using namespace lesson06;

LOCK_FREE_WEAKENED(Scope, MapOrders, kScope, kBlock);

// A tile of lanes for each key: a map whose calls know their tile.
template <class Orders, std::uint32_t kTile>
struct Tiled {
  using Map = TileHashMap<Orders, kTile>;
  Map map;

  static std::size_t bytes(std::uint32_t capacity) { return Map::bytes(capacity); }
  Tiled(void* memory, std::uint32_t capacity) : map(memory, capacity) {}
  __device__ static auto tile() {
    return cooperative_groups::tiled_partition<kTile>(cooperative_groups::this_thread_block());
  }
  __device__ void reset(std::uint32_t i, std::uint32_t n) { map.reset(i, n); }
  __device__ Insert insert(std::uint32_t key, std::uint32_t value) {
    return map.insert(tile(), key, value);
  }
  __device__ bool find(std::uint32_t key, std::uint32_t& value) {
    return map.find(tile(), key, value);
  }
  __device__ bool erase(std::uint32_t key) { return map.erase(tile(), key); }
};

template <class Orders>
using Tile4 = MapSubject<Tiled<Orders, 4>, 4>;

constexpr const char* kOneWord =
    "an atomic is whole in memory whatever its scope, and with one word for a key and its value "
    "there "
    "is nothing that a load could see too late";

template <class Sequential>
using Behind = Locked<TicketLock<>, Sequential>;
template <class Sequential>
using WarpBehind = WarpLocked<BackoffLock<>, Sequential>;

inline void add_all(std::vector<Case>& cases) {
  cases.push_back(right<MapSubject<HashMap<>>>("map_thread", Shape::Map));
  cases.push_back(
      unseen<MapSubject<HashMap<Scope>>>("map_thread.kScope=block", Shape::Map, false, kOneWord));
  cases.push_back(right<Tile4<MapOrders>>("map_tile", Shape::Map));
  cases.push_back(unseen<Tile4<Scope>>("map_tile.kScope=block", Shape::Map, false, kOneWord));
  cases.push_back(right<ContainerSubject<Behind<SequentialStack>>>("locked_stack", Shape::Stack));
  cases.push_back(right<ContainerSubject<Behind<SequentialRing>>>("locked_queue", Shape::Queue));
  cases.push_back(right<MapSubject<Behind<SequentialMap>>>("locked_map", Shape::Map));
  cases.push_back(
      right<ContainerSubject<WarpBehind<SequentialStack>>>("locked_stack_warp", Shape::Stack));
  cases.push_back(
      right<ContainerSubject<WarpBehind<SequentialRing>>>("locked_queue_warp", Shape::Queue));
  cases.push_back(right<MapSubject<WarpBehind<SequentialMap>>>("locked_map_warp", Shape::Map));
}

}  // namespace lock_free::maps

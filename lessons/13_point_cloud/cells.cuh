// SPDX-License-Identifier: MIT
// Space cut into cubes, and a hash table of those that hold points. What the rungs with a grid share.
//
// Two sizes of cells. A wide one has an edge of eps: what is near a point lies in its cell or in one of the
// 26 around it. A small one has a diagonal of eps: all points of a cell are near each other, and what else
// is near lies at most two cells away.
#pragma once

#include <cstdint>
#include <cuda/atomic>

#include "common/irregular/clusters.hpp"
#include "lessons/07_vote_and_match/lanes.cuh"
#include "lessons/11_hash_table/hash.cuh"

namespace lesson13 {

using course::Clustering;
using course::is_near;
using course::kNoise;
using lesson07::kAllLanes;
using lesson07::kWarp;
using lesson07::lane;

// A usable coordinate is less than 2^14 eps from 0, so a cell has a number below 2^15 on each axis, and a
// product with per_metre is wrong by less than 2^-9 of a cell. The hundredths below are more than that.
struct WideCells {
  static constexpr int kReach = 1;
  static float per_metre(float eps) { return (1 - 1.0f / 64) / eps; }
};
struct SmallCells {
  static constexpr int kReach = 2;
  static float per_metre(float eps) { return 1.7320508f * (1 + 1.0f / 128) / eps; }
};

using Key = unsigned long long;  // the numbers of a cell, 16 bits each: x, y, z from the top
inline constexpr Key kNoCell = ~Key{0};
inline constexpr std::uint32_t kNowhere = 0xffffffff;

// A key as far away as these steps along the axes; no number overflows.
__device__ constexpr Key step(int x, int y, int z) {
  return static_cast<Key>((static_cast<long long>(x) << 32) + (static_cast<long long>(y) << 16) +
                          z);
}
__device__ inline Key cell_of(float4 p, float per_metre) {
  const auto number = [=](float v) { return __float2int_rd(v * per_metre) + 32768; };
  return step(number(p.x), number(p.y), number(p.z));
}

// Open addressing, at most half full. Four cells on top of each other have neighbouring slots: 32 bytes,
// which memory moves together.
struct CellTable {
  Key* keys;
  std::uint32_t capacity;  // a multiple of 4

  __device__ std::uint32_t home(Key key) const {
    const auto hash = static_cast<std::uint32_t>(lesson11::mix(std::uint64_t{key >> 2}) >> 32);
    return 4 * lesson11::scaled(hash, capacity / 4) + static_cast<std::uint32_t>(key % 4);
  }
  __device__ std::uint32_t after(std::uint32_t slot) const {
    return slot + 1 < capacity ? slot + 1 : 0;
  }
  // While nobody inserts.
  __device__ std::uint32_t find(Key key) const {
    for (std::uint32_t slot = home(key);; slot = after(slot)) {
      const Key there = keys[slot];
      if (there == key) return slot;
      if (there == kNoCell) return kNowhere;
    }
  }
  // The slot of a key, which is there from now on.
  __device__ std::uint32_t insert(Key key) const {
    for (std::uint32_t slot = home(key);; slot = after(slot)) {
      cuda::atomic_ref<Key, cuda::thread_scope_device> word(keys[slot]);
      Key there = word.load(cuda::memory_order_relaxed);
      if (there == kNoCell && word.compare_exchange_strong(there, key, cuda::memory_order_relaxed))
        return slot;
      if (there == key) return slot;
    }
  }
};

// The memory of one clustering. By slot of the table: keys, counts, starts, firsts, boxes. By point of the
// input: places, parents, core. The rest says itself.
struct Grid {
  const float4* points;
  std::uint32_t n;
  float eps, per_metre;
  unsigned min_points;
  std::uint32_t* labels;
  CellTable table;
  std::uint32_t* counts;        // how many points a cell has
  std::uint32_t* starts;        // where they begin in `sorted`
  std::uint32_t* firsts;        // the smallest index of a point of the cell; later: of a core point
  int* boxes;                   // around its core points: three lowest, three highest, see box.cuh
  uint2* places;                // the slot of a point's cell, and which of its points it is
  float4* sorted;               // points by cell; w: the index of the point
  uint2* pieces;                // the slot of a cell, and which piece of it
  unsigned long long* cursors;  // how many points << 32 | pieces there are
  std::uint32_t* parents;       // union_find.cuh; while labels go around, the labels
  std::uint8_t* core;
  std::uint32_t* flags;

  __device__ std::uint32_t piece_count() const { return static_cast<std::uint32_t>(*cursors); }
};

// Who this thread is among all of the grid, and how many there are.
__device__ inline std::uint32_t thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ inline std::uint32_t thread_count() { return gridDim.x * blockDim.x; }

// Parts of the room, one after the other.
class Room {
 public:
  Room(std::byte* from, std::size_t bytes) : at_(from), end_(from + bytes) {}
  template <class T>
  T* take(std::size_t count) {
    T* const here = reinterpret_cast<T*>(at_);
    at_ += (count * sizeof(T) + 255) / 256 * 256;
    if (at_ > end_) throw std::logic_error("lesson 13: the room for clusters is too small");
    return here;
  }

 private:
  std::byte *at_, *end_;
};

template <class Cells>
Grid make_grid(const Clustering& c) {
  const auto n = static_cast<std::uint32_t>(c.n);
  Grid g{c.points, n, c.eps, Cells::per_metre(c.eps), c.min_points, c.labels};
  Room room(c.room, c.room_bytes);
  g.table.capacity = (n < 8 ? 16 : 2 * n + 3) / 4 * 4;
  const std::uint32_t slots = g.table.capacity;
  g.table.keys = room.take<Key>(slots);
  g.counts = room.take<std::uint32_t>(slots);
  g.starts = room.take<std::uint32_t>(slots);
  g.firsts = room.take<std::uint32_t>(slots);
  g.boxes = room.take<int>(std::size_t{6} * slots);
  g.places = room.take<uint2>(n);
  g.sorted = room.take<float4>(n);
  g.pieces = room.take<uint2>(n + n / kWarp + 1);
  g.cursors = room.take<unsigned long long>(1);
  g.parents = room.take<std::uint32_t>(n);
  g.core = room.take<std::uint8_t>(n);
  g.flags = room.take<std::uint32_t>(64);
  return g;
}

}  // namespace lesson13

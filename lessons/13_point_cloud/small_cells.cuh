// SPDX-License-Identifier: MIT
// DBSCAN on small cells. All points of a cell are near each other, so
//   - a cell with min_points points or more has nothing but core points: no distance is computed,
//   - all core points of a cell are of one cluster: the forest connects cells, not points. A cell stands
//     in it as the smallest index of its core points.
// A warp takes a piece of a cell. Three phases, for a kernel each or for one kernel of all.
#pragma once

#include "lessons/13_point_cloud/around.cuh"
#include "lessons/13_point_cloud/box.cuh"
#include "lessons/13_point_cloud/sort_by_cell.cuh"
#include "lessons/13_point_cloud/union_find.cuh"

namespace lesson13 {

constexpr unsigned kPieceOfSmall = 512;
constexpr float4 kNoPoint{NAN, NAN, NAN, 0};  // near nobody

// A piece of a cell, and what belongs to its warp.
struct Piece {
  std::uint32_t slot, number, start, count;
  Key key;
  __device__ Piece(const Grid& g, std::uint32_t i)
      : slot(g.pieces[i].x),
        number(g.pieces[i].y),
        start(g.starts[slot]),
        count(g.counts[slot]),
        key(g.table.keys[slot]) {}
  __device__ bool dense(const Grid& g) const { return count >= g.min_points; }
  // Its part of the cell's points.
  __device__ std::uint32_t begin() const { return start + number * kPieceOfSmall; }
  __device__ std::uint32_t end() const { return min(start + count, begin() + kPieceOfSmall); }
};
__device__ inline bool is_core(const Grid& g, std::uint32_t slot, std::uint32_t at) {
  return g.counts[slot] >= g.min_points || g.core[at];
}

__device__ inline float4 of_lane(float4 p, int who) {
  return {__shfl_sync(kAllLanes, p.x, who), __shfl_sync(kAllLanes, p.y, who),
          __shfl_sync(kAllLanes, p.z, who), 0};
}
// Adds how many points near each lane's point the listed cells have: one lane's point after the other is
// compared with 32 of theirs. Ends when all have enough.
__device__ inline void count_near(const Grid& g, const Listed& listed, int cells, float4 p,
                                  bool there, unsigned& count) {
  unsigned open = 0;
  const auto go_on = [&] {
    return (open = __ballot_sync(kAllLanes, there && count < g.min_points)) != 0;
  };
  each_listed(g, listed, cells, go_on, [&](std::uint32_t, std::uint32_t, float4 q) {
    for (unsigned left = open; left != 0; left &= left - 1) {
      const int who = __ffs(static_cast<int>(left)) - 1;
      const unsigned near = __ballot_sync(kAllLanes, is_near(of_lane(p, who), q, g.eps));
      if (lane() == static_cast<unsigned>(who)) count += __popc(near);
    }
  });
}

// The core points of a cell with few points.
__device__ inline void find_core_in(const Grid& g, const Piece& piece, Listed& listed) {
  std::uint32_t first = kNoise;
  Box box;
  for (std::uint32_t k = lane(); k - lane() < piece.count; k += kWarp) {
    const bool there = k < piece.count;
    const float4 p = there ? g.sorted[piece.start + k] : kNoPoint;
    unsigned count = piece.count;
    Box mine;
    if (there) mine.add(p);
    mine = mine.of_warp();
    for (const Ring ring : {Ring::Adjacent, Ring::Outer}) {
      if (!__any_sync(kAllLanes, there && count < g.min_points)) break;
      const int cells =
          list_ring(g, piece.key, mine, ring, listed, [](std::uint32_t) { return true; });
      count_near(g, listed, cells, p, there, count);
    }
    if (!there) continue;
    const bool core = count >= g.min_points;
    g.core[piece.start + k] = core;
    if (core) first = min(first, __float_as_uint(p.w)), box.add(p);
  }
  for (unsigned d = kWarp / 2; d > 0; d /= 2)
    first = min(first, __shfl_xor_sync(kAllLanes, first, d));
  if (lane() == 0) {
    g.firsts[piece.slot] = first;
    if (first != kNoise) g.parents[first] = first;
  }
  box.merge_into(g.boxes + 6 * std::size_t{piece.slot});
}

__device__ inline void find_core_cells(const Grid& g, Listed& listed) {
  const std::uint32_t warps = thread_count() / kWarp, pieces = g.piece_count();
  for (std::uint32_t i = thread_number() / kWarp; i < pieces; i += warps) {
    const Piece piece(g, i);
    if (!piece.dense(g)) {
      if (piece.number == 0) find_core_in(g, piece, listed);
      continue;
    }
    Box box;
    for (std::uint32_t k = piece.begin() + lane(); k < piece.end(); k += kWarp)
      box.add(g.sorted[k]);
    box.merge_into(g.boxes + 6 * std::size_t{piece.slot});
    if (piece.number == 0 && lane() == 0) {
      const std::uint32_t first = g.firsts[piece.slot];
      g.parents[first] = first;
    }
  }
}

}  // namespace lesson13

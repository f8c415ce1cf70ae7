// SPDX-License-Identifier: MIT
// The second and third phase on small cells: which cells are connected, and the labels.
#pragma once

#include "lessons/13_point_cloud/small_cells.cuh"

namespace lesson13 {

__device__ inline Box box_of(const Grid& g, std::uint32_t slot) {
  return Box::from(g.boxes + 6 * std::size_t{slot});
}
// Points of a cell, and the box around all core points of it.
struct Side {
  std::uint32_t slot, begin, end;
  Box box;
};
// 32 points of a side: this lane's, if it is a core point that the other side's box does not rule out.
__device__ inline float4 candidate(const Grid& g, const Side& side, std::uint32_t at,
                                   const Box& other, bool& good) {
  good = at < side.end && is_core(g, side.slot, at);
  const float4 p = good ? g.sorted[at] : kNoPoint;
  good = good && may_touch(p, other, g.eps);
  return p;
}
// Whether one of 32 points is near one of 32 others; one of the fewer is compared with all at a time.
__device__ inline bool any_near(float4 p, unsigned from_p, float4 q, unsigned from_q, float eps) {
  const bool fewer_p = __popc(from_p) <= __popc(from_q);
  const float4 mine = fewer_p ? q : p;
  const bool good = ((fewer_p ? from_q : from_p) >> lane() & 1) != 0;
  for (unsigned left = fewer_p ? from_p : from_q; left != 0; left &= left - 1) {
    const float4 other = of_lane(fewer_p ? p : q, __ffs(static_cast<int>(left)) - 1);
    if (__any_sync(kAllLanes, good && is_near(mine, other, eps))) return true;
  }
  return false;
}
// Whether a core point of one side is near a core point of the other.
__device__ inline bool touch(const Grid& g, const Side& a, const Side& b) {
  for (std::uint32_t i = a.begin; i < a.end; i += kWarp) {
    bool good;
    const float4 p = candidate(g, a, i + lane(), b.box, good);
    const unsigned from_p = __ballot_sync(kAllLanes, good);
    for (std::uint32_t j = b.begin; from_p != 0 && j < b.end; j += kWarp) {
      const float4 q = candidate(g, b, j + lane(), a.box, good);
      const unsigned from_q = __ballot_sync(kAllLanes, good);
      if (from_q != 0 && any_near(p, from_p, q, from_q, g.eps)) return true;
    }
  }
  return false;
}

// A piece with all cells around its own that come later: every two cells meet once.
__device__ inline void connect_piece(const Grid& g, const Piece& piece, std::uint32_t first) {
  const Forest forest{g.parents};
  const Side mine{piece.slot, piece.begin(), piece.end(), box_of(g, piece.slot)};
  for (const Ring ring : {Ring::Adjacent, Ring::Outer}) {
    for (int look = 0; look < looks_of(ring); ++look) {
      const Key away = step_of(ring, look);
      const bool later = static_cast<long long>(away) > 0 &&
                         may_touch(mine.box, cube_of(piece.key + away, g.per_metre), g.eps);
      const std::uint32_t slot = later ? g.table.find(piece.key + away) : kNowhere;
      const std::uint32_t other = slot != kNowhere ? g.firsts[slot] : kNoise;
      bool open = other != kNoise && forest.root(first) != forest.root(other) &&
                  may_touch(mine.box, box_of(g, slot), g.eps);
      for (unsigned who; (who = __ballot_sync(kAllLanes, open)) != 0;) {
        const int one = __ffs(static_cast<int>(who)) - 1;
        const std::uint32_t next = __shfl_sync(kAllLanes, slot, one), start = g.starts[next];
        const bool united = touch(g, mine, {next, start, start + g.counts[next], box_of(g, next)});
        if (lane() == static_cast<unsigned>(one)) {
          if (united) forest.unite(first, other);
          open = false;
        }
        __syncwarp();
        // Others of the cells may have become connected by that.
        if (united && open) open = forest.root(first) != forest.root(other);
      }
    }
  }
}

__device__ inline void connect_cells(const Grid& g) {
  const std::uint32_t warps = thread_count() / kWarp, pieces = g.piece_count();
  for (std::uint32_t i = thread_number() / kWarp; i < pieces; i += warps) {
    const Piece piece(g, i);
    const std::uint32_t first = g.firsts[piece.slot];
    if (first != kNoise) connect_piece(g, piece, first);
  }
}

// The smallest root among the core points of listed cells that are near each lane's point. No root of
// these cells is smaller than `least`: whoever has that one is done.
__device__ inline void least_root_near(const Grid& g, const Listed& listed, int cells,
                                       std::uint32_t least, float4 p, bool there,
                                       std::uint32_t& label) {
  const Forest forest{g.parents};
  unsigned open = 0;
  const auto go_on = [&] { return (open = __ballot_sync(kAllLanes, there && label > least)) != 0; };
  each_listed(g, listed, cells, go_on, [&](std::uint32_t slot, std::uint32_t at, float4 q) {
    const bool core = at != kNowhere && is_core(g, slot, at);
    for (unsigned left = open; left != 0; left &= left - 1) {
      const int who = __ffs(static_cast<int>(left)) - 1;
      const float4 other = of_lane(p, who);  // by all lanes: not behind a condition
      const bool near = core && is_near(other, q, g.eps);
      if (!__any_sync(kAllLanes, near)) continue;
      std::uint32_t root = near ? forest.settled_root(g.firsts[slot]) : kNoise;
      for (unsigned d = kWarp / 2; d > 0; d /= 2)
        root = min(root, __shfl_xor_sync(kAllLanes, root, d));
      if (lane() == static_cast<unsigned>(who)) label = min(label, root);
    }
  });
}

__device__ inline void label_borders(const Grid& g, const Piece& piece, Listed& listed) {
  const Forest forest{g.parents};
  const std::uint32_t own = g.firsts[piece.slot];
  const std::uint32_t own_root = own == kNoise ? kNoise : forest.settled_root(own);
  for (std::uint32_t k = lane(); k - lane() < piece.count; k += kWarp) {
    const bool there = k < piece.count && !g.core[piece.start + k];
    if (!__any_sync(kAllLanes, there)) continue;
    const float4 p = there ? g.sorted[piece.start + k] : kNoPoint;
    std::uint32_t label = own_root;
    Box mine;
    if (there) mine.add(p);
    mine = mine.of_warp();
    for (const Ring ring : {Ring::Adjacent, Ring::Outer}) {
      std::uint32_t least = kNoise;  // of this lane's cells
      const auto use = [&](std::uint32_t slot) {
        const std::uint32_t first = g.firsts[slot];
        if (first == kNoise) return false;
        const std::uint32_t root = forest.settled_root(first);
        if (root >= own_root) return false;
        if (!may_touch(mine, box_of(g, slot), g.eps)) return false;
        least = min(least, root);
        return true;
      };
      const int cells = list_ring(g, piece.key, mine, ring, listed, use);
      for (unsigned d = kWarp / 2; d > 0; d /= 2)
        least = min(least, __shfl_xor_sync(kAllLanes, least, d));
      least_root_near(g, listed, cells, least, p, there, label);
    }
    if (there) g.labels[__float_as_uint(p.w)] = label;
  }
}

// Labels: a thread for each point of the input; a warp for each cell that may have border points.
__device__ inline void label_all(const Grid& g, Listed& listed) {
  const Forest forest{g.parents};
  for (std::uint32_t i = thread_number(); i < g.n; i += thread_count()) {
    const uint2 place = g.places[i];
    if (place.x == kNowhere)
      g.labels[i] = kNoise;
    else if (is_core(g, place.x, g.starts[place.x] + place.y))
      g.labels[i] = forest.settled_root(g.firsts[place.x]);
  }
  const std::uint32_t warps = thread_count() / kWarp, pieces = g.piece_count();
  for (std::uint32_t i = thread_number() / kWarp; i < pieces; i += warps) {
    const Piece piece(g, i);
    if (piece.number == 0 && !piece.dense(g)) label_borders(g, piece, listed);
  }
}

}  // namespace lesson13

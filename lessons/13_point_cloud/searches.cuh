// SPDX-License-Identifier: MIT
// Four ways to find the points that are near a point. Each is a search with
//   kByWarp            whether its items are many more than there are points
//   items()            how many items it goes through; threads take them in turns, a warp 32 in a row
//   mine(item)         the index of this item's point; kNowhere: there is none
//   each(item, i, f)   calls f(j) for each near point j, i itself among them, until f returns true.
//                      All lanes of a warp call it together.
#pragma once

#include "lessons/13_point_cloud/cells.cuh"

namespace lesson13 {

// Changed: (the first) every thread looks at every point.
struct AllPairs {
  static constexpr bool kByWarp = false;
  Grid g;
  __device__ std::uint32_t items() const { return g.n; }
  __device__ std::uint32_t mine(std::uint32_t item) const { return item < g.n ? item : kNowhere; }
  template <class F>
  __device__ void each(std::uint32_t, std::uint32_t i, F f) const {
    if (i == kNowhere || !course::is_usable(g.points[i], g.eps)) return;
    const float4 p = g.points[i];
    // All lanes read the same point: one access for the warp.
    for (std::uint32_t j = 0; j < g.n; ++j)
      if (course::is_usable(g.points[j], g.eps) && is_near(p, g.points[j], g.eps) && f(j)) return;
  }
};

// Changed: cells of edge eps in a hash table, each with a list of its points. A thread looks at 27 cells.
// Why:     work grows with the points nearby, not with all points.
// Cost:    the table, and a walk through memory from point to point.
struct CellLists {
  static constexpr bool kByWarp = false;
  Grid g;  // starts: the first point of a cell's list; places[i].x: the next one
  __device__ std::uint32_t items() const { return g.n; }
  __device__ std::uint32_t mine(std::uint32_t item) const { return item < g.n ? item : kNowhere; }
  template <class F>
  __device__ void each(std::uint32_t, std::uint32_t i, F f) const {
    if (i == kNowhere || !course::is_usable(g.points[i], g.eps)) return;
    const float4 p = g.points[i];
    const Key own = cell_of(p, g.per_metre);
    for (int k = 0; k < 27; ++k) {
      const std::uint32_t slot = g.table.find(own + step(k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1));
      if (slot == kNowhere) continue;
      for (std::uint32_t j = g.starts[slot]; j != kNowhere; j = g.places[j].x)
        if (is_near(p, g.points[j], g.eps) && f(j)) return;
    }
  }
};

// Changed: the points of a cell lie side by side, and a thread's point beside those of its cell.
// Why:     the points of a cell come by whole lines, and the lanes of a warp look at the same cells.
// Cost:    the sort: four more launches.
struct SortedCells {
  static constexpr bool kByWarp = false;
  Grid g;
  __device__ std::uint32_t items() const { return static_cast<std::uint32_t>(*g.cursors >> 32); }
  __device__ std::uint32_t mine(std::uint32_t item) const {
    return item < items() ? __float_as_uint(g.sorted[item].w) : kNowhere;
  }
  template <class F>
  __device__ void each(std::uint32_t item, std::uint32_t i, F f) const {
    if (i == kNowhere) return;
    const float4 p = g.sorted[item];
    const Key own = cell_of(p, g.per_metre);
    for (int k = 0; k < 27; ++k) {
      const std::uint32_t slot = g.table.find(own + step(k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1));
      if (slot == kNowhere) continue;
      for (std::uint32_t q = g.starts[slot], end = q + g.counts[slot]; q < end; ++q)
        if (is_near(p, g.sorted[q], g.eps) && f(__float_as_uint(g.sorted[q].w))) return;
    }
  }
};

// Changed: a warp takes 32 points of one cell. Its lanes look up the 27 cells together, fetch 32 points at
//          a time, and all look at all of them.
// Why:     27 searches of the table for 32 points, not for one; each point is loaded once for 32.
// Cost:    cells with few points leave lanes without one. Shared memory for the points.
struct WarpCells {
  static constexpr bool kByWarp = true;
  Grid g;  // pieces of 32 points
  __device__ std::uint32_t items() const { return g.piece_count() * kWarp; }
  __device__ std::uint32_t mine(std::uint32_t item) const {
    const std::uint32_t at = place(item);
    return at == kNowhere ? kNowhere : __float_as_uint(g.sorted[at].w);
  }
  __device__ std::uint32_t place(std::uint32_t item) const {
    if (item >= items()) return kNowhere;
    const uint2 piece = g.pieces[item / kWarp];
    const std::uint32_t k = piece.y * kWarp + lane();
    return k < g.counts[piece.x] ? g.starts[piece.x] + k : kNowhere;
  }
  template <class F>
  __device__ void each(std::uint32_t item, std::uint32_t i, F f) const {
    __shared__ float4 fetched[1024];  // 32 for each warp
    float4* const shared = fetched + threadIdx.x / kWarp * kWarp;
    bool open = i != kNowhere;
    const std::uint32_t at = place(item);
    const float4 p = at == kNowhere ? float4{} : g.sorted[at];
    const Key own = g.table.keys[g.pieces[item / kWarp].x];
    const int k = lane() < 27 ? static_cast<int>(lane()) : 13;
    const std::uint32_t slot = g.table.find(own + step(k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1));
    const bool there = lane() < 27 && slot != kNowhere;
    const std::uint32_t start = there ? g.starts[slot] : 0, count = there ? g.counts[slot] : 0;
    for (unsigned cells = __ballot_sync(kAllLanes, there); cells != 0; cells &= cells - 1) {
      const int cell = __ffs(static_cast<int>(cells)) - 1;
      const std::uint32_t from = __shfl_sync(kAllLanes, start, cell),
                          size = __shfl_sync(kAllLanes, count, cell);
      for (std::uint32_t q = 0; q < size; q += kWarp) {
        if (!__any_sync(kAllLanes, open)) return;
        const std::uint32_t some = min(size - q, kWarp);
        if (lane() < some) shared[lane()] = g.sorted[from + q + lane()];
        __syncwarp();
        for (std::uint32_t j = 0; open && j < some; ++j)
          if (is_near(p, shared[j], g.eps)) open = !f(__float_as_uint(shared[j].w));
        __syncwarp();
      }
    }
  }
};

}  // namespace lesson13

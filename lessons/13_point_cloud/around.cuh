// SPDX-License-Identifier: MIT
// The small cells around a cell, looked up by a warp together. Those with points are listed in shared
// memory, and their points numbered through, so that 32 lanes take 32 points whatever cells those are of.
#pragma once

#include "lessons/13_point_cloud/box.cuh"

namespace lesson13 {

constexpr int kAcross = 2 * SmallCells::kReach + 1, kAround = kAcross * kAcross * kAcross;

// Steps to cell number k of the cube of 125; whether it is next to the middle one.
struct Offset {
  int x, y, z;
  __device__ explicit Offset(int k)
      : x(k / (kAcross * kAcross) - 2), y(k / kAcross % kAcross - 2), z(k % kAcross - 2) {}
  __device__ bool middle() const { return x == 0 && y == 0 && z == 0; }
  __device__ bool adjacent() const { return abs(x) <= 1 && abs(y) <= 1 && abs(z) <= 1; }
};
// The 26 adjacent cells first: they take one look of a warp, and often they are enough. Then the others.
enum class Ring { Adjacent, Outer };
__device__ inline int looks_of(Ring ring) {
  return ring == Ring::Adjacent ? 1 : (kAround + kWarp - 1) / kWarp;
}
// What this lane looks up in look number `look`: the steps as one number; 0: nothing.
__device__ inline Key step_of(Ring ring, int look) {
  if (ring == Ring::Adjacent) {
    const int k = static_cast<int>(lane());
    return k < 27 ? step(k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1) : 0;
  }
  const int k = look * static_cast<int>(kWarp) + static_cast<int>(lane());
  const Offset o(k);
  return k < kAround && !o.adjacent() ? step(o.x, o.y, o.z) : 0;
}

// The cells of a ring that hold points, in shared memory: one for each warp.
struct Listed {
  static constexpr int kMost = 98;  // 125 less the adjacent ones and the middle
  std::uint32_t slots[kMost];
  std::uint32_t starts[kMost];
  std::uint32_t before[kMost + 1];  // how many points the cells before have
};

__device__ inline std::uint32_t sum_of_lanes_before(std::uint32_t v) {
  std::uint32_t sum = v;
  for (unsigned d = 1; d < kWarp; d *= 2) {
    const std::uint32_t other = __shfl_up_sync(kAllLanes, sum, d);
    if (lane() >= d) sum += other;
  }
  return sum - v;
}

// Lists the cells of a ring around `own` that can hold points near those in a box, and for which use(slot)
// is true. Returns how many there are; how many points they have is in before[that].
template <class Use>
__device__ int list_ring(const Grid& g, Key own, const Box& near, Ring ring, Listed& listed,
                         Use use) {
  int cells = 0;
  std::uint32_t points = 0;
  __syncwarp();  // nobody reads the last list any more
  for (int look = 0; look < looks_of(ring); ++look) {
    const Key away = step_of(ring, look);
    const bool can = away != 0 && may_touch(near, cube_of(own + away, g.per_metre), g.eps);
    const std::uint32_t slot = can ? g.table.find(own + away) : kNowhere;
    const bool there = slot != kNowhere && use(slot);
    const std::uint32_t count = there ? g.counts[slot] : 0, before = sum_of_lanes_before(count);
    const unsigned who = __ballot_sync(kAllLanes, there);
    if (there) {
      const int at = cells + static_cast<int>(lesson07::rank_in(who));
      listed.slots[at] = slot;
      listed.starts[at] = g.starts[slot];
      listed.before[at] = points + before;
    }
    cells += __popc(who);
    points += __shfl_sync(kAllLanes, before + count, kWarp - 1);
  }
  if (lane() == 0) listed.before[cells] = points;
  __syncwarp();
  return cells;
}

// Goes through the points of the listed cells, 32 for each of the four loads that are under way at once:
// visit(slot, place in `sorted`, point) for each, by all lanes together; kNowhere where a lane has none.
// go_on() is asked before every four.
template <class GoOn, class Visit>
__device__ void each_listed(const Grid& g, const Listed& listed, int cells, GoOn go_on,
                            Visit visit) {
  constexpr int kLoads = 4;
  const std::uint32_t points = listed.before[cells];
  int cell = 0;
  for (std::uint32_t first = 0; first < points && go_on(); first += kLoads * kWarp) {
    float4 q[kLoads];
    std::uint32_t slot[kLoads], at[kLoads];
#pragma unroll
    for (int u = 0; u < kLoads; ++u) {
      const std::uint32_t k = first + u * kWarp + lane();
      slot[u] = at[u] = kNowhere;
      q[u] = {NAN, NAN, NAN, 0};  // near nobody
      if (k >= points) continue;
      while (listed.before[cell + 1] <= k) ++cell;
      slot[u] = listed.slots[cell];
      at[u] = listed.starts[cell] + k - listed.before[cell];
      q[u] = g.sorted[at[u]];
    }
#pragma unroll
    for (int u = 0; u < kLoads; ++u)
      if (first + u * kWarp < points) visit(slot[u], at[u], q[u]);
  }
}

}  // namespace lesson13

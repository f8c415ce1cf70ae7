// SPDX-License-Identifier: MIT
// Counting sort by cell: count the points of each cell, give each cell a place, move the points there.
// (Lessons 07, 08 and 11.) The order of the cells does not matter, so an addition for each block takes the
// place of a scan. Four phases, for a kernel each or for one kernel of all.
#pragma once

#include "lessons/13_point_cloud/cells.cuh"

namespace lesson13 {

// Which lanes of the warp have the same key as this one.
__device__ inline unsigned same_cell(Key key) { return __match_any_sync(kAllLanes, key); }

__device__ inline void clear_cells(const Grid& g) {
  const std::uint32_t first = thread_number(), all = thread_count();
  const auto fill = [=](void* at, std::uint32_t words, unsigned v) {  // 4 words at a time
    for (std::uint32_t i = first; i < words / 4; i += all)
      static_cast<uint4*>(at)[i] = uint4{v, v, v, v};
  };
  fill(g.table.keys, 2 * g.table.capacity, 0xffffffff);
  fill(g.counts, g.table.capacity, 0);
  fill(g.firsts, g.table.capacity, kNoise);
  if (first == 0) *g.cursors = 0;
}

// Neighbours in the scan are mostly in one cell: one lane asks for all of them (lesson 07).
__device__ inline void count_cells(const Grid& g) {
  for (std::uint32_t i = thread_number(); i - lane() < g.n; i += thread_count()) {
    const float4 p = i < g.n ? g.points[i] : float4{NAN, NAN, NAN, 0};
    const bool usable = course::is_usable(p, g.eps);
    const Key key = usable ? cell_of(p, g.per_metre) : kNoCell;
    const unsigned same = same_cell(key), leader = lesson07::leader_of(same);
    std::uint32_t slot = kNowhere, before = 0;
    if (usable && lane() == leader) {
      slot = g.table.insert(key);
      before = atomicAdd(g.counts + slot, __popc(same));
      atomicMin(g.firsts + slot, i);  // the leader is the first of them
    }
    slot = __shfl_sync(kAllLanes, slot, leader);
    before = __shfl_sync(kAllLanes, before, leader);
    if (i < g.n) g.places[i] = {slot, before + lesson07::rank_in(same)};
  }
}

// The sum of what all threads of the block before this one have, and of all of them.
struct Before {
  unsigned long long mine, all;
};
__device__ inline Before sum_before(unsigned long long v) {
  __shared__ unsigned long long warps[kWarp];
  unsigned long long sum = v;
  for (unsigned d = 1; d < kWarp; d *= 2) {
    const unsigned long long other = __shfl_up_sync(kAllLanes, sum, d);
    if (lane() >= d) sum += other;
  }
  __syncthreads();  // the words may still be read from the last time
  if (lane() == kWarp - 1) warps[threadIdx.x / kWarp] = sum;
  __syncthreads();
  Before before{sum - v, 0};
  for (unsigned w = 0; w < blockDim.x / kWarp; ++w) {
    if (w < threadIdx.x / kWarp) before.mine += warps[w];
    before.all += warps[w];
  }
  return before;
}

// A place in `sorted` for each cell, and an entry in `pieces` for every kPiece points of it.
template <unsigned kPiece>
__device__ void place_cells(const Grid& g) {
  __shared__ unsigned long long base;
  const std::uint32_t fours = g.table.capacity / 4;
  for (std::uint32_t tile = blockIdx.x * blockDim.x; tile < fours; tile += thread_count()) {
    const std::uint32_t i = tile + threadIdx.x;
    const uint4 four = i < fours ? reinterpret_cast<const uint4*>(g.counts)[i] : uint4{};
    const std::uint32_t counts[] = {four.x, four.y, four.z, four.w};
    unsigned long long mine = 0;
    for (const std::uint32_t count : counts)
      mine += static_cast<unsigned long long>(count) << 32 | (count + kPiece - 1) / kPiece;
    const Before before = sum_before(mine);
    if (threadIdx.x == 0 && before.all != 0) base = atomicAdd(g.cursors, before.all);
    __syncthreads();
    unsigned long long at = base + before.mine;
    for (std::uint32_t k = 0; k < 4; ++k) {
      if (counts[k] == 0) continue;
      const std::uint32_t slot = 4 * i + k, pieces = (counts[k] + kPiece - 1) / kPiece;
      g.starts[slot] = static_cast<std::uint32_t>(at >> 32);
      for (std::uint32_t piece = 0; piece < pieces; ++piece)
        g.pieces[static_cast<std::uint32_t>(at) + piece] = {slot, piece};
      for (int b = 0; b < 6; ++b) g.boxes[6 * std::size_t{slot} + b] = b < 3 ? INT_MAX : INT_MIN;
      at += static_cast<unsigned long long>(counts[k]) << 32 | pieces;
    }
  }
}

__device__ inline void move_points(const Grid& g) {
  for (std::uint32_t i = thread_number(); i < g.n; i += thread_count()) {
    const uint2 place = g.places[i];
    if (place.x == kNowhere) continue;
    float4 p = g.points[i];
    p.w = __uint_as_float(i);
    g.sorted[g.starts[place.x] + place.y] = p;
  }
}

static __global__ void clear_table(Grid g) { clear_cells(g); }
static __global__ void count_points(Grid g) { count_cells(g); }
template <unsigned kPiece>
__global__ void place_all_cells(Grid g) {
  place_cells<kPiece>(g);
}
static __global__ void move_all_points(Grid g) { move_points(g); }

}  // namespace lesson13

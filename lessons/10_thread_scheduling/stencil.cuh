// SPDX-License-Identifier: MIT
// Weighted sums of neighbours, by threads that all do the same.
#pragma once

#include "common/arrays/stencil.hpp"
#include "common/check.cuh"
#include "common/launch.cuh"
#include "lessons/10_thread_scheduling/arrivals.cuh"

namespace lesson10 {

using course::Stencil;

// Tiles of 1024 results. A slot in shared memory has a tile's elements, and its neighbours on both
// sides, so many that slots begin at 16 bytes.
constexpr unsigned kTile = 1024;
template <int kReach>
constexpr unsigned kPad = (kReach + 3) / 4 * 4;
template <int kReach>
constexpr unsigned kSlot = kTile + 2 * kPad<kReach>;

inline unsigned tiles_of(const Stencil& s) {
  return static_cast<unsigned>((s.n + kTile - 1) / kTile);
}

// Where a slot begins in the array. Below zero: far beyond its end.
template <int kReach>
__device__ std::size_t begin_of(unsigned tile) {
  return std::size_t{tile} * kTile - kPad<kReach>;
}
// Whether a whole slot lies in the array, at 16 bytes.
template <int kReach>
__device__ bool is_whole(const Stencil& s, unsigned tile) {
  const std::size_t begin = begin_of<kReach>(tile);
  return tile > 0 && begin + kSlot<kReach> <= s.n &&
         reinterpret_cast<std::uintptr_t>(s.in + begin) % 16 == 0;
}

// A tile's results, by threads `rank`, rank + count, ...
template <int kReach>
__device__ void compute(const Stencil& s, const std::uint32_t* slot, unsigned tile, unsigned rank,
                        unsigned count) {
  const std::size_t first = std::size_t{tile} * kTile;
  for (unsigned i = rank; i < kTile && first + i < s.n; i += count) {
    std::uint32_t sum = 0;
#pragma unroll
    for (int k = -kReach; k <= kReach; ++k)
      sum += course::stencil_weight(k) * slot[kPad<kReach> + i + k];
    s.out[first + i] = sum;
  }
}

// A slot's elements, as copies that nobody waits for, by threads `rank`, rank + count, ...
template <int kReach>
__device__ void bring(const Stencil& s, std::uint32_t* slot, unsigned tile, unsigned rank,
                      unsigned count) {
  const std::size_t begin = begin_of<kReach>(tile);
  if (is_whole<kReach>(s, tile)) {
    for (unsigned i = 4 * rank; i < kSlot<kReach>; i += 4 * count)
      copy_four(slot + i, s.in + begin + i);
    return;
  }
  for (unsigned i = rank; i < kSlot<kReach>; i += count) {
    const bool inside = begin + i < s.n;
    copy_word(slot + i, inside ? s.in + begin + i : s.in, inside);
  }
}

// Changed: nothing: this is what one writes first.
// Why:     the caches have what the neighbours have read.
// Cost:    2 reach + 1 loads for each result.
template <int kReach>
__global__ void st_direct(Stencil s) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < s.n; i += step) {
    std::uint32_t sum = 0;
#pragma unroll
    for (int k = -kReach; k <= kReach; ++k)
      if (i + k < s.n) sum += course::stencil_weight(k) * s.in[i + k];
    s.out[i] = sum;
  }
}

// Changed: a block copies a tile to shared memory, and computes from there.
// Why:     an element is read from global memory once.
// Cost:    two barriers for each tile: nobody computes while the tile comes, and nothing comes while all
//          compute.
template <int kReach>
__global__ void st_staged(Stencil s, unsigned tiles) {
  __shared__ std::uint32_t slot[kSlot<kReach>];
  for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const std::size_t begin = begin_of<kReach>(tile);
    for (unsigned i = threadIdx.x; i < kSlot<kReach>; i += blockDim.x)
      slot[i] = begin + i < s.n ? s.in[begin + i] : 0;
    __syncthreads();
    compute<kReach>(s, slot, tile, threadIdx.x, blockDim.x);
    __syncthreads();
  }
}

constexpr int kStages = 4;

// Changed: tiles are asked for three rounds ahead, by copies that nobody waits for.
// Why:     copying and computing go on at the same time, in every thread.
// Cost:    four slots. All threads still do both: they work out addresses for the copies, and stop at
//          two barriers for each tile.
template <int kReach>
__global__ void st_async(Stencil s, unsigned tiles) {
  __shared__ alignas(16) std::uint32_t slots[kStages][kSlot<kReach>];
  const auto ask = [&](unsigned round) {
    const unsigned tile = blockIdx.x + round * gridDim.x;
    if (tile < tiles) bring<kReach>(s, slots[round % kStages], tile, threadIdx.x, blockDim.x);
    end_group();  // an empty one counts, too
  };
  for (unsigned round = 0; round < kStages - 1; ++round) ask(round);
  unsigned round = 0;
  for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x, ++round) {
    ask(round + kStages - 1);
    wait_for_groups<kStages - 1>();
    __syncthreads();  // everybody's part of the tile is there
    compute<kReach>(s, slots[round % kStages], tile, threadIdx.x, blockDim.x);
    __syncthreads();  // everybody has read it
  }
}

// Calls f with the reach as a compile-time constant.
template <class F>
void with_reach(int reach, F&& f) {
  switch (reach) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 8:
      return f(std::integral_constant<int, 8>{});
    default:
      return f(std::integral_constant<int, 24>{});
  }
}

inline void launch_st_direct(const Stencil& s) {
  if (s.n == 0) return;
  const unsigned blocks = course::full_grid(*s.device, s.n, s.block);
  with_reach(s.reach, [&](auto reach) { st_direct<reach><<<blocks, s.block>>>(s); });
  COURSE_CHECK(cudaGetLastError());
}
inline unsigned blocks_for_tiles(const Stencil& s, unsigned on_each) {
  const unsigned most = static_cast<unsigned>(s.device->multiprocessors) * on_each;
  return tiles_of(s) < most ? tiles_of(s) : most;
}
inline void launch_st_staged(const Stencil& s) {
  if (s.n == 0) return;
  const unsigned blocks = blocks_for_tiles(s, static_cast<unsigned>(2048 / s.block));
  with_reach(s.reach, [&](auto r) { st_staged<r><<<blocks, s.block>>>(s, tiles_of(s)); });
  COURSE_CHECK(cudaGetLastError());
}
inline void launch_st_async(const Stencil& s) {
  if (s.n == 0) return;
  const unsigned blocks = blocks_for_tiles(s, static_cast<unsigned>(2048 / s.block));
  with_reach(s.reach, [&](auto r) { st_async<r><<<blocks, s.block>>>(s, tiles_of(s)); });
  COURSE_CHECK(cudaGetLastError());
}

}  // namespace lesson10

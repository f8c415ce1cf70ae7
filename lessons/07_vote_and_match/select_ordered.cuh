// SPDX-License-Identifier: MIT
// Compaction that keeps the order, in one launch.
#pragma once

#include "lessons/07_vote_and_match/look_back.cuh"
#include "lessons/07_vote_and_match/select.cuh"

namespace lesson07 {

// ---- sel_ordered

constexpr unsigned kOrderedTile = 2048;

// Changed: a tile of 2048 elements, whose place is the number of wanted elements in all tiles before
//          it. The block looks back for it.
// Why:     the order is kept, and the input is read once. (An atomic gives places in any order; two
//          launches, one to count and one to move, read everything twice.)
// Cost:    a chain through all tiles, but one of words that are waiting in the L2 cache.
static __global__ void sel_ordered(Select s, std::size_t tiles) {
  constexpr unsigned kGroups = kOrderedTile / kWarp;  // 32 neighbours, one ballot
  __shared__ Mask takers[kGroups];
  __shared__ unsigned before[kGroups];
  __shared__ std::size_t tile;
  __shared__ std::uint64_t first;
  const TileWords words(s.words, tiles);
  if (tiles == 0 && threadIdx.x == 0) *s.kept = 0;
  for (;;) {
    if (threadIdx.x == 0) tile = words.ticket();
    __syncthreads();
    if (tile >= tiles) break;
    const std::size_t base = tile * kOrderedTile;
    for (unsigned g = warp_of_block(); g < kGroups; g += warps_of_block()) {
      const std::size_t i = base + g * kWarp + lane();
      const Mask mask = __ballot_sync(kAllLanes, i < s.n && wanted(s.in[i], s.threshold));
      if (lane() == 0) takers[g] = mask;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned count = 0;
      for (unsigned g = 0; g < kGroups; ++g) {
        before[g] = count;
        count += __popc(takers[g]);
      }
      words.say_count(tile, count);
      first = words.look_back(tile);
      words.say_sum(tile, first + count);
      if (tile == tiles - 1) *s.kept = first + count;
    }
    __syncthreads();
    for (unsigned g = warp_of_block(); g < kGroups; g += warps_of_block()) {
      const std::size_t i = base + g * kWarp + lane();
      if (takers[g] >> lane() & 1) s.out[first + before[g] + rank_in(takers[g])] = s.in[i];
    }
    __syncthreads();  // what is shared is written anew
  }
  words.close();
}
inline void launch_sel_ordered(const Select& s) {
  const std::size_t tiles = (s.n + kOrderedTile - 1) / kOrderedTile;
  const std::size_t most = static_cast<std::size_t>(s.device->multiprocessors) * (2048 / s.block);
  const auto blocks = static_cast<unsigned>(tiles < 1 ? 1 : tiles < most ? tiles : most);
  sel_ordered<<<blocks, s.block>>>(s, tiles);
  COURSE_CHECK(cudaGetLastError());
}

// ---- sel_registers, sel_staged: what a thread holds in registers

// A thread's share of a tile: kLoads vectors of four neighbours. Of the warp's tile, vector j of lane i
// has the elements 128 j + 4 i to 128 j + 4 i + 3, so 32 lanes load 512 bytes that lie together.
template <int kLoads>
struct Share {
  uint4 v[kLoads];
  unsigned wanted;  // bit 4 j + k: element k of vector j
  unsigned counts;  // byte j: how many of vector j
};

// Vectors begin at multiples of 16 bytes: `skew` elements before the input the first one does. A vector
// that is not all inside is loaded element by element.
struct Aligned {
  const uint4* vectors;
  std::size_t skew, end;  // elements from skew on to end are there
};
inline Aligned aligned(const Select& s) {
  const std::size_t skew = reinterpret_cast<std::uintptr_t>(s.in) % 16 / 4;
  return {reinterpret_cast<const uint4*>(s.in - skew), skew, s.n + skew};
}
__device__ inline uint4 load_inside(const Aligned& a, std::size_t i) {
  if (4 * i >= a.skew && 4 * i + 4 <= a.end) return a.vectors[i];
  const auto in = reinterpret_cast<const std::uint32_t*>(a.vectors);
  std::uint32_t v[4] = {};
  for (int k = 0; k < 4; ++k)
    if (4 * i + k >= a.skew && 4 * i + k < a.end) v[k] = in[4 * i + k];
  return {v[0], v[1], v[2], v[3]};
}
// The first vector of this thread's share.
template <int kLoads>
__device__ std::size_t first_vector(std::size_t tile) {
  return tile * kLoads * blockDim.x + warp_of_block() * kLoads * kWarp + lane();
}
template <int kLoads>
__device__ void load(const Aligned& a, std::size_t tile, Share<kLoads>& share) {
  const std::size_t first = first_vector<kLoads>(tile);
#pragma unroll
  for (int j = 0; j < kLoads; ++j) share.v[j] = load_inside(a, first + j * kWarp);
}
// Which elements are wanted, as bits. Halved and less the threshold, a wanted element is negative, and a
// shift across two words appends its sign to the bits: three instructions for each.
template <int kLoads>
__device__ unsigned wanted_bits(const uint4 (&v)[kLoads], std::uint32_t threshold) {
  unsigned bits = 0;
#pragma unroll
  for (int j = kLoads - 1; j >= 0; --j) {
    const std::uint32_t four[] = {v[j].x, v[j].y, v[j].z, v[j].w};
#pragma unroll
    for (int k = 3; k >= 0; --k) bits = __funnelshift_l((four[k] >> 1) - threshold, bits, 1);
  }
  return bits;
}
// How many of each vector: the bits of each four are added up side by side, then moved into bytes.
__device__ inline unsigned counts_of(unsigned bits) {
  bits -= bits >> 1 & 0x5555;
  bits = (bits & 0x3333) + (bits >> 2 & 0x3333);
  bits = (bits | bits << 8) & 0x00ff00ff;
  return (bits | bits << 4) & 0x0f0f0f0f;
}
// The elements of a share that are in the input, as bits: at its ends not all are. `first`: its first
// vector.
template <int kLoads>
__device__ unsigned inside_bits(const Aligned& a, std::size_t first) {
  unsigned bits = 0;
#pragma unroll
  for (int j = 0; j < kLoads; ++j) {
    const std::size_t at = 4 * (first + j * kWarp);
    unsigned four = 0xf;
    if (at < a.skew || at + 4 > a.end)
      for (int k = 0; k < 4; ++k)
        if (at + k < a.skew || at + k >= a.end) four &= ~(1u << k);
    bits |= four << 4 * j;
  }
  return bits;
}
template <int kLoads>
__device__ void decide(const Aligned& a, std::size_t tile, std::uint32_t threshold,
                       Share<kLoads>& share) {
  static_assert(kLoads <= 4, "a byte for each vector");
  share.wanted =
      wanted_bits(share.v, threshold) & inside_bits<kLoads>(a, first_vector<kLoads>(tile));
  share.counts = counts_of(share.wanted);
}

// How many of the lanes before have, of each vector: four sums in the four bytes of one word. None is
// over 4 * 32 = 128, so nothing carries. `all` becomes the sum of all lanes.
__device__ inline unsigned before_in_warp(unsigned counts, unsigned& all) {
  unsigned sum = counts;
#pragma unroll
  for (int step = 1; step < kWarp; step *= 2) {
    const unsigned other = __shfl_up_sync(kAllLanes, sum, step);
    if (lane() >= step) sum += other;
  }
  all = __shfl_sync(kAllLanes, sum, kWarp - 1);
  return sum - counts;
}
__device__ inline unsigned sum_of_bytes(unsigned v) {
  return (v & 0xff) + (v >> 8 & 0xff) + (v >> 16 & 0xff) + (v >> 24);
}

// Gives every wanted element of the share its place in the tile: put(place, element).
template <int kLoads, class Put>
__device__ void place(const Share<kLoads>& share, unsigned lanes_before, unsigned all,
                      unsigned warps_before, Put put) {
  unsigned of_vectors = warps_before;
#pragma unroll
  for (int j = 0; j < kLoads; ++j) {
    const std::uint32_t v[] = {share.v[j].x, share.v[j].y, share.v[j].z, share.v[j].w};
    unsigned at = of_vectors + (lanes_before >> 8 * j & 0xff);
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (share.wanted >> (4 * j + k) & 1) put(at++, v[k]);
    of_vectors += all >> 8 * j & 0xff;
  }
}

}  // namespace lesson07

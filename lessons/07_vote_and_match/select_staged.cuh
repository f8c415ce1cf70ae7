// SPDX-License-Identifier: MIT
// Compaction with wide loads and wide stores.
#pragma once

#include "lessons/07_vote_and_match/select_ordered.cuh"

namespace lesson07 {

// From shared memory to where the tile belongs, 16 bytes at a time. The place is any multiple of 4
// bytes, so what lies in four words there may lie across two vectors here: by 1, 2 or 3 words, the
// same for the whole block, so the branch is uniform.
__device__ inline uint4 across(const uint4& a, const uint4& b, unsigned words) {
  switch (words) {
    case 1:
      return {a.y, a.z, a.w, b.x};
    case 2:
      return {a.z, a.w, b.x, b.y};
    default:
      return {a.w, b.x, b.y, b.z};
  }
}
__device__ inline void copy_out(const uint4* staged, unsigned count, std::uint32_t* out) {
  const auto words = reinterpret_cast<const std::uint32_t*>(staged);
  const unsigned odd = reinterpret_cast<std::uintptr_t>(out) % 16 / 4;
  unsigned head = odd == 0 ? 0 : 4 - odd;
  if (head > count) head = count;
  const unsigned vectors = (count - head) / 4, tail = count - head - 4 * vectors;
  if (threadIdx.x < head) out[threadIdx.x] = words[threadIdx.x];
  const auto to = reinterpret_cast<uint4*>(out + head);
  for (unsigned i = threadIdx.x; i < vectors; i += blockDim.x)
    to[i] = head == 0 ? staged[i] : across(staged[i], staged[i + 1], head);
  if (threadIdx.x < tail) {
    const unsigned i = head + 4 * vectors + threadIdx.x;
    out[i] = words[i];
  }
}

// Changed: a thread holds up to 16 elements in registers, and loads those of its next tile before it
//          waits for the place of this one. Wanted elements come together in shared memory and leave
//          it 16 bytes at a time. A whole warp looks back.
// Why:     the memory is busy while the block waits; stores are as wide as loads; 32 * kEach tiles are
//          one step of the look-back.
// Cost:    shared memory for a tile.
template <int kBlock, int kLoads, int kEach, int kBeside>
__global__ void __launch_bounds__(kBlock, kBeside)
    sel_staged(Select s, Aligned in, std::size_t tiles) {
  constexpr unsigned kTile = 4 * kLoads * kBlock, kWarps = kBlock / kWarp;
  __shared__ uint4 staged[kTile / 4];
  __shared__ unsigned of_warps[kWarp];
  __shared__ std::size_t next_tile;
  __shared__ std::uint64_t first;
  const TileWords words(s.words, tiles);
  if (threadIdx.x == 0) {
    first = words.ticket();  // not next_tile: thread 0 writes that again before all have read it
    if (tiles == 0) *s.kept = 0;
  }
  __syncthreads();
  std::size_t tile = first;
  Share<kLoads> share;
  if (tile < tiles) load(in, tile, share);
  while (tile < tiles) {
    decide(in, tile, s.threshold, share);
    unsigned all = 0;
    const unsigned lanes_before = before_in_warp(share.counts, all);
    if (lane() == 0) of_warps[warp_of_block()] = sum_of_bytes(all);
    if (threadIdx.x == 0) next_tile = words.ticket();
    __syncthreads();
    const unsigned mine = lane() < kWarps ? of_warps[lane()] : 0;
    const unsigned count = warp_sum(mine);
    const unsigned warps_before = warp_sum(lane() < warp_of_block() ? mine : 0u);
    if (threadIdx.x == 0) words.say_count(tile, count);
    const std::size_t next = next_tile;
    place(share, lanes_before, all, warps_before,
          [&](unsigned at, std::uint32_t v) { reinterpret_cast<std::uint32_t*>(staged)[at] = v; });
    if (next < tiles) load(in, next, share);
    if (warp_of_block() == 0) {
      const std::uint64_t before = words.look_back_together<kEach>(tile);
      if (lane() == 0) {
        words.say_sum(tile, before + count);
        first = before;
        if (tile == tiles - 1) *s.kept = before + count;
      }
    }
    __syncthreads();
    copy_out(staged, count, s.out + first);
    tile = next;
  }
  words.close();
}

template <int kBlock, int kLoads, int kEach, int kBeside>
void launch_staged(const Select& s) {
  constexpr std::size_t kTile = 4 * kLoads * kBlock;
  static_assert(kTile >= 1024, "there is one word for each 1024 elements");
  const Aligned in = aligned(s);
  const std::size_t tiles = s.n == 0 ? 0 : (in.end + kTile - 1) / kTile;
  const std::size_t most = static_cast<std::size_t>(s.device->multiprocessors) * kBeside;
  const auto blocks = static_cast<unsigned>(tiles < 1 ? 1 : tiles < most ? tiles : most);
  sel_staged<kBlock, kLoads, kEach, kBeside><<<blocks, kBlock>>>(s, in, tiles);
  COURSE_CHECK(cudaGetLastError());
}
inline void launch_sel_staged(const Select& s) { launch_staged<512, 4, 1, 3>(s); }

}  // namespace lesson07

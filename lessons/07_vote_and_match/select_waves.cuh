// SPDX-License-Identifier: MIT
// Compaction at the speed of the memory: all blocks run at once, and each hears all others directly.
#pragma once

#include <cuda_pipeline.h>

#include "lessons/07_vote_and_match/select_staged.cuh"
#include "lessons/07_vote_and_match/wave_words.cuh"

namespace lesson07 {

// A ring of tiles in shared memory. Each thread copies what it will read itself, so it waits for its
// own copies only. A vector at an end of the input that is not all inside is not copied.
template <int kBlock, int kLoads, int kStages>
class TileRing {
 public:
  static constexpr unsigned kVectors = kLoads * kBlock;
  static constexpr std::size_t kBytes = sizeof(uint4) * kVectors * kStages;

  __device__ TileRing(uint4* memory, const Aligned& in) : memory_(memory), in_(in) {}
  __device__ uint4* stage(unsigned i) const { return memory_ + i % kStages * kVectors; }

  // Always one commit, so that wait() can count them, also where there is no such tile.
  __device__ void fetch(unsigned i, std::size_t tile, bool there) const {
    uint4* const to = stage(i) + mine();
    const std::size_t from = tile * kVectors + mine();
    if (there && whole(tile)) {
#pragma unroll
      for (int j = 0; j < kLoads; ++j)
        __pipeline_memcpy_async(to + j * kWarp, in_.vectors + from + j * kWarp, sizeof(uint4));
    } else if (there) {
      for (int j = 0; j < kLoads; ++j)
        if (inside(from + j * kWarp))
          __pipeline_memcpy_async(to + j * kWarp, in_.vectors + from + j * kWarp, sizeof(uint4));
    }
    __pipeline_commit();
  }
  // The share of the oldest tile that was fetched, and which of its elements are wanted.
  __device__ void take(unsigned i, std::size_t tile, std::uint32_t threshold,
                       Share<kLoads>& share) const {
    __pipeline_wait_prior(kStages - 2);
    const uint4* const from = stage(i) + mine();
#pragma unroll
    for (int j = 0; j < kLoads; ++j) share.v[j] = from[j * kWarp];
    if (whole(tile)) {
      decide_whole(threshold, share);
    } else {
      const std::size_t first = tile * kVectors + mine();
      for (int j = 0; j < kLoads; ++j)
        if (!inside(first + j * kWarp)) share.v[j] = load_inside(in_, first + j * kWarp);
      decide(in_, tile, threshold, share);
    }
  }

 private:
  __device__ static unsigned mine() { return warp_of_block() * kLoads * kWarp + lane(); }
  __device__ bool inside(std::size_t i) const { return 4 * i >= in_.skew && 4 * i + 4 <= in_.end; }
  __device__ bool whole(std::size_t tile) const {
    return inside(tile * kVectors) && inside((tile + 1) * kVectors - 1);
  }
  uint4* memory_;
  Aligned in_;
};

// Changed: nobody looks back along a chain. Blocks take tiles in turn, all of them run at once, and
//          each adds up what all of them said since its last tile: one word for each thread. Tiles
//          are on their way to shared memory long before they are needed.
// Why:     a place is known one trip after the last count was said, however many tiles lie between;
//          and the memory has work while blocks compute.
// Cost:    a cooperative launch: a block waits for others that must have begun.
template <int kBlock, int kLoads, int kStages, int kBeside>
__global__ void __launch_bounds__(kBlock, kBeside)
    sel_waves(Select s, Aligned in, std::size_t tiles) {
  constexpr unsigned kWarps = kBlock / kWarp;
  extern __shared__ uint4 ring_memory[];
  __shared__ unsigned of_warps[kWarps], heard_by_warps[kWarps];
  const WaveWords words(s.words, tiles);
  const TileRing<kBlock, kLoads, kStages> ring(ring_memory, in);
  std::uint64_t before = 0;  // wanted elements in all tiles before this one
  const std::size_t wave = gridDim.x;
  for (unsigned i = 0; i < kStages - 1; ++i)
    ring.fetch(i, blockIdx.x + i * wave, blockIdx.x + i * wave < tiles);
  unsigned round = 0;
  for (std::size_t tile = blockIdx.x; tile < tiles; tile += wave, ++round) {
    // The stage that the next fetch fills was left by all threads before the barrier below; the
    // fetch comes after it. Until then kStages - 2 tiles are on their way besides this one.
    Share<kLoads> share;
    ring.take(round, tile, s.threshold, share);
    unsigned all = 0;
    const unsigned lanes_before = before_in_warp(share.counts, all);
    if (lane() == 0) of_warps[warp_of_block()] = sum_of_bytes(all);
    __syncthreads();
    const unsigned mine = lane() < kWarps ? of_warps[lane()] : 0;
    const unsigned count = __reduce_add_sync(kAllLanes, mine);
    if (threadIdx.x == 0) words.say(tile, count);
    const std::size_t ahead = tile + (kStages - 1) * wave;
    ring.fetch(round + kStages - 1, ahead, ahead < tiles);
    const unsigned warps_before =
        __reduce_add_sync(kAllLanes, lane() < warp_of_block() ? mine : 0u);
    uint4* const staged = ring.stage(round);  // all have read it
    place(share, lanes_before, all, warps_before,
          [&](unsigned at, std::uint32_t v) { reinterpret_cast<std::uint32_t*>(staged)[at] = v; });
    unsigned heard = 0;
    for (std::size_t i = (tile < wave ? 0 : tile - wave) + threadIdx.x; i < tile; i += kBlock)
      heard += words.hear(i);
    heard = __reduce_add_sync(kAllLanes, heard);
    if (lane() == 0) heard_by_warps[warp_of_block()] = heard;
    __syncthreads();
    before += __reduce_add_sync(kAllLanes, lane() < kWarps ? heard_by_warps[lane()] : 0u);
    copy_out(staged, count, s.out + before);
    if (tile == tiles - 1 && threadIdx.x == 0) *s.kept = before + count;
  }
  if (tiles == 0 && threadIdx.x == 0) *s.kept = 0;
  words.close();
}

template <int kBlock, int kLoads, int kStages, int kBeside>
void launch_waves(const Select& s) {
  constexpr std::size_t kTile = 4 * kLoads * kBlock;
  constexpr std::size_t kBytes = TileRing<kBlock, kLoads, kStages>::kBytes;
  static_assert(kTile >= 1024, "there is room for one word for each 1024 elements");
  const auto kernel = &sel_waves<kBlock, kLoads, kStages, kBeside>;
  COURSE_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  int beside = 0;
  COURSE_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&beside, kernel, kBlock, kBytes));
  Select task = s;
  Aligned in = aligned(s);
  std::size_t tiles = s.n == 0 ? 0 : (in.end + kTile - 1) / kTile;
  const std::size_t most =
      static_cast<std::size_t>(s.device->multiprocessors) * (beside < kBeside ? beside : kBeside);
  const auto blocks = static_cast<unsigned>(tiles < 1 ? 1 : tiles < most ? tiles : most);
  void* arguments[] = {&task, &in, &tiles};
  COURSE_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), dim3(blocks),
                                           dim3(kBlock), arguments, kBytes, nullptr));
}
inline void launch_sel_waves(const Select& s) { launch_waves<512, 4, 3, 2>(s); }

}  // namespace lesson07

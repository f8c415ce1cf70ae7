// SPDX-License-Identifier: MIT
// Compaction at the speed of the memory: all blocks run at once, and each hears all others directly.
#pragma once

#include <cuda_pipeline.h>

#include "lessons/07_vote_and_match/select_staged.cuh"
#include "lessons/07_vote_and_match/shared_memory.cuh"
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

// A tile whose count is said and whose place is not yet known: this thread's part of it.
template <int kLoads>
struct Pending {
  Share<kLoads> share;
  unsigned lanes_before, all, warps_before, count;
};

// Changed: nobody looks back along a chain. Blocks take tiles in turn, all of them run at once, and
//          each adds up what all of them said since its last tile: one word for each thread. It asks
//          for the place of a tile one round after it said its count. Tiles are on their way to
//          shared memory long before they are needed.
// Why:     when it asks, all have answered: nobody waits, and the memory always has work.
// Cost:    a cooperative launch: a block waits for others that must have begun. Two tiles in registers.
template <int kBlock, int kLoads, int kStages, int kBeside>
__global__ void __launch_bounds__(kBlock, kBeside)
    sel_waves(Select s, Aligned in, std::size_t tiles) {
  constexpr unsigned kWarps = kBlock / kWarp;
  extern __shared__ uint4 ring_memory[];
  __shared__ unsigned of_warps[kWarps], heard_by_warps[kWarps];
  const WaveWords words(s.words, tiles);
  const TileRing<kBlock, kLoads, kStages> ring(ring_memory, in);
  const std::size_t wave = gridDim.x;
  for (unsigned i = 0; i < kStages - 1; ++i)
    ring.fetch(i, blockIdx.x + i * wave, blockIdx.x + i * wave < tiles);
  std::uint64_t before = 0;  // wanted elements in all tiles before the pending one
  Pending<kLoads> old;
  unsigned round = 0;
  // One round more than there are tiles: the last one is pending then.
  for (std::size_t tile = blockIdx.x; tile < tiles + wave && blockIdx.x < tiles;
       tile += wave, ++round) {
    const bool fresh = tile<tiles, pending = round> 0;  // the same for the whole block
    Pending<kLoads> now;
    if (fresh) {
      ring.take(round, tile, s.threshold, now.share);
      now.lanes_before = before_in_warp(now.share.counts, now.all);
      if (lane() == 0) of_warps[warp_of_block()] = sum_of_bytes(now.all);
    }
    __syncthreads();  // the sums of the warps are there, and all have read their part of the stage
    const unsigned mine = lane() < kWarps ? of_warps[lane()] : 0;
    now.count = warp_sum(mine);
    now.warps_before = warp_sum(lane() < warp_of_block() ? mine : 0u);
    if (fresh && threadIdx.x == 0) words.say(tile, now.count);
    // What was said for the tiles before the pending one, a round ago: on its way while this goes on.
    const std::size_t last = tile - wave;  // the pending tile
    const std::size_t asked = (last < wave ? 0 : last - wave) + threadIdx.x;
    const unsigned word = pending && asked < last ? words.peek(asked) : 1;
    const std::size_t ahead = tile + (kStages - 1) * wave;
    ring.fetch(round + kStages - 1, ahead, ahead < tiles);  // into the stage left last
    uint4* const staged = ring.stage(round);
    if (pending)
      place(
          old.share, old.lanes_before, old.all, old.warps_before,
          [&](unsigned at, std::uint32_t v) { reinterpret_cast<std::uint32_t*>(staged)[at] = v; });
    unsigned heard = word == 1 ? 0 : words.hear(asked, word);
    if (pending)
      for (std::size_t i = asked + kBlock; i < last; i += kBlock) heard += words.hear(i, 0);
    heard = warp_sum(heard);
    if (lane() == 0) heard_by_warps[warp_of_block()] = heard;
    __syncthreads();
    before += warp_sum(lane() < kWarps ? heard_by_warps[lane()] : 0u);
    if (pending) copy_out(staged, old.count, s.out + before);
    if (pending && last == tiles - 1 && threadIdx.x == 0) *s.kept = before + old.count;
    old = now;
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
  allow_shared(kernel, kBytes);
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
// Measured on an H200: the fewer blocks, the fewer words each must hear; but a small input must be
// spread over all multiprocessors, and the large tiles must fit.
inline void launch_sel_waves(const Select& s) {
  if (s.n > 1 << 21 && TileRing<1024, 4, 3>::kBytes + 1024 <= most_shared_bytes())
    return launch_waves<1024, 4, 3, 1>(s);
  launch_waves<512, 4, 3, 2>(s);
}
inline const char* refuses_waves(const Select&) {
  return TileRing<512, 4, 3>::kBytes + 1024 > most_shared_bytes()
             ? "three tiles do not fit into shared memory"
             : nullptr;
}

}  // namespace lesson07

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

  __device__ TileRing(uint4* memory, const Aligned& in)
      : memory_(memory),
        in_(in),
        whole_from_(in.skew == 0 ? 0 : 1),
        whole_to_(static_cast<unsigned>(in.end / (4 * kVectors))),
        mine_(warp_of_block() * kLoads * kWarp + lane()),
        next_(std::size_t{blockIdx.x} * kVectors + mine_) {}

  __device__ uint4* stage(unsigned i) const { return memory_ + i * kVectors; }
  __device__ static unsigned after(unsigned i) { return i + 1 == kStages ? 0 : i + 1; }
  __device__ static unsigned before(unsigned i) { return i == 0 ? kStages - 1 : i - 1; }

  // The block's next tile that is not on its way yet. Always one commit, so that wait() can count them,
  // also where there is no such tile.
  __device__ void fetch(unsigned i, unsigned tile, unsigned tiles) {
    uint4* const to = stage(i) + mine_;
    const uint4* const from = in_.vectors + next_;
    if (whole(tile)) {
#pragma unroll
      for (int j = 0; j < kLoads; ++j)
        __pipeline_memcpy_async(to + j * kWarp, from + j * kWarp, sizeof(uint4));
    } else if (tile < tiles) {
      for (int j = 0; j < kLoads; ++j)
        if (inside(next_ + j * kWarp))
          __pipeline_memcpy_async(to + j * kWarp, from + j * kWarp, sizeof(uint4));
    }
    __pipeline_commit();
    next_ += std::size_t{gridDim.x} * kVectors;
  }
  // The share of the oldest tile that was fetched, and which of its elements are wanted.
  __device__ void take(unsigned i, unsigned tile, std::uint32_t threshold,
                       Share<kLoads>& share) const {
    __pipeline_wait_prior(kStages - 2);
    const uint4* const from = stage(i) + mine_;
#pragma unroll
    for (int j = 0; j < kLoads; ++j) share.v[j] = from[j * kWarp];
    unsigned there = 0xffffffffu;
    if (!whole(tile)) {
      const std::size_t first = std::size_t{tile} * kVectors + mine_;
      for (int j = 0; j < kLoads; ++j)
        if (!inside(first + j * kWarp)) share.v[j] = load_inside(in_, first + j * kWarp);
      there = inside_bits<kLoads>(in_, first);
    }
    share.wanted = wanted_bits(share.v, threshold) & there;
    share.counts = counts_of(share.wanted);
  }

 private:
  __device__ bool inside(std::size_t i) const { return 4 * i >= in_.skew && 4 * i + 4 <= in_.end; }
  __device__ bool whole(unsigned tile) const { return tile >= whole_from_ && tile < whole_to_; }

  uint4* memory_;
  Aligned in_;
  unsigned whole_from_, whole_to_;  // the tiles that are all inside
  unsigned mine_;                   // this thread's first vector of a tile
  std::size_t next_;                // and of the next tile, in the input
};

// A tile whose count is said and whose place is not yet known: this thread's part of it.
template <int kLoads>
struct Pending {
  Share<kLoads> share;
  unsigned lanes_before, all, warps_before;
};

// Changed: nobody looks back along a chain. Blocks take tiles in turn, all of them run at once, and
//          each adds up what all of them said since its last tile: one word for each thread. It asks
//          for the place of a tile one round after it said its count. Tiles are on their way to
//          shared memory long before they are needed.
// Why:     when it asks, all have answered: nobody waits, and the memory always has work.
// Cost:    a cooperative launch: a block waits for others that must have begun. Two tiles in registers.
template <int kBlock, int kLoads, int kStages, int kBeside>
__global__ void __launch_bounds__(kBlock, kBeside) sel_waves(Select s, Aligned in, unsigned tiles) {
  constexpr unsigned kWarps = kBlock / kWarp;
  extern __shared__ uint4 ring_memory[];
  __shared__ unsigned of_warps[kWarps], heard_by_warps[kWarps], counts[kStages];
  const WaveWords words(s.words, tiles);
  TileRing<kBlock, kLoads, kStages> ring(ring_memory, in);
  const unsigned wave = gridDim.x;  // at most kBlock
  const bool hears = warp_of_block() * kWarp < wave;
  for (unsigned i = 0; i < kStages - 1; ++i) ring.fetch(i, blockIdx.x + i * wave, tiles);
  std::uint64_t before = 0;  // wanted elements in all tiles before the pending one
  Pending<kLoads> old;
  unsigned stage = 0;
  // One round more than there are tiles: the last one is pending then.
  for (unsigned tile = blockIdx.x; tile < tiles + wave; tile += wave, stage = ring.after(stage)) {
    const bool fresh = tile < tiles, pending = tile >= wave;  // the same for the whole block
    Pending<kLoads> now;
    if (fresh) {
      ring.take(stage, tile, s.threshold, now.share);
      now.lanes_before = before_in_warp(now.share.counts, now.all);
      if (lane() == 0) of_warps[warp_of_block()] = sum_of_bytes(now.all);
    }
    __syncthreads();  // the sums of the warps are there, and all have read their part of the stage
    const unsigned mine = lane() < kWarps ? of_warps[lane()] : 0;
    if (warp_of_block() == 0 && fresh) {
      const unsigned count = warp_sum(mine);
      if (lane() == 0) {
        words.say(tile, count);
        counts[stage] = count;
      }
    }
    // What was said for the tiles before the pending one, a round ago: on its way while this goes on.
    const unsigned last = tile - wave;  // the pending tile
    const unsigned asked = (last < wave ? 0 : last - wave) + threadIdx.x;
    const bool asks = hears && pending && asked < last;
    const unsigned word = asks ? words.peek(asked) : 1;
    now.warps_before = warp_sum(lane() < warp_of_block() ? mine : 0u);
    ring.fetch(ring.before(stage), tile + (kStages - 1) * wave, tiles);  // into the stage left last
    uint4* const staged = ring.stage(stage);
    if (pending)
      place(
          old.share, old.lanes_before, old.all, old.warps_before,
          [&](unsigned at, std::uint32_t v) { reinterpret_cast<std::uint32_t*>(staged)[at] = v; });
    if (hears) {
      const unsigned heard = warp_sum(asks ? words.hear(asked, word) : 0u);
      if (lane() == 0) heard_by_warps[warp_of_block()] = heard;
    }
    __syncthreads();
    before += warp_sum(lane() * kWarp < wave ? heard_by_warps[lane()] : 0u);
    if (pending) {
      const unsigned count = counts[ring.before(stage)];
      copy_out(staged, count, s.out + before);
      if (last == tiles - 1 && threadIdx.x == 0) *s.kept = before + count;
    }
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
  auto tiles = static_cast<unsigned>(s.n == 0 ? 0 : (in.end + kTile - 1) / kTile);
  // A block has a thread for each word that it hears.
  const unsigned fit = static_cast<unsigned>(s.device->multiprocessors) *
                       static_cast<unsigned>(beside < kBeside ? beside : kBeside);
  const unsigned most = fit < kBlock ? fit : kBlock;
  const unsigned blocks = tiles < 1 ? 1 : tiles < most ? tiles : most;
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

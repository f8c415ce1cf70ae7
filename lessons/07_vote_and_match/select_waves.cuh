// SPDX-License-Identifier: MIT
// Compaction at the speed of the memory: all blocks run at once, and each hears all others directly.
#pragma once

#include "lessons/07_vote_and_match/select_staged.cuh"

namespace lesson07 {

// A word for each tile: its count, plus one, so that 0 means: not yet said. Count and flag are one
// word, so no order is needed. Zero before and after each launch.
class WaveWords {
 public:
  __device__ WaveWords(std::uint64_t* words, std::size_t tiles)
      : done_(reinterpret_cast<unsigned*>(words)), words_(done_ + 1), tiles_(tiles) {}

  __device__ void say(std::size_t tile, unsigned count) const {
    Ref(words_[tile]).store(count + 1, cuda::memory_order_relaxed);
  }
  __device__ unsigned hear(std::size_t tile) const {
    unsigned word = 0;
    while ((word = Ref(words_[tile]).load(cuda::memory_order_relaxed)) == 0) {
    }
    return word - 1;
  }
  // All threads of a block, at its end. The last block leaves zeros.
  __device__ void close() const {
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0)
      last = Ref(*done_).fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
    __syncthreads();
    if (!last) return;
    if (threadIdx.x == 0) *done_ = 0;
    for (std::size_t i = threadIdx.x; i < tiles_; i += blockDim.x) words_[i] = 0;
  }

 private:
  using Ref = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
  unsigned* done_;
  unsigned* words_;
  std::size_t tiles_;
};

// Changed: nobody looks back along a chain. Blocks take tiles in turn, all of them run at once, and
//          each adds up what all of them said since its last tile: one word for each thread.
// Why:     a place is known one trip after the last count was said, however many tiles lie between.
// Cost:    a cooperative launch: a block waits for others that must have begun.
template <int kBlock, int kLoads, int kBeside>
__global__ void __launch_bounds__(kBlock, kBeside)
    sel_waves(Select s, Aligned in, std::size_t tiles) {
  constexpr unsigned kTile = 4 * kLoads * kBlock, kWarps = kBlock / kWarp;
  __shared__ uint4 staged[kTile / 4 + 1];  // copy_out reads one vector further
  __shared__ unsigned of_warps[kWarps], heard_by_warps[kWarps];
  const WaveWords words(s.words, tiles);
  Share<kLoads> share;
  std::uint64_t before = 0;  // wanted elements in all tiles before this one
  std::size_t tile = blockIdx.x;
  if (tile < tiles) load(in, tile, share);
  for (; tile < tiles; tile += gridDim.x) {
    decide(in, tile, s.threshold, share);
    unsigned all = 0;
    const unsigned lanes_before = before_in_warp(share.counts, all);
    if (lane() == 0) of_warps[warp_of_block()] = sum_of_bytes(all);
    __syncthreads();
    const unsigned mine = lane() < kWarps ? of_warps[lane()] : 0;
    const unsigned count = __reduce_add_sync(kAllLanes, mine);
    if (threadIdx.x == 0) words.say(tile, count);
    const unsigned warps_before =
        __reduce_add_sync(kAllLanes, lane() < warp_of_block() ? mine : 0u);
    place(share, lanes_before, all, warps_before, [&](unsigned at, std::uint32_t v) {
      reinterpret_cast<std::uint32_t*>(staged)[at] = v;
    });
    if (tile + gridDim.x < tiles) load(in, tile + gridDim.x, share);
    unsigned heard = 0;
    for (std::size_t i = (tile < gridDim.x ? 0 : tile - gridDim.x) + threadIdx.x; i < tile;
         i += kBlock)
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

template <int kBlock, int kLoads, int kBeside>
void launch_waves(const Select& s) {
  constexpr std::size_t kTile = 4 * kLoads * kBlock;
  static_assert(kTile >= 1024, "there is room for one word for each 1024 elements");
  const auto kernel = &sel_waves<kBlock, kLoads, kBeside>;
  int beside = 0;
  COURSE_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&beside, kernel, kBlock, 0));
  Select task = s;
  Aligned in = aligned(s);
  std::size_t tiles = s.n == 0 ? 0 : (in.end + kTile - 1) / kTile;
  const std::size_t most = static_cast<std::size_t>(s.device->multiprocessors) *
                           (beside < kBeside ? beside : kBeside);
  const auto blocks = static_cast<unsigned>(tiles < 1 ? 1 : tiles < most ? tiles : most);
  void* arguments[] = {&task, &in, &tiles};
  COURSE_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), dim3(blocks),
                                           dim3(kBlock), arguments, 0, nullptr));
}
inline void launch_sel_waves(const Select& s) { launch_waves<512, 4, 3>(s); }

}  // namespace lesson07

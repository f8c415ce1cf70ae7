// SPDX-License-Identifier: MIT
// Segmented reduction: one sum for each segment. Segment s is in[offsets[s]] ... in[offsets[s+1] - 1].
#pragma once

#include <algorithm>

#include "common/arrays/segments.hpp"
#include "common/check.cuh"
#include "lessons/08_scan/cut_long.cuh"
#include "lessons/08_scan/even_shares.cuh"
#include "lessons/08_scan/scan_task.cuh"

namespace lesson08 {

using course::Segments;

// The words of a task: even_shares has the first ones, the board of cut_long lies behind them.
constexpr std::size_t kBoardAt = 8192;

// Changed: (the first rung) one block for each segment, as the library does it.
// Why:     it is a sum of lesson 04 per segment.
// Cost:    few long segments leave most of the GPU without work, many short ones most of each block.
template <class T>
__global__ void per_block(const T* in, const unsigned* offsets, T* out) {
  __shared__ T of_warp[32];
  T mine = 0;
  for (unsigned i = offsets[blockIdx.x] + threadIdx.x; i < offsets[blockIdx.x + 1]; i += blockDim.x)
    mine += in[i];
  mine = all_lanes(mine);
  if (lane_id() == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  mine = all_lanes(lane_id() < blockDim.x / 32 ? of_warp[lane_id()] : 0);
  if (threadIdx.x == 0) out[blockIdx.x] = mine;
}

inline void launch_per_block(const Segments& s) {
  if (s.segments == 0) return;
  per_block<<<s.segments, s.block>>>(s.in, s.offsets, s.out);
  COURSE_CHECK(cudaGetLastError());
}

// Changed: one warp for each segment.
// Why:     no barrier, no shared memory; a short segment idles 32 threads and not a block.
// Cost:    a long segment has 32 threads and no more.
template <class T>
__global__ void per_warp(const T* in, const unsigned* offsets, unsigned segments, T* out) {
  const unsigned s = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (s >= segments) return;
  float mine = 0;
  for (unsigned i = offsets[s] + lane_id(); i < offsets[s + 1]; i += 32) mine += in[i];
  mine = all_lanes(mine);
  if (lane_id() == 0) out[s] = mine;
}

inline void launch_per_warp(const Segments& s) {
  if (s.segments == 0) return;
  const unsigned warps = static_cast<unsigned>(s.block) / 32;
  per_warp<<<(s.segments + warps - 1) / warps, s.block>>>(s.in, s.offsets, s.segments, s.out);
  COURSE_CHECK(cudaGetLastError());
}

// Changed: every warp gets an equal share of elements and segment ends, wherever that begins and ends.
//          Sums of segments that go on in other shares are handed over as in a scan: value and flag in
//          one word.
// Why:     the lengths of the segments do not matter any more.
// Cost:    a search for the begin of each share, and the hand-over.
inline void launch_even_shares(const Segments& s) {
  if (s.segments == 0) return;
  const unsigned most = kShareBlocks * static_cast<unsigned>(s.device->multiprocessors);
  const unsigned long long steps = s.n + std::size_t{s.segments};
  const unsigned long long useful = (steps + kShareThreads * 8 - 1) / (kShareThreads * 8);
  const unsigned blocks = useful < most ? static_cast<unsigned>(useful) : most;
  launch_together(
      even_shares<kShareThreads, kShareBlocks>, blocks, kShareThreads, 0,
      SegmentedSum{s.in, s.offsets, s.out, s.n, s.segments, reinterpret_cast<Word*>(s.words)});
}

// Changed: a block for each segment again, but a segment that is much longer than the others is cut into
//          pieces, and helpers take those: blocks that begin before all others.
// Why:     nobody searches, blocks are short, and where one ends the GPU begins the next by itself: it
//          reads all the time. Even shares begin together and end together.
// Cost:    every helper looks at all segments; and short ones leave most of their block without work.
template <int kThreads, int kBlocks, int kBatch>
void cut_long_with(const Segments& s, unsigned average) {
  const auto all = static_cast<unsigned>(s.device->multiprocessors);
  Cutting cutting;
  cutting.helpers = all;
  // Segments of so many averages are soon summed up by one block too, and are better left to it; where there
  // are few, none shall be more than a multiprocessor's share of the array.
  const std::uint64_t few = (average < 16384 ? 8u : 4u) * std::uint64_t{average};
  const std::uint64_t most = std::min(kMostPieces, kMostOfHelper * cutting.helpers);
  const std::uint64_t least = 2 * s.n / most + 1;  // or there would be too many pieces
  cutting.piece = static_cast<unsigned>(
      std::max(std::clamp(few / 2, std::uint64_t{1}, std::uint64_t{16384}), least));
  cutting.limit =
      static_cast<unsigned>(std::max(std::min(few, s.n / all), std::uint64_t{cutting.piece}));
  static_assert(sizeof(PieceBoard) <= (course::kSegmentWords - kBoardAt) * sizeof(Word));
  cut_long<kThreads, kBlocks, kBatch><<<cutting.helpers + s.segments, kThreads>>>(
      SegmentedSum{s.in, s.offsets, s.out, s.n, s.segments, nullptr}, cutting,
      reinterpret_cast<PieceBoard*>(s.words + kBoardAt));
  COURSE_CHECK(cudaGetLastError());
}

inline void launch_cut_long(const Segments& s) {
  if (s.segments == 0) return;
  const auto average = static_cast<unsigned>(s.n / s.segments);
  if (average < 16384)
    cut_long_with<256, 8, 4>(s, average);
  else if (average < 1u << 17)
    cut_long_with<512, 4, 4>(s, average);
  else
    cut_long_with<1024, 2, 4>(s, average);
}

// Changed: the segments' average length decides.
// Why:     a block for each is best where it has enough to read, and there are enough of them.
// Cost:    two kernels to test. The bounds are from measurements on an H200.
inline void launch_any_length(const Segments& s) {
  const auto all = static_cast<unsigned>(s.device->multiprocessors);
  if (s.segments > all && s.n / s.segments >= 4096)
    launch_cut_long(s);
  else
    launch_even_shares(s);
}

}  // namespace lesson08

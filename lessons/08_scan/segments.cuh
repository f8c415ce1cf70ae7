// SPDX-License-Identifier: MIT
// Segmented reduction: one sum for each segment. Segment s is in[offsets[s]] ... in[offsets[s+1] - 1].
#pragma once

#include "common/check.cuh"
#include "common/segments.hpp"
#include "lessons/08_scan/even_shares.cuh"
#include "lessons/08_scan/scan_task.cuh"

namespace lesson08 {

using course::Segments;

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

}  // namespace lesson08

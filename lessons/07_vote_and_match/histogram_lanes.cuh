// SPDX-License-Identifier: MIT
// Histogram, few bins: every lane has a counter of its own for each bin.
#pragma once

#include "lessons/07_vote_and_match/histogram.cuh"
#include "lessons/07_vote_and_match/one_launch.cuh"

namespace lesson07 {

// Changed: one table for the block, with 32 counters for each bin, one per lane. The counters of lane i
//          lie in bank i. And one launch does it all.
// Why:     no two lanes of a warp ever meet, neither at a counter nor at a bank, whatever the samples
//          are. A warp counts 32 samples in one pass.
// Cost:    128 bytes for each bin: 256 bins take 32 KB.
template <class T, int kBins, int kLoads>
__global__ void __launch_bounds__(1024)
    hist_lanes(Vectors<T> x, std::uint32_t bins, std::uint32_t* result, unsigned* words) {
  const SharedCounts counts(result, bins, words);
  counts.open();
  std::uint32_t* const mine = cleared_table(kBins * kWarp) + lane();
  const auto count = [&](std::uint32_t sample, bool there) {
    // Of a byte with a table of 256 the compiler knows that it is inside.
    if (there && sample < kBins) atomicAdd(mine + sample * kWarp, 1u);
  };
  const auto count_vector = [&](const uint4& v, bool there) {
#pragma unroll
    for (int k = 0; k < kPerVector<T>; ++k) count(sample_of<T>(v, k), there);
  };
  each_vector<T, kLoads>(x, count_vector, count);
  counts.wait_together();
  // A warp adds up 32 bins, and each lane keeps the sum of one: 32 neighbours are added at once. (The
  // table may have more counters than there are bins.)
  for (unsigned first = warp_of_block() * kWarp; first < bins; first += blockDim.x) {
    std::uint32_t sum_of_mine = 0;
    for (unsigned k = 0; k < kWarp; ++k) {
      const std::uint32_t sum = warp_sum(mine[(first + k) * kWarp]);
      if (k == lane()) sum_of_mine = sum;
    }
    if (first + lane() < bins) counts.add(first + lane(), sum_of_mine);
  }
  counts.close();
}

template <class T>
using OneLaunch = void (*)(Vectors<T> x, std::uint32_t bins, std::uint32_t* counts,
                           unsigned* words);

inline const char* refuses_lanes(const Histogram& h) {
  return h.bins != 64 && h.bins != 256 ? "32 counters for each bin: made for 64 and for 256 bins"
                                       : nullptr;
}
// As many blocks as fit beside each other, and no more than there is work for.
template <class T>
unsigned grid_of_vectors(const Histogram& h, std::size_t bytes, std::size_t vectors_per_block) {
  const std::size_t most = blocks_beside(bytes, h.block) * h.device->multiprocessors;
  const std::size_t needed = h.n / kPerVector<T> / vectors_per_block;
  return static_cast<unsigned>(needed < 1 ? 1 : needed < most ? needed : most);
}
template <class T>
void launch_once(const Histogram& h, const T* in, OneLaunch<T> kernel, unsigned blocks,
                 std::size_t bytes) {
  allow_shared(kernel, bytes);
  kernel<<<blocks, h.block, bytes>>>(as_vectors(in, h.n), h.bins, h.counts, h.words);
  COURSE_CHECK(cudaGetLastError());
}
inline void launch_hist_lanes(const Histogram& h) {
  const std::size_t bytes = table_bytes(h.bins * kWarp);
  with_sample(h, [&]<class T>(const T* in) {
    constexpr int kLoads = sizeof(T) == 1 ? 2 : 4;
    const auto kernel = h.bins == 64 ? &hist_lanes<T, 64, kLoads> : &hist_lanes<T, 256, kLoads>;
    launch_once<T>(h, in, kernel, grid_of_vectors<T>(h, bytes, h.block), bytes);
  });
}

}  // namespace lesson07

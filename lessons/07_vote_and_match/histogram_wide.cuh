// SPDX-License-Identifier: MIT
// Histogram, many bins: as many as shared memory holds, twice as many in half the bits, twice as many
// again in two blocks that share.
#pragma once

#include <cooperative_groups.h>

#include "lessons/07_vote_and_match/histogram_lanes.cuh"

namespace lesson07 {

// Where all four samples of each lane are the same, as in sorted data, a lane adds 4 at once; where all
// lanes have the same, one adds for all. One vote decides for the warp, so nobody diverges.
template <class Add>
__device__ void count_with_votes(const uint4& v, bool there, Add add) {
  const bool run = v.x == v.y && v.x == v.z && v.x == v.w;
  if (!__all_sync(kAllLanes, there && run)) {
    if (!there) return;
    add(v.x, 1u), add(v.y, 1u), add(v.z, 1u), add(v.w, 1u);
  } else if (__all_sync(kAllLanes, v.x == __shfl_sync(kAllLanes, v.x, 0))) {
    if (lane() == 0) add(v.x, 4 * kWarp);
  } else {
    add(v.x, 4u);
  }
}

// Changed: one block of 1024 threads on each multiprocessor has all its shared memory for one table.
// Why:     more bins: 58 thousand counters of 32 bits.
// Cost:    lanes may meet at a bank again: on average three or four passes for a warp.
template <class T, int kLoads>
__global__ void __launch_bounds__(1024)
    hist_wide(Vectors<T> x, std::uint32_t bins, std::uint32_t* result, unsigned* words) {
  const SharedCounts counts(result, bins, words);
  counts.open();
  std::uint32_t* const table = cleared_table(bins);
  const auto count = [&](std::uint32_t sample, bool there) {
    if (there && sample < bins) atomicAdd(table + sample, 1u);
  };
  const auto count_vector = [&](const uint4& v, bool there) {
#pragma unroll
    for (int k = 0; k < kPerVector<T>; ++k) count(sample_of<T>(v, k), there);
  };
  each_vector<T, kLoads>(x, count_vector, count);
  counts.wait_together();
  for (std::uint32_t b = threadIdx.x; b < bins; b += blockDim.x) counts.add(b, table[b]);
  counts.close();
}

// Two bins in one word, 16 bits each: bin b below, bin b + half above. A count that does not fit
// carries over, and whoever caused that sees it in what the addition returns. It moves the 65536 to
// the result and takes the carry back out of the neighbour's half.
class PackedTable {
 public:
  __device__ PackedTable(std::uint32_t* words, std::uint32_t half, const SharedCounts& counts)
      : words_(words), half_(half), counts_(counts) {}

  // k of the same sample, at most 65535.
  __device__ void add(std::uint32_t bin, std::uint32_t k) const {
    const bool upper = bin >= half_;
    const std::uint32_t i = upper ? bin - half_ : bin, shift = upper ? 16 : 0;
    const std::uint32_t old = atomicAdd(words_ + i, k << shift);
    if ((old >> shift & 0xffffu) + k > 0xffffu) carry(i, upper);
  }
  __device__ std::uint32_t lower(std::uint32_t i) const { return words_[i] & 0xffffu; }
  __device__ std::uint32_t upper(std::uint32_t i) const { return words_[i] >> 16; }

 private:
  // All of it is addition, so the order in which threads do it does not matter: what the word holds,
  // and what left it at the top, is in the end what was added.
  __device__ __noinline__ void carry(std::uint32_t i, bool upper) const {
    counts_.wait();
    counts_.add(upper ? i + half_ : i, 0x10000u);
    if (upper) return;  // it left the word at the top
    if (atomicSub(words_ + i, 0x10000u) < 0x10000u) counts_.add(i + half_, 0u - 0x10000u);
  }
  std::uint32_t* words_;
  std::uint32_t half_;
  SharedCounts counts_;
};

// Changed: counters of 16 bits, two in a word.
// Why:     65,536 bins take 128 KB.
// Cost:    an addition must return what was there before, so that a carry is seen.
template <int kLoads>
__global__ void __launch_bounds__(1024) hist_packed(Vectors<std::uint32_t> x, std::uint32_t bins,
                                                    std::uint32_t* result, unsigned* words) {
  const SharedCounts counts(result, bins, words);
  counts.open();
  const std::uint32_t half = (bins + 1) / 2;
  const PackedTable table(cleared_table(half), half, counts);
  const auto add = [&](std::uint32_t sample, std::uint32_t k) {
    if (sample < bins) table.add(sample, k);
  };
  each_vector<std::uint32_t, kLoads>(
      x, [&](const uint4& v, bool there) { count_with_votes(v, there, add); },
      [&](std::uint32_t sample, bool there) {
        if (there) add(sample, 1);
      });
  counts.wait_together();
  for (std::uint32_t i = threadIdx.x; i < half; i += blockDim.x) {
    counts.add(i, table.lower(i));
    if (i + half < bins) counts.add(i + half, table.upper(i));
  }
  counts.close();
}

// Changed: two blocks, on two multiprocessors, share one table of 32-bit counters: each holds half.
// Why:     a table as large as two shared memories, without carries.
// Cost:    half of all additions go to the other multiprocessor.
template <int kLoads>
__global__ void __launch_bounds__(1024) hist_cluster(Vectors<std::uint32_t> x, std::uint32_t bins,
                                                     std::uint32_t* result, unsigned* words) {
#if __CUDA_ARCH__ >= 900
  const auto cluster = cooperative_groups::this_cluster();
  const SharedCounts counts(result, bins, words);
  counts.open();
  const std::uint32_t half = (bins + 1) / 2;
  std::uint32_t* const mine = cleared_table(half);
  std::uint32_t* const tables[] = {cluster.map_shared_rank(mine, 0),
                                   cluster.map_shared_rank(mine, 1)};
  cluster.sync();  // both tables are clear
  const auto add = [&](std::uint32_t sample, std::uint32_t k) {
    if (sample >= bins) return;
    const bool upper = sample >= half;
    atomicAdd((upper ? tables[1] : tables[0]) + (upper ? sample - half : sample), k);
  };
  each_vector<std::uint32_t, kLoads>(
      x, [&](const uint4& v, bool there) { count_with_votes(v, there, add); },
      [&](std::uint32_t sample, bool there) {
        if (there) add(sample, 1);
      });
  cluster.sync();  // nobody adds any more
  counts.wait_together();
  const std::uint32_t first = cluster.block_rank() * half;
  for (std::uint32_t i = threadIdx.x; i < half && first + i < bins; i += blockDim.x)
    counts.add(first + i, mine[i]);
  counts.close();
#endif
}

// ---- launching: always 1024 threads, so --block has no say

inline Histogram in_large_blocks(Histogram h) {
  h.block = 1024;
  return h;
}
inline const char* refuses_bytes(const Histogram& h) {
  return h.sample_bytes == 1 ? "bytes have 256 values: there is no need for it" : nullptr;
}
// A block adds its whole table to the result, so each should have several samples for a bin.
inline unsigned wide_grid(const Histogram& h, std::size_t bytes, std::size_t least_samples) {
  const std::size_t most = blocks_beside(bytes, h.block) * h.device->multiprocessors;
  const std::size_t needed = h.n / least_samples;
  return static_cast<unsigned>(needed < 1 ? 1 : needed < most ? needed : most);
}
inline void launch_hist_wide(const Histogram& asked) {
  const Histogram h = in_large_blocks(asked);
  const std::size_t bytes = table_bytes(h.bins);
  const std::size_t least = h.bins / 2 > 4096 ? h.bins / 2 : 4096;
  with_sample(h, [&]<class T>(const T* in) {
    launch_once<T>(h, in, &hist_wide<T, (sizeof(T) == 1 ? 2 : 4)>, wide_grid(h, bytes, least),
                   bytes);
  });
}
inline void launch_hist_packed(const Histogram& asked) {
  const Histogram h = in_large_blocks(asked);
  const std::size_t bytes = table_bytes((h.bins + 1) / 2);
  const std::size_t least = h.bins / 2 > 4096 ? h.bins / 2 : 4096;
  launch_once(h, static_cast<const std::uint32_t*>(h.in), &hist_packed<4>,
              wide_grid(h, bytes, least), bytes);
}
inline void launch_hist_cluster(const Histogram& asked) {
  const Histogram h = in_large_blocks(asked);
  const std::size_t bytes = table_bytes((h.bins + 1) / 2);
  allow_shared(hist_cluster<4>, bytes);
  cudaLaunchAttribute pairs{};
  pairs.id = cudaLaunchAttributeClusterDimension;
  pairs.val.clusterDim = {2, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = (wide_grid(h, bytes, 4096) + 1) / 2 * 2;
  config.blockDim = h.block;
  config.dynamicSmemBytes = bytes;
  config.attrs = &pairs;
  config.numAttrs = 1;
  const auto x = as_vectors(static_cast<const std::uint32_t*>(h.in), h.n);
  COURSE_CHECK(cudaLaunchKernelEx(&config, hist_cluster<4>, x, h.bins, h.counts, h.words));
}

}  // namespace lesson07

// SPDX-License-Identifier: MIT
// Histogram, many bins and few samples: the tables themselves are what costs.
#pragma once

#include <cooperative_groups.h>

#include "lessons/07_vote_and_match/histogram_wide.cuh"

namespace lesson07 {

constexpr unsigned kExchangeThreads = 1024, kExchangeLoads = 2;
// A block's tile is kExchangeLoads vectors for each thread. With so many tiles no counter of 16 bits
// can run over, whatever the samples are.
constexpr std::size_t kExchangeTile = kExchangeThreads * kExchangeLoads;
constexpr std::size_t kMostTiles = (65535 - 32) / (kExchangeTile * kPerVector<std::uint32_t>);

// This block's share of the bins: four words of the tables at a time, added up over all tables. 16
// threads share a four, each with every 16th table.
__device__ inline void add_up_tables(const uint4* tables, std::uint32_t bins,
                                     std::uint32_t* result) {
  constexpr unsigned kColumns = 64, kParts = kExchangeThreads / kColumns;
  const std::uint32_t half = (bins + 1) / 2, fours = (half + 3) / 4;
  const std::uint32_t each = (fours + gridDim.x - 1) / gridDim.x;
  const unsigned column = threadIdx.x % kColumns, part = threadIdx.x / kColumns;
  const auto sums =
      reinterpret_cast<std::uint32_t*>(shared_memory);  // lower halves, then upper ones
  for (std::uint32_t first = 0; first < each; first += kColumns) {
    for (unsigned i = threadIdx.x; i < 8 * kColumns; i += blockDim.x) sums[i] = 0;
    __syncthreads();
    const std::uint32_t at = blockIdx.x * each + first + column;
    if (first + column < each && at < fours) {
      std::uint32_t lower[4] = {}, upper[4] = {};
      for (unsigned table = part; table < gridDim.x; table += kParts) {
        const uint4 v = __ldcg(tables + std::size_t{table} * fours + at);
        const std::uint32_t words[] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int k = 0; k < 4; ++k) lower[k] += words[k] & 0xffffu, upper[k] += words[k] >> 16;
      }
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        atomicAdd(sums + 4 * column + k, lower[k]);
        atomicAdd(sums + 4 * (kColumns + column) + k, upper[k]);
      }
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 4 * kColumns && first + i / 4 < each; i += blockDim.x) {
      const std::uint32_t bin = (blockIdx.x * each + first) * 4 + i;
      if (bin < half) result[bin] = sums[i];
      if (bin < half && bin + half < bins) result[bin + half] = sums[4 * kColumns + i];
    }
    __syncthreads();
  }
}

// Changed: blocks write their tables to memory, wait for each other, and each adds up a share of the
//          bins over all tables.
// Why:     with few samples for a bin, an atomic for each bin of each table is nearly an atomic for each
//          sample. A table is written and read 16 bytes at a time. And nothing has to be cleared.
// Cost:    memory for all tables, a cooperative launch; samples enough for a carry are not for it.
static __global__ void __launch_bounds__(kExchangeThreads)
    hist_exchanged(Vectors<std::uint32_t> x, std::uint32_t bins, std::uint32_t* result,
                   uint4* tables) {
  const std::uint32_t half = (bins + 1) / 2, fours = (half + 3) / 4;
  std::uint32_t* const words = cleared_table(half);
  const auto add = [&](std::uint32_t sample, std::uint32_t k) {
    if (sample >= bins) return;
    const bool upper = sample >= half;
    atomicAdd(words + (upper ? sample - half : sample), k << (upper ? 16 : 0));
  };
  each_vector<std::uint32_t, kExchangeLoads>(
      x, [&](const uint4& v, bool there) { count_with_votes(v, there, add); },
      [&](std::uint32_t sample, bool there) {
        if (there) add(sample, 1);
      });
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < fours; i += blockDim.x)
    tables[std::size_t{blockIdx.x} * fours + i] = shared_memory[i];
  cooperative_groups::this_grid().sync();
  add_up_tables(tables, bins, result);
}

inline unsigned exchange_blocks(const Histogram& h) {
  const std::size_t most = h.device->multiprocessors;
  const std::size_t tiles = h.n / kPerVector<std::uint32_t> / kExchangeTile + 1;
  return static_cast<unsigned>(tiles < most ? tiles : most);
}
inline const char* refuses_exchange(const Histogram& h) {
  if (h.sample_bytes == 1) return refuses_bytes(h);
  if (h.tables == nullptr) return "made for more than 4096 bins";
  const std::size_t tiles = h.n / kPerVector<std::uint32_t> / kExchangeTile + 1;
  return tiles > kMostTiles * exchange_blocks(h) ? "so many samples could run over 16 bits"
                                                 : nullptr;
}
inline void launch_hist_exchanged(const Histogram& h) {
  const std::size_t bytes = table_bytes((h.bins + 1) / 2);
  allow_shared(hist_exchanged, bytes);
  auto x = as_vectors(static_cast<const std::uint32_t*>(h.in), h.n);
  std::uint32_t bins = h.bins, *counts = h.counts;
  auto* tables = reinterpret_cast<uint4*>(h.tables);
  void* arguments[] = {&x, &bins, &counts, &tables};
  COURSE_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&hist_exchanged),
                                           dim3(exchange_blocks(h)), dim3(kExchangeThreads),
                                           arguments, bytes, nullptr));
}

}  // namespace lesson07

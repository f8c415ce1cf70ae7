// SPDX-License-Identifier: MIT
// Histogram, the first rungs: where the counters lie, and how many copies of them there are.
#pragma once

#include "common/arrays/histogram.hpp"
#include "common/check.cuh"
#include "common/launch.cuh"
#include "lessons/07_vote_and_match/lanes.cuh"
#include "lessons/07_vote_and_match/samples.cuh"
#include "lessons/07_vote_and_match/shared_memory.cuh"

namespace lesson07 {

using course::Device;
using course::full_grid;
using course::Histogram;

// Calls f with a null pointer to the type of the samples.
template <class F>
void with_sample(const Histogram& h, F&& f) {
  if (h.sample_bytes == 1) {
    f(static_cast<const std::uint8_t*>(h.in));
  } else {
    f(static_cast<const std::uint32_t*>(h.in));
  }
}
inline void clear_counts(const Histogram& h) {
  COURSE_CHECK(cudaMemsetAsync(h.counts, 0, h.bins * sizeof(std::uint32_t)));
}

// Changed: nothing yet. Every thread adds 1 to the counter of its sample.
// Cost:    a trip to the L2 cache for every sample; samples of the same bin stand in line there.
template <class T>
__global__ void hist_global(const T* in, std::size_t n, std::uint32_t bins, std::uint32_t* counts) {
  each_sample(in, n, [&](std::uint32_t sample, bool there) {
    if (there && sample < bins) atomicAdd(counts + sample, 1u);
  });
}
inline void launch_hist_global(const Histogram& h) {
  clear_counts(h);
  with_sample(h, [&](auto* in) {
    hist_global<<<full_grid(*h.device, h.n, h.block), h.block>>>(in, h.n, h.bins, h.counts);
  });
  COURSE_CHECK(cudaGetLastError());
}

extern __shared__ uint4 shared_memory[];  // aligned to 16 bytes; each kernel says what lies in it

// A table of shared memory, set to zero by all threads of the block; a multiple of 4 words.
__device__ inline std::uint32_t* cleared_table(std::uint32_t words) {
  for (std::uint32_t i = threadIdx.x; i < (words + 3) / 4; i += blockDim.x)
    shared_memory[i] = uint4{};
  __syncthreads();
  return reinterpret_cast<std::uint32_t*>(shared_memory);
}

// Changed: every block counts in its own table, in shared memory, and adds it to the result once.
// Why:     shared memory is on the multiprocessor, and counts a lane's 1 in a few cycles.
// Cost:    the bins must fit; each block adds all of them to the result in the end.
template <class T>
__global__ void hist_shared(const T* in, std::size_t n, std::uint32_t bins, std::uint32_t* counts) {
  std::uint32_t* const table = cleared_table(bins);
  each_sample(in, n, [&](std::uint32_t sample, bool there) {
    if (there && sample < bins) atomicAdd(table + sample, 1u);
  });
  __syncthreads();
  for (std::uint32_t b = threadIdx.x; b < bins; b += blockDim.x)
    if (table[b] > 0) atomicAdd(counts + b, table[b]);
}

// Changed: every warp has a table of its own.
// Why:     warps no longer meet at a counter. (Within a warp lanes still do.)
// Cost:    as many tables as warps to hold, to clear and to add up.
struct WarpTables {
  std::uint32_t* mine;
  std::uint32_t bins;
};
__device__ inline WarpTables warp_tables(std::uint32_t bins) {
  return {cleared_table(bins * warps_of_block()) + warp_of_block() * bins, bins};
}
__device__ inline void add_warp_tables(std::uint32_t bins, std::uint32_t* counts) {
  __syncthreads();
  const auto tables = reinterpret_cast<const std::uint32_t*>(shared_memory);
  for (std::uint32_t b = threadIdx.x; b < bins; b += blockDim.x) {
    std::uint32_t sum = 0;
    for (unsigned w = 0; w < warps_of_block(); ++w) sum += tables[w * bins + b];
    if (sum > 0) atomicAdd(counts + b, sum);
  }
}
template <class T>
__global__ void hist_warp(const T* in, std::size_t n, std::uint32_t bins, std::uint32_t* counts) {
  const WarpTables tables = warp_tables(bins);
  each_sample(in, n, [&](std::uint32_t sample, bool there) {
    if (there && sample < bins) atomicAdd(tables.mine + sample, 1u);
  });
  add_warp_tables(bins, counts);
}

// Changed: 16 bytes at a time, four loads in flight.
// Why:     a load of 4 bytes per lane asks for 128 bytes; with one at a time the memory is idle.
// Cost:    registers; samples before and behind the multiples of 16 bytes are a case of their own.
template <class T>
__global__ void hist_vector(Vectors<T> x, std::uint32_t bins, std::uint32_t* counts) {
  const WarpTables tables = warp_tables(bins);
  const auto count = [&](std::uint32_t sample, bool there) {
    if (there && sample < bins) atomicAdd(tables.mine + sample, 1u);
  };
  const auto count_vector = [&](const uint4& v, bool there) {
#pragma unroll
    for (int k = 0; k < kPerVector<T>; ++k) count(sample_of<T>(v, k), there);
  };
  each_vector<T, 4>(x, count_vector, count);
  add_warp_tables(bins, counts);
}

// Changed: lanes with the same sample find each other, and one of them adds for all.
// Why:     where most samples are the same, 32 lanes would stand in line at one counter.
// Cost:    a match, for every sample: it pays only where few values are frequent.
template <class T>
__global__ void hist_match(Vectors<T> x, std::uint32_t bins, std::uint32_t* counts) {
  const WarpTables tables = warp_tables(bins);
  const auto count = [&](std::uint32_t sample, bool there) {
    const std::uint32_t bin = there && sample < bins ? sample : ~0u;
    const Mask same = __match_any_sync(kAllLanes, bin);
    if (bin != ~0u && lane() == leader_of(same)) atomicAdd(tables.mine + bin, __popc(same));
  };
  const auto count_vector = [&](const uint4& v, bool there) {
#pragma unroll
    for (int k = 0; k < kPerVector<T>; ++k) count(sample_of<T>(v, k), there);
  };
  each_vector<T, 4>(x, count_vector, count);
  add_warp_tables(bins, counts);
}

// ---- launching

inline std::size_t table_bytes(std::size_t words) { return (words + 3) / 4 * 16; }
// Blocks that a multiprocessor holds beside each other with so much shared memory each.
inline unsigned blocks_beside(std::size_t bytes, int block) {
  const std::size_t by_memory = (most_shared_bytes() + 1024) / (bytes + 1024);
  const std::size_t by_threads = 2048 / block;
  const std::size_t most = by_memory < by_threads ? by_memory : by_threads;
  return static_cast<unsigned>(most < 1 ? 1 : most > 32 ? 32 : most);
}
inline unsigned grid_of(const Histogram& h, std::size_t bytes) {
  const std::size_t most = blocks_beside(bytes, h.block) * h.device->multiprocessors;
  const std::size_t needed = (h.n + h.block - 1) / h.block;
  return static_cast<unsigned>(needed < 1 ? 1 : needed < most ? needed : most);
}

inline const char* refuses_one_table(const Histogram& h) {
  return table_bytes(h.bins) > most_shared_bytes() ? "its bins do not fit into shared memory"
                                                   : nullptr;
}
inline const char* refuses_warp_tables(const Histogram& h) {
  return table_bytes(std::size_t{h.bins} * (h.block / 32)) > most_shared_bytes()
             ? "a table for each warp does not fit into shared memory"
             : nullptr;
}

inline void launch_hist_shared(const Histogram& h) {
  clear_counts(h);
  const std::size_t bytes = table_bytes(h.bins);
  with_sample(h, [&]<class T>(const T* in) {
    allow_shared(hist_shared<T>, bytes);
    hist_shared<<<grid_of(h, bytes), h.block, bytes>>>(in, h.n, h.bins, h.counts);
  });
  COURSE_CHECK(cudaGetLastError());
}
inline void launch_hist_warp(const Histogram& h) {
  clear_counts(h);
  const std::size_t bytes = table_bytes(std::size_t{h.bins} * (h.block / 32));
  with_sample(h, [&]<class T>(const T* in) {
    allow_shared(hist_warp<T>, bytes);
    hist_warp<<<grid_of(h, bytes), h.block, bytes>>>(in, h.n, h.bins, h.counts);
  });
  COURSE_CHECK(cudaGetLastError());
}
template <class T>
using VectorKernel = void (*)(Vectors<T>, std::uint32_t, std::uint32_t*);
template <class T>
void launch_on_vectors(const Histogram& h, const T* in, VectorKernel<T> kernel) {
  clear_counts(h);
  const std::size_t bytes = table_bytes(std::size_t{h.bins} * (h.block / 32));
  allow_shared(kernel, bytes);
  kernel<<<grid_of(h, bytes), h.block, bytes>>>(as_vectors(in, h.n), h.bins, h.counts);
  COURSE_CHECK(cudaGetLastError());
}
inline void launch_hist_vector(const Histogram& h) {
  with_sample(h, [&]<class T>(const T* in) { launch_on_vectors(h, in, &hist_vector<T>); });
}
inline void launch_hist_match(const Histogram& h) {
  with_sample(h, [&]<class T>(const T* in) { launch_on_vectors(h, in, &hist_match<T>); });
}

}  // namespace lesson07

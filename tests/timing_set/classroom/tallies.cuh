// SPDX-License-Identifier: MIT
// Histograms. Numbers between 0 and 1 are counted in bins of equal width: with atomics on the
// counts in global memory, with counts of each block in shared memory, and with a copy of these for
// each warp and wider loads. Bytes are counted without atomics in shared memory, where each thread
// has small counters of its own.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kTalliesBins = 120;

__host__ __device__ inline unsigned tallies_bin(float x) {
  const unsigned bin = static_cast<unsigned>(x * kTalliesBins);
  return bin < kTalliesBins ? bin : kTalliesBins - 1;
}

__global__ void tallies_global(const float* x, unsigned* counts, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[tallies_bin(x[i])], 1u);
}

__global__ void tallies_shared(const float* x, unsigned* counts, unsigned n) {
  __shared__ unsigned mine[kTalliesBins];
  for (unsigned bin = threadIdx.x; bin < kTalliesBins; bin += blockDim.x) mine[bin] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[tallies_bin(x[i])], 1u);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < kTalliesBins; bin += blockDim.x)
    atomicAdd(&counts[bin], mine[bin]);
}

constexpr unsigned kTalliesWarps = 8;

// Four numbers at a time, and counts for each warp of a block.
__global__ void __launch_bounds__(kTalliesWarps * 32)
    tallies_copies(const float* __restrict__ x, unsigned* __restrict__ counts, unsigned n) {
  __shared__ unsigned copies[kTalliesWarps][kTalliesBins];
  for (unsigned k = threadIdx.x; k < kTalliesWarps * kTalliesBins; k += blockDim.x)
    copies[k / kTalliesBins][k % kTalliesBins] = 0;
  __syncthreads();
  unsigned* mine = copies[threadIdx.x / 32];
  const float4* fours = reinterpret_cast<const float4*>(x);
  for (unsigned i = thread_number(); i < n / 4; i += gridDim.x * blockDim.x) {
    const float4 four = fours[i];
    atomicAdd(&mine[tallies_bin(four.x)], 1u);
    atomicAdd(&mine[tallies_bin(four.y)], 1u);
    atomicAdd(&mine[tallies_bin(four.z)], 1u);
    atomicAdd(&mine[tallies_bin(four.w)], 1u);
  }
  const unsigned rest = n / 4 * 4 + thread_number();
  if (rest < n) atomicAdd(&mine[tallies_bin(x[rest])], 1u);
  __syncthreads();
  if (threadIdx.x < kTalliesBins) {
    unsigned sum = 0;
    for (unsigned warp = 0; warp < kTalliesWarps; ++warp) sum += copies[warp][threadIdx.x];
    if (sum > 0) atomicAdd(&counts[threadIdx.x], sum);
  }
}

constexpr unsigned kTalliesThreads = 64;  // as many as bins for bytes
constexpr unsigned kTalliesWords = 48;    // of four bytes, for each thread: fewer than 256 bytes

__global__ void tallies_private(const unsigned* words, unsigned* counts, unsigned n) {
  __shared__ unsigned char mine[kTalliesThreads][kTalliesThreads];  // bin, thread
  const unsigned thread = threadIdx.x;
  for (unsigned bin = 0; bin < kTalliesThreads; ++bin) mine[bin][thread] = 0;
  const unsigned first = blockIdx.x * kTalliesThreads * kTalliesWords + thread;
  for (unsigned k = 0; k < kTalliesWords; ++k) {
    const unsigned i = first + k * kTalliesThreads;
    if (i >= n) break;
    const unsigned word = words[i];
    mine[word >> 2 & 63][thread] += 1;
    mine[word >> 10 & 63][thread] += 1;
    mine[word >> 18 & 63][thread] += 1;
    mine[word >> 26][thread] += 1;
  }
  __syncthreads();
  unsigned sum = 0;  // of the bin that has the thread's number
  for (unsigned k = 0; k < kTalliesThreads; ++k)
    sum += mine[thread][(thread + k) % kTalliesThreads];
  atomicAdd(&counts[thread], sum);
}

// Small numbers are more frequent than large ones.
inline Shared<float> tallies_numbers(unsigned n) {
  return array<float>(n, [](unsigned i) {
    const unsigned bits = mixed(i + 41);
    return (bits >> 16) / 65536.0f * ((bits & 0xffff) / 65536.0f);
  });
}

inline bool tallies_agree(const Shared<unsigned>& counts, const std::vector<unsigned>& wanted) {
  return counts->device.download() == wanted;
}

template <class Launch>
Problem tallies_problem(unsigned n, Launch launch) {
  auto x = tallies_numbers(n);
  auto counts = array(std::vector<unsigned>(kTalliesBins));
  return Problem{[=] { launch(x->data(), counts->data(), n); },
                 [=] {
                   std::vector<unsigned> wanted(kTalliesBins);
                   for (const float value : x->host) ++wanted[tallies_bin(value)];
                   return tallies_agree(counts, wanted);
                 },
                 [=] { clear(counts); }};
}

inline Problem tallies_global_problem(unsigned n) {
  return tallies_problem(n, [](const float* x, unsigned* counts, unsigned size) {
    tallies_global<<<blocks_of(size), kBlock>>>(x, counts, size);
  });
}
inline Problem tallies_shared_problem(unsigned n) {
  return tallies_problem(n, [](const float* x, unsigned* counts, unsigned size) {
    tallies_shared<<<std::min(blocks_of(size, 512), 528u), 512>>>(x, counts, size);
  });
}
inline Problem tallies_copies_problem(unsigned n) {
  return tallies_problem(n, [](const float* x, unsigned* counts, unsigned size) {
    constexpr unsigned kThreads = kTalliesWarps * 32;
    tallies_copies<<<std::min(blocks_of(size / 4, kThreads), 792u), kThreads>>>(x, counts, size);
  });
}

inline Problem tallies_private_problem(unsigned n) {
  auto words = array<unsigned>(n / 4, [](unsigned i) { return mixed(i + 43); });
  auto counts = array(std::vector<unsigned>(kTalliesThreads));
  const unsigned blocks = blocks_of(n / 4, kTalliesThreads * kTalliesWords);
  return Problem{
      [=] { tallies_private<<<blocks, kTalliesThreads>>>(words->data(), counts->data(), n / 4); },
      [=] {
        std::vector<unsigned> wanted(kTalliesThreads);
        for (const unsigned word : words->host)
          for (unsigned byte = 0; byte < 4; ++byte) ++wanted[word >> (8 * byte + 2) & 63];
        return tallies_agree(counts, wanted);
      },
      [=] { clear(counts); }};
}

inline void add_tallies(Set& set) {
  const std::vector<unsigned> sizes = {5003, 900001, 13500002};
  set.add("tallies_global", sizes, tallies_global_problem);
  set.add("tallies_shared", sizes, tallies_shared_problem);
  set.add("tallies_copies", sizes, tallies_copies_problem);
  set.add("tallies_private", {20000, 3000000, 54000000}, tallies_private_problem);
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Keeps the numbers of an array that are small enough: each thread appends its own with an atomic
// on a counter; a warp appends those of its lanes with one; a block collects those of 2048 numbers
// in shared memory and appends them with one; and without atomics, where flags and the places of
// what is kept are there already and the order stays.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr float kFiltersLimit = 0.375f;

__global__ void filters_atomic(const float* x, float* out, unsigned* count, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float value = x[i];
  if (value < kFiltersLimit) {
    const unsigned place = atomicAdd(count, 1u);
    out[place] = value;
  }
}

__global__ void filters_warp(const float* x, float* out, unsigned* count, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const float value = i < n ? x[i] : 1.0f;
  const bool kept = value < kFiltersLimit;
  const unsigned lanes = __ballot_sync(kAll, kept);
  unsigned first = 0;
  if (lane == 0 && lanes != 0) first = atomicAdd(count, static_cast<unsigned>(__popc(lanes)));
  first = __shfl_sync(kAll, first, 0);
  if (kept) out[first + __popc(lanes & ((1u << lane) - 1))] = value;
}

constexpr unsigned kFiltersThreads = 512, kFiltersItems = 4;

__global__ void __launch_bounds__(kFiltersThreads)
    filters_block(const float* __restrict__ x, float* __restrict__ out, unsigned* count,
                  unsigned n) {
  __shared__ float kept[kFiltersThreads * kFiltersItems];
  __shared__ unsigned warps[kFiltersThreads / 32];
  __shared__ unsigned first, all;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned start = blockIdx.x * kFiltersThreads * kFiltersItems + threadIdx.x;
  float values[kFiltersItems];
  unsigned own = 0;
  for (unsigned k = 0; k < kFiltersItems; ++k) {
    const unsigned i = start + k * kFiltersThreads;
    values[k] = i < n ? x[i] : 1.0f;
    if (values[k] < kFiltersLimit) ++own;
  }
  unsigned sum = own;  // of the warp's lanes up to this one
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned before = __shfl_up_sync(kAll, sum, distance);
    if (lane >= distance) sum += before;
  }
  if (lane == 31) warps[warp] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned before = 0;
    for (unsigned k = 0; k < kFiltersThreads / 32; ++k) {
      const unsigned here = warps[k];
      warps[k] = before;
      before += here;
    }
    all = before;
    first = atomicAdd(count, before);
  }
  __syncthreads();
  unsigned place = warps[warp] + sum - own;
  for (unsigned k = 0; k < kFiltersItems; ++k)
    if (values[k] < kFiltersLimit) kept[place++] = values[k];
  __syncthreads();
  for (unsigned k = threadIdx.x; k < all; k += kFiltersThreads) out[first + k] = kept[k];
}

__global__ void __launch_bounds__(1024)
    filters_flags(const float* x, const unsigned char* flags, const unsigned* places, float* out,
                  unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && flags[i]) out[places[i]] = x[i];
}

// Numbers as a set: how many of each there are.
inline std::vector<unsigned> filters_tally(const std::vector<float>& values, std::size_t size) {
  std::vector<unsigned> tally(65536);
  for (std::size_t i = 0; i < size; ++i)
    if (values[i] < kFiltersLimit) ++tally[static_cast<unsigned>(values[i] * 65536)];
  return tally;
}

template <class Launch>
Problem filters_problem(unsigned n, Launch launch) {
  auto x = uniform(n, 71);
  auto out = room<float>(n);
  auto count = array(std::vector<unsigned>(1));
  return Problem{[=] { launch(x->data(), out->data(), count->data(), n); },
                 [=] {
                   const std::vector<float> got = out->device.download();
                   const unsigned size = count->device.download()[0];
                   const auto kept = std::count_if(x->host.begin(), x->host.end(),
                                                   [](float v) { return v < kFiltersLimit; });
                   return size == kept && filters_tally(got, size) == filters_tally(x->host, n);
                 },
                 [=] { clear(count); }};
}

inline Problem filters_atomic_problem(unsigned n) {
  return filters_problem(n, [](const float* x, float* out, unsigned* count, unsigned size) {
    filters_atomic<<<blocks_of(size, 128), 128>>>(x, out, count, size);
  });
}
inline Problem filters_warp_problem(unsigned n) {
  return filters_problem(n, [](const float* x, float* out, unsigned* count, unsigned size) {
    filters_warp<<<blocks_of(size), kBlock>>>(x, out, count, size);
  });
}
inline Problem filters_block_problem(unsigned n) {
  return filters_problem(n, [](const float* x, float* out, unsigned* count, unsigned size) {
    const unsigned blocks = blocks_of(size, kFiltersThreads * kFiltersItems);
    filters_block<<<blocks, kFiltersThreads>>>(x, out, count, size);
  });
}

inline Problem filters_flags_problem(unsigned n) {
  auto x = uniform(n, 71);
  auto flags = array<unsigned char>(n, [&](unsigned i) { return x->host[i] < kFiltersLimit; });
  std::vector<unsigned> before(n);
  std::vector<float> kept;
  for (unsigned i = 0; i < n; ++i) {
    before[i] = static_cast<unsigned>(kept.size());
    if (flags->host[i]) kept.push_back(x->host[i]);
  }
  auto places = array(std::move(before));
  auto out = room<float>(kept.size());
  return Problem{[=] {
                   filters_flags<<<blocks_of(n, 1024), 1024>>>(x->data(), flags->data(),
                                                               places->data(), out->data(), n);
                 },
                 [=] {
                   return agrees(
                       out, [&](unsigned i) { return kept[i]; }, 0);
                 }};
}

inline void add_filters(Set& set) {
  const std::vector<unsigned> sizes = {7001, 1000001, 13000003};
  set.add("filters_atomic", sizes, filters_atomic_problem);
  set.add("filters_warp", sizes, filters_warp_problem);
  set.add("filters_block", sizes, filters_block_problem);
  set.add("filters_flags", sizes, filters_flags_problem);
}

}  // namespace timing_set

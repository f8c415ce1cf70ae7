// SPDX-License-Identifier: MIT
// Histograms: atomics on global and on shared memory, with samples that fall evenly and such that nearly all fall on one bin.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void bins_global(const unsigned* in, unsigned* bins, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) atomicAdd(&bins[in[i]], 1u);
}
__global__ void bins_shared(const unsigned* in, unsigned* bins, unsigned n) {
  __shared__ unsigned own[kBlock];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[in[i]], 1u);
  __syncthreads();
  if (own[threadIdx.x]) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

template <class Function>
std::function<Problem(unsigned)> bins_problem(Function kernel, unsigned count, bool skewed,
                                              unsigned most_blocks) {
  return [=](unsigned n) {
    auto in = array<unsigned>(n, [=](unsigned i) {
      const unsigned r = mixed(i);
      return skewed && r % 8 ? 7 : mixed(r) % count;
    });
    auto bins = room<unsigned>(count);
    std::vector<unsigned> wanted(count);
    for (const unsigned x : in->host) ++wanted[x];
    return Problem{[=] {
                     kernel<<<std::min(blocks_of(n), most_blocks), kBlock>>>(in->data(),
                                                                             bins->data(), n);
                   },
                   [=] { return bins->device.download() == wanted; }, [=] { clear(bins); }};
  };
}

inline void add_histogram(Set& set) {
  const std::vector<unsigned> sizes = {1 << 16, 1 << 20, 1 << 22};
  constexpr unsigned kAny = ~0u;
  set.add("bins_global_even", sizes, bins_problem(bins_global, 256, false, kAny));
  set.add("bins_global_skewed", sizes, bins_problem(bins_global, 256, true, kAny));
  set.add("bins_global_many", sizes, bins_problem(bins_global, 1 << 16, false, kAny));
  set.add("bins_shared_even", sizes, bins_problem(bins_shared, 256, false, 264));
  set.add("bins_shared_skewed", sizes, bins_problem(bins_shared, 256, true, 264));
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Histograms: n unsigned keys, in runs of five and more often small than large, counted in 1024
// bins by their upper ten bits.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kHistosBins = 1024;

// One thread per key, straight to the result.
__global__ void histos_global(const unsigned* keys, unsigned* bins, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) atomicAdd(&bins[keys[i] >> 22], 1u);
}

// Each block counts in shared memory first.
__global__ void histos_shared(const unsigned* __restrict__ keys, unsigned* bins, unsigned n) {
  __shared__ unsigned counts[kHistosBins];
  for (unsigned b = threadIdx.x; b < kHistosBins; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&counts[keys[i] >> 22], 1u);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < kHistosBins; b += blockDim.x)
    if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
}

// Each warp has a copy of the bins, and reads four keys at a time.
constexpr unsigned kHistosWarps = 8;
__global__ void histos_warps(const unsigned* __restrict__ keys, unsigned* __restrict__ bins,
                             unsigned n) {
  __shared__ unsigned counts[kHistosWarps][kHistosBins];
  for (unsigned b = threadIdx.x; b < kHistosBins; b += blockDim.x)
    for (unsigned w = 0; w < kHistosWarps; ++w) counts[w][b] = 0;
  __syncthreads();
  unsigned* const own = counts[threadIdx.x / 32];
  const uint4* const fours = reinterpret_cast<const uint4*>(keys);
  for (unsigned i = thread_number(); i < n / 4; i += gridDim.x * blockDim.x) {
    const uint4 k = fours[i];
    atomicAdd(&own[k.x >> 22], 1u);
    atomicAdd(&own[k.y >> 22], 1u);
    atomicAdd(&own[k.z >> 22], 1u);
    atomicAdd(&own[k.w >> 22], 1u);
  }
  const unsigned left = n / 4 * 4 + thread_number();
  if (left < n) atomicAdd(&own[keys[left] >> 22], 1u);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < kHistosBins; b += blockDim.x) {
    unsigned sum = 0;
    for (unsigned w = 0; w < kHistosWarps; ++w) sum += counts[w][b];
    if (sum != 0) atomicAdd(&bins[b], sum);
  }
}

// Each thread takes consecutive keys and counts a run of equal bins itself.
constexpr unsigned kHistosRun = 16;
__global__ void histos_runs(const unsigned* keys, unsigned* bins, unsigned n) {
  __shared__ unsigned counts[kHistosBins];
  for (unsigned b = threadIdx.x; b < kHistosBins; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  const unsigned first = thread_number() * kHistosRun;
  if (first < n) {
    const unsigned end = min(first + kHistosRun, n);
    unsigned bin = keys[first] >> 22, run = 1;
    for (unsigned i = first + 1; i < end; ++i) {
      const unsigned next = keys[i] >> 22;
      if (next == bin) {
        ++run;
      } else {
        atomicAdd(&counts[bin], run);
        bin = next;
        run = 1;
      }
    }
    atomicAdd(&counts[bin], run);
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < kHistosBins; b += blockDim.x)
    if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
}

// The product of two random numbers, the same for five neighbours.
inline Shared<unsigned> histos_keys(unsigned n) {
  return array<unsigned>(n, [](unsigned i) {
    const std::uint64_t a = mixed(i / 5 * 2 + 1), b = mixed(i / 5 * 2 + 2);
    return static_cast<unsigned>(a * b >> 32);
  });
}
// A problem of which launch(keys, bins) is the kernel's.
template <class Launch>
Problem histos_problem(unsigned n, Launch launch) {
  auto keys = histos_keys(n), bins = room<unsigned>(kHistosBins);
  auto wanted = std::make_shared<std::vector<unsigned>>(kHistosBins);
  for (const unsigned key : keys->host) ++(*wanted)[key >> 22];
  return Problem{[=] { launch(keys->data(), bins->data()); },
                 [=] {
                   return agrees(
                       bins, [=](unsigned b) { return (*wanted)[b]; }, 0);
                 },
                 [=] { clear(bins); }};
}

inline void add_histos(Set& set) {
  const std::vector<unsigned> sizes = {200000, 8000003};
  set.add("histos_global", sizes, [](unsigned n) {
    return histos_problem(n, [n](const unsigned* keys, unsigned* bins) {
      histos_global<<<blocks_of(n), kBlock>>>(keys, bins, n);
    });
  });
  set.add("histos_shared", sizes, [](unsigned n) {
    return histos_problem(n, [n](const unsigned* keys, unsigned* bins) {
      histos_shared<<<std::min(264u, blocks_of(n, 512)), 512>>>(keys, bins, n);
    });
  });
  set.add("histos_warps", sizes, [](unsigned n) {
    return histos_problem(n, [n](const unsigned* keys, unsigned* bins) {
      histos_warps<<<std::min(528u, blocks_of(n / 4)), 32 * kHistosWarps>>>(keys, bins, n);
    });
  });
  set.add("histos_runs", sizes, [](unsigned n) {
    return histos_problem(n, [n](const unsigned* keys, unsigned* bins) {
      histos_runs<<<blocks_of(n, 128 * kHistosRun), 128>>>(keys, bins, n);
    });
  });
}

}  // namespace timing_set

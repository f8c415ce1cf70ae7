// SPDX-License-Identifier: MIT
// Walking over samples: one at a time, or 16 bytes at a time with several loads in flight.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lesson07 {

// Every thread of the grid takes every so-manieth sample: count(sample, whether there is one). All
// lanes of a warp call it together, the last time too, when only some have a sample left.
template <class T, class Count>
__device__ void each_sample(const T* in, std::size_t n, Count count) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x; base < n; base += step) {
    const std::size_t i = base + threadIdx.x;
    count(i < n ? std::uint32_t{in[i]} : 0u, i < n);
  }
}

// 16 bytes hold 4 samples of 4 bytes, or 16 of one.
template <class T>
inline constexpr int kPerVector = 16 / sizeof(T);

// The samples as vectors: those from the first multiple of 16 bytes on. What lies before and behind
// are fewer samples than a vector holds, each.
template <class T>
struct Vectors {
  const T* in;
  std::size_t n, before, count;
};
template <class T>
Vectors<T> as_vectors(const T* in, std::size_t n) {
  const std::size_t odd = reinterpret_cast<std::uintptr_t>(in) % 16 / sizeof(T);
  std::size_t before = odd == 0 ? 0 : kPerVector<T> - odd;
  if (before > n) before = n;
  return {in, n, before, (n - before) / kPerVector<T>};
}

// Sample k of a vector; k must be known to the compiler.
template <class T>
__device__ std::uint32_t sample_of(const uint4& v, int k) {
  const std::uint32_t words[] = {v.x, v.y, v.z, v.w};
  if constexpr (sizeof(T) == 4) {
    return words[k];
  } else {
    return words[k / 4] >> (k % 4 * 8) & 0xffu;
  }
}

// each_sample, 16 bytes at a time. Samples that belong together stay together: count_vector gets a
// whole vector, and count a single sample from before or behind the vectors. All lanes of a warp call
// either together; `there` is false where this lane has none.
template <class T, int kLoads, class CountVector, class Count>
__device__ void each_vector(const Vectors<T>& x, CountVector count_vector, Count count) {
  const auto vectors = reinterpret_cast<const uint4*>(x.in + x.before);
  const std::size_t tile = std::size_t{kLoads} * blockDim.x, step = gridDim.x * tile;
  std::size_t base = blockIdx.x * tile;
  for (; base + tile <= x.count; base += step) {
    uint4 v[kLoads];
#pragma unroll
    for (int k = 0; k < kLoads; ++k) v[k] = vectors[base + k * blockDim.x + threadIdx.x];
#pragma unroll
    for (int k = 0; k < kLoads; ++k) count_vector(v[k], true);
  }
  for (; base < x.count; base += blockDim.x) {  // the last tile: only one block comes here
    const std::size_t i = base + threadIdx.x;
    count_vector(i < x.count ? vectors[i] : uint4{}, i < x.count);
  }
  if (blockIdx.x == gridDim.x - 1) {
    const std::size_t behind = x.before + x.count * kPerVector<T>;
    const std::size_t odd = x.before + (x.n - behind);  // fewer than two vectors hold: 32 at most
    if (threadIdx.x < 32) {
      const std::size_t i = threadIdx.x < x.before ? threadIdx.x : threadIdx.x - x.before + behind;
      const bool there = threadIdx.x < odd;
      count(there ? std::uint32_t{x.in[i]} : 0u, there);
    }
  }
}

}  // namespace lesson07

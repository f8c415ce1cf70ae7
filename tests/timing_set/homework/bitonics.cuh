// SPDX-License-Identifier: MIT
// Sorting: n int keys (a multiple of 128), each segment of 128 of them sorted for itself.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kBitonicsKeys = 128;

// The bitonic network: 64 threads for a segment, four segments in a block.
constexpr unsigned kBitonicsRows = 4;
__global__ void bitonics_network(const int* __restrict__ in, int* __restrict__ out, unsigned n) {
  __shared__ int keys[kBitonicsRows][kBitonicsKeys];
  const unsigned t = threadIdx.x;
  const unsigned first = (blockIdx.x * kBitonicsRows + threadIdx.y) * kBitonicsKeys;
  int* const own = keys[threadIdx.y];
  own[t] = first < n ? in[first + t] : 0;
  own[t + 64] = first < n ? in[first + t + 64] : 0;
  __syncthreads();
  for (unsigned size = 2; size <= kBitonicsKeys; size *= 2) {
    for (unsigned d = size / 2; d > 0; d /= 2) {
      const unsigned low = 2 * t - (t & (d - 1));
      const int a = own[low], b = own[low + d];
      const bool upward = (low & size) == 0;
      if ((a > b) == upward) {
        own[low] = b;
        own[low + d] = a;
      }
      __syncthreads();
    }
  }
  if (first < n) {
    out[first + t] = own[t];
    out[first + t + 64] = own[t + 64];
  }
}

// Odd-even transposition: as many steps as keys, neighbours against neighbours.
__global__ void bitonics_oddeven(const int* in, int* out) {
  __shared__ int keys[kBitonicsKeys];
  const unsigned t = threadIdx.x, first = blockIdx.x * kBitonicsKeys;
  keys[t] = in[first + t];
  keys[t + 64] = in[first + t + 64];
  __syncthreads();
  for (unsigned step = 0; step < kBitonicsKeys; ++step) {
    const unsigned at = 2 * t + step % 2;
    if (at + 1 < kBitonicsKeys && keys[at] > keys[at + 1]) {
      const int key = keys[at];
      keys[at] = keys[at + 1];
      keys[at + 1] = key;
    }
    __syncthreads();
  }
  out[first + t] = keys[t];
  out[first + t + 64] = keys[t + 64];
}

// Each thread counts the keys that come before its own: that is its place.
__global__ void bitonics_ranks(const int* in, int* out) {
  __shared__ int keys[kBitonicsKeys];
  const unsigned t = threadIdx.x, first = blockIdx.x * kBitonicsKeys;
  const int key = in[first + t];
  keys[t] = key;
  __syncthreads();
  unsigned rank = 0;
  for (unsigned i = 0; i < kBitonicsKeys; ++i)
    if (keys[i] < key || (keys[i] == key && i < t)) ++rank;
  out[first + rank] = key;
}

// Merges pieces of 1, 2, 4, ... keys: each finds its place in the other piece by binary search.
// Two segments in a block.
__global__ void bitonics_merges(const int* __restrict__ in, int* __restrict__ out, unsigned n) {
  __shared__ int keys[2][2 * kBitonicsKeys];
  const unsigned t = threadIdx.x, i = thread_number();
  int now = 0;
  keys[0][t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned width = 1; width < kBitonicsKeys; width *= 2) {
    const int key = keys[now][t];
    const bool right = (t & width) != 0;
    const unsigned other = (t & ~(width - 1)) ^ width;
    unsigned low = 0, high = width;
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      const int there = keys[now][other + middle];
      if (there < key || (right && there == key))
        low = middle + 1;
      else
        high = middle;
    }
    now = 1 - now;
    keys[now][(t & ~(2 * width - 1)) + (t & (width - 1)) + low] = key;
    __syncthreads();
  }
  if (i < n) out[i] = keys[now][t];
}

// A problem of which launch(in, out) is the kernel's. Some keys are equal.
template <class Launch>
Problem bitonics_problem(unsigned n, Launch launch) {
  auto in = array<int>(n, [](unsigned i) { return static_cast<int>(mixed(i + 7) % 2000) - 1000; });
  auto out = room<int>(n);
  auto wanted = std::make_shared<std::vector<int>>(in->host);
  for (unsigned i = 0; i < n; i += kBitonicsKeys)
    std::sort(wanted->begin() + i, wanted->begin() + i + kBitonicsKeys);
  return Problem{[=] { launch(in->data(), out->data()); },
                 [=] { return out->device.download() == *wanted; }};
}

inline void add_bitonics(Set& set) {
  const std::vector<unsigned> sizes = {64000, 2000000};
  set.add("bitonics_network", sizes, [](unsigned n) {
    return bitonics_problem(n, [n](const int* in, int* out) {
      bitonics_network<<<blocks_of(n, kBitonicsRows * kBitonicsKeys), dim3(64, kBitonicsRows)>>>(
          in, out, n);
    });
  });
  set.add("bitonics_oddeven", sizes, [](unsigned n) {
    return bitonics_problem(
        n, [n](const int* in, int* out) { bitonics_oddeven<<<n / kBitonicsKeys, 64>>>(in, out); });
  });
  set.add("bitonics_ranks", sizes, [](unsigned n) {
    return bitonics_problem(n, [n](const int* in, int* out) {
      bitonics_ranks<<<n / kBitonicsKeys, kBitonicsKeys>>>(in, out);
    });
  });
  set.add("bitonics_merges", sizes, [](unsigned n) {
    return bitonics_problem(n, [n](const int* in, int* out) {
      bitonics_merges<<<blocks_of(n, 2 * kBitonicsKeys), 2 * kBitonicsKeys>>>(in, out, n);
    });
  });
}

}  // namespace timing_set

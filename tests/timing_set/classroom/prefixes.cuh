// SPDX-License-Identifier: MIT
// Prefix sums of integers within segments, one segment for each block: as Hillis and Steele do it,
// with two buffers in shared memory; as Blelloch does it, up and down a tree; by shuffles within
// warps and among them; and with eight integers for each thread, which adds them one after the
// other.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kPrefixesHillis = 512;  // threads and integers

__global__ void prefixes_hillis(const int* x, int* out, unsigned n) {
  __shared__ int sums[2][kPrefixesHillis];
  const unsigned thread = threadIdx.x, i = blockIdx.x * kPrefixesHillis + thread;
  unsigned now = 0;
  sums[now][thread] = i < n ? x[i] : 0;
  __syncthreads();
  for (unsigned distance = 1; distance < kPrefixesHillis; distance *= 2) {
    int sum = sums[now][thread];
    if (thread >= distance) sum += sums[now][thread - distance];
    now = 1 - now;
    sums[now][thread] = sum;
    __syncthreads();
  }
  if (i < n) out[i] = sums[now][thread];
}

constexpr unsigned kPrefixesBlelloch = 256;  // integers, two for each thread

// The sum of what is before an integer, without itself.
__global__ void prefixes_blelloch(const int* x, int* out, unsigned n) {
  __shared__ int tree[kPrefixesBlelloch];
  const unsigned thread = threadIdx.x;
  const unsigned low = blockIdx.x * kPrefixesBlelloch + thread;
  const unsigned high = low + kPrefixesBlelloch / 2;
  tree[thread] = low < n ? x[low] : 0;
  tree[thread + kPrefixesBlelloch / 2] = high < n ? x[high] : 0;
  unsigned stride = 1;
  for (unsigned active = kPrefixesBlelloch / 2; active > 0; active /= 2) {
    __syncthreads();
    if (thread < active) {
      const unsigned left = stride * (2 * thread + 1) - 1, right = stride * (2 * thread + 2) - 1;
      tree[right] += tree[left];
    }
    stride *= 2;
  }
  if (thread == 0) tree[kPrefixesBlelloch - 1] = 0;
  for (unsigned active = 1; active < kPrefixesBlelloch; active *= 2) {
    stride /= 2;
    __syncthreads();
    if (thread < active) {
      const unsigned left = stride * (2 * thread + 1) - 1, right = stride * (2 * thread + 2) - 1;
      const int sum = tree[left];
      tree[left] = tree[right];
      tree[right] += sum;
    }
  }
  __syncthreads();
  if (low < n) out[low] = tree[thread];
  if (high < n) out[high] = tree[thread + kPrefixesBlelloch / 2];
}

__device__ inline int prefixes_in_warp(int sum) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const int before = __shfl_up_sync(kAll, sum, distance);
    if (lane >= distance) sum += before;
  }
  return sum;
}

constexpr unsigned kPrefixesShuffles = 1024;  // threads and integers

__global__ void __launch_bounds__(kPrefixesShuffles)
    prefixes_shuffles(const int* x, int* out, unsigned n) {
  __shared__ int warps[32];
  const unsigned i = blockIdx.x * kPrefixesShuffles + threadIdx.x;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int sum = prefixes_in_warp(i < n ? x[i] : 0);
  if (lane == 31) warps[warp] = sum;
  __syncthreads();
  if (warp == 0) warps[lane] = prefixes_in_warp(warps[lane]);
  __syncthreads();
  if (warp > 0) sum += warps[warp - 1];
  if (i < n) out[i] = sum;
}

constexpr unsigned kPrefixesSeveral = 128;  // threads, eight integers for each

__device__ inline void prefixes_of_four(int4& four, int before) {
  four.x += before;
  four.y += four.x;
  four.z += four.y;
  four.w += four.z;
}

__global__ void prefixes_several(const int4* __restrict__ x, int4* __restrict__ out,
                                 unsigned fours) {
  __shared__ int warps[kPrefixesSeveral / 32];
  const unsigned i = (blockIdx.x * kPrefixesSeveral + threadIdx.x) * 2;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int4 zero = make_int4(0, 0, 0, 0);
  int4 a = i < fours ? x[i] : zero;
  int4 b = i + 1 < fours ? x[i + 1] : zero;
  const int own = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
  const int sum = prefixes_in_warp(own);
  if (lane == 31) warps[warp] = sum;
  __syncthreads();
  int before = sum - own;
  for (unsigned k = 0; k < warp; ++k) before += warps[k];
  prefixes_of_four(a, before);
  prefixes_of_four(b, a.w);
  if (i < fours) out[i] = a;
  if (i + 1 < fours) out[i + 1] = b;
}

// launch(x, out, n), and what is right for segments of a length.
template <class Launch>
Problem prefixes_problem(unsigned n, unsigned segment, bool inclusive, Launch launch) {
  auto x = array<int>(n, [](unsigned i) { return static_cast<int>(mixed(i + 51) % 1999) - 700; });
  auto out = room<int>(n);
  return Problem{[=] { launch(x->data(), out->data(), n); },
                 [=] {
                   std::vector<int> wanted(n);
                   int sum = 0;
                   for (unsigned i = 0; i < n; ++i) {
                     if (i % segment == 0) sum = 0;
                     const int before = sum;
                     sum += x->host[i];
                     wanted[i] = inclusive ? sum : before;
                   }
                   return agrees(
                       out, [&](unsigned i) { return wanted[i]; }, 0);
                 }};
}

inline Problem prefixes_hillis_problem(unsigned n) {
  return prefixes_problem(n, kPrefixesHillis, true, [](const int* x, int* out, unsigned size) {
    prefixes_hillis<<<blocks_of(size, kPrefixesHillis), kPrefixesHillis>>>(x, out, size);
  });
}
inline Problem prefixes_blelloch_problem(unsigned n) {
  return prefixes_problem(n, kPrefixesBlelloch, false, [](const int* x, int* out, unsigned size) {
    prefixes_blelloch<<<blocks_of(size, kPrefixesBlelloch), kPrefixesBlelloch / 2>>>(x, out, size);
  });
}
inline Problem prefixes_shuffles_problem(unsigned n) {
  return prefixes_problem(n, kPrefixesShuffles, true, [](const int* x, int* out, unsigned size) {
    prefixes_shuffles<<<blocks_of(size, kPrefixesShuffles), kPrefixesShuffles>>>(x, out, size);
  });
}
inline Problem prefixes_several_problem(unsigned n) {
  return prefixes_problem(n, kPrefixesSeveral * 8, true, [](const int* x, int* out, unsigned size) {
    prefixes_several<<<blocks_of(size, kPrefixesSeveral * 8), kPrefixesSeveral>>>(
        reinterpret_cast<const int4*>(x), reinterpret_cast<int4*>(out), size / 4);
  });
}

inline void add_prefixes(Set& set) {
  const std::vector<unsigned> sizes = {5004, 900000, 6600004};  // multiples of four
  set.add("prefixes_hillis", sizes, prefixes_hillis_problem);
  set.add("prefixes_blelloch", sizes, prefixes_blelloch_problem);
  set.add("prefixes_shuffles", sizes, prefixes_shuffles_problem);
  set.add("prefixes_several", sizes, prefixes_several_problem);
}

}  // namespace timing_set

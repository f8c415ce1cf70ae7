// SPDX-License-Identifier: MIT
// Two sorted arrays become one: each element looks for its place, each thread merges eight, or a block merges a tile in
// shared memory.
#pragma once
#include <algorithm>

#include "../set.cuh"

namespace timing_set {

// How many of `sorted` come before `value`; equal ones too, if `after`.
__device__ inline int place_in(const int* sorted, int n, int value, bool after) {
  int low = 0, high = n;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (sorted[middle] < value || (after && sorted[middle] == value))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
// How many of the first `diagonal` elements of the result come from a.
__device__ inline int split_at(const int* a, const int* b, int na, int nb, int diagonal) {
  int low = max(0, diagonal - nb), high = min(diagonal, na);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (a[middle] <= b[diagonal - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

__global__ void merge_by_rank(const int* a, const int* b, int* out, int n) {
  const int i = static_cast<int>(thread_number());
  if (i < n)
    out[i + place_in(b, n, a[i], false)] = a[i];
  else
    out[i - n + place_in(a, n, b[i - n], true)] = b[i - n];
}
constexpr int kEach = 8;
__global__ void merge_threads(const int* a, const int* b, int* out, int n) {
  const int at = static_cast<int>(thread_number()) * kEach;
  int i = split_at(a, b, n, n, at), k = at - i;
  for (int e = 0; e < kEach; ++e) {
    const bool from_a = k >= n || (i < n && a[i] <= b[k]);
    out[at + e] = from_a ? a[i] : b[k];
    from_a ? ++i : ++k;
  }
}
constexpr int kMergeBlock = 128, kMergeTile = kMergeBlock * kEach;
__global__ void merge_tile(const int* a, const int* b, int* out, int n) {
  __shared__ int part[kMergeTile], ends[2];
  const int t = threadIdx.x, base = blockIdx.x * kMergeTile;
  if (t < 2) ends[t] = split_at(a, b, n, n, base + t * kMergeTile);
  __syncthreads();
  const int first = ends[0], na = ends[1] - first, nb = kMergeTile - na;
  for (int k = t; k < kMergeTile; k += kMergeBlock)
    part[k] = k < na ? a[first + k] : b[base - first + k - na];
  __syncthreads();
  int i = split_at(part, part + na, na, nb, t * kEach), k = t * kEach - i, merged[kEach];
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    const bool from_a = k >= nb || (i < na && part[i] <= part[na + k]);
    merged[e] = part[from_a ? i : na + k];
    from_a ? ++i : ++k;
  }
  __syncthreads();
#pragma unroll
  for (int e = 0; e < kEach; ++e) part[t * kEach + e] = merged[e];
  __syncthreads();
  for (int e = t; e < kMergeTile; e += kMergeBlock) out[base + e] = part[e];
}

template <class Launch>
std::function<Problem(unsigned)> merge_problem(Launch launch) {
  return [=](unsigned n) {
    const auto sorted = [n](unsigned seed) {
      std::vector<int> values(n);
      int value = 0;
      for (unsigned i = 0; i < n; ++i)
        values[i] = value += static_cast<int>(mixed(i ^ seed << 28) % 7);
      return array(std::move(values));
    };
    auto a = sorted(1), b = sorted(2), out = room<int>(2 * n);
    return Problem{[=] { launch(a->data(), b->data(), out->data(), static_cast<int>(n)); },
                   [=] {
                     std::vector<int> wanted(2 * n);
                     std::merge(a->host.begin(), a->host.end(), b->host.begin(), b->host.end(),
                                wanted.begin());
                     return out->device.download() == wanted;
                   }};
  };
}

inline void add_merge(Set& set) {
  const std::vector<unsigned> sizes = {1 << 13, 1 << 17, 1 << 21};
  using In = const int*;
  set.add("merge_by_rank", sizes, merge_problem([](In a, In b, int* out, int n) {
            merge_by_rank<<<2 * n / kBlock, kBlock>>>(a, b, out, n);
          }));
  set.add("merge_threads", sizes, merge_problem([](In a, In b, int* out, int n) {
            merge_threads<<<2 * n / (kMergeBlock * kEach), kMergeBlock>>>(a, b, out, n);
          }));
  set.add("merge_tile", sizes, merge_problem([](In a, In b, int* out, int n) {
            merge_tile<<<2 * n / kMergeTile, kMergeBlock>>>(a, b, out, n);
          }));
}

}  // namespace timing_set

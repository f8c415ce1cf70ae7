// SPDX-License-Identifier: MIT
// Sorted arrays as sets. Two of them are merged: where each element looks for its place in the other array; where each
// thread looks for where its piece of the result begins, and merges from there; and where a block brings its piece into
// shared memory first. Then many pairs of short lists, where a warp counts what the two of a pair have in common.
#pragma once
#include "../set.cuh"

namespace timing_set {

// Of equal ones those of a come first.
__global__ void unions_rank(const double* a, unsigned na, const double* b, unsigned nb,
                            double* out) {
  const unsigned i = thread_number();
  if (i >= na + nb) return;
  const bool first = i < na;
  const unsigned own = first ? i : i - na;
  const double mine = first ? a[own] : b[own];
  const double* other = first ? b : a;
  unsigned low = 0, high = first ? nb : na;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    const double it = other[middle];
    if (it < mine || (it == mine && !first))
      low = middle + 1;
    else
      high = middle;
  }
  out[own + low] = mine;
}

// How many of the first `diagonal` of the result come from a.
__device__ inline unsigned unions_split(const int* a, unsigned na, const int* b, unsigned nb,
                                        unsigned diagonal) {
  unsigned low = diagonal > nb ? diagonal - nb : 0, high = min(diagonal, na);
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (a[middle] <= b[diagonal - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

constexpr unsigned kUnionsPiece = 12;  // of a thread

__global__ void unions_path(const int* a, unsigned na, const int* b, unsigned nb, int* out) {
  const unsigned begin = thread_number() * kUnionsPiece;
  if (begin >= na + nb) return;
  const unsigned end = min(begin + kUnionsPiece, na + nb);
  unsigned i = unions_split(a, na, b, nb, begin);
  unsigned j = begin - i;
  for (unsigned k = begin; k < end; ++k) {
    if (j >= nb || (i < na && a[i] <= b[j]))
      out[k] = a[i++];
    else
      out[k] = b[j++];
  }
}

constexpr unsigned kUnionsBlock = 256, kUnionsEach = 7, kUnionsTile = kUnionsBlock * kUnionsEach;

__global__ void __launch_bounds__(kUnionsBlock)
    unions_tile(const int* __restrict__ a, unsigned na, const int* __restrict__ b, unsigned nb,
                int* __restrict__ out) {
  __shared__ int tile[kUnionsTile];
  __shared__ unsigned ends[2];
  const unsigned begin = blockIdx.x * kUnionsTile, end = min(begin + kUnionsTile, na + nb);
  const unsigned count = end - begin;
  if (threadIdx.x < 2)
    ends[threadIdx.x] = unions_split(a, na, b, nb, threadIdx.x == 0 ? begin : end);
  __syncthreads();
  const unsigned a_begin = ends[0], of_a = ends[1] - a_begin;
  const unsigned b_begin = begin - a_begin, of_b = count - of_a;
  for (unsigned k = threadIdx.x; k < count; k += kUnionsBlock)
    tile[k] = k < of_a ? a[a_begin + k] : b[b_begin + k - of_a];
  __syncthreads();

  const int *left = tile, *right = tile + of_a;
  const unsigned start = min(threadIdx.x * kUnionsEach, count);
  unsigned i = unions_split(left, of_a, right, of_b, start);
  unsigned j = start - i;
  int merged[kUnionsEach];
#pragma unroll
  for (unsigned k = 0; k < kUnionsEach; ++k) {
    if (start + k < count) {
      const bool from_left = j >= of_b || (i < of_a && left[i] <= right[j]);
      merged[k] = from_left ? left[i++] : right[j++];
    }
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < kUnionsEach; ++k)
    if (start + k < count) tile[start + k] = merged[k];
  __syncthreads();
  for (unsigned k = threadIdx.x; k < count; k += kUnionsBlock) out[begin + k] = tile[k];
}

// A warp for each pair of lists, one after the other in memory: its lanes take the elements of the shorter.
__global__ void unions_lists(const unsigned* elements, const unsigned* begins, unsigned* common,
                             float* similar, unsigned pairs) {
  const unsigned pair = thread_number() / 32, lane = threadIdx.x % 32;
  if (pair >= pairs) return;
  const unsigned a = begins[2 * pair], b = begins[2 * pair + 1], end = begins[2 * pair + 2];
  const bool swapped = b - a > end - b;
  const unsigned* small = elements + (swapped ? b : a);
  const unsigned* large = elements + (swapped ? a : b);
  const unsigned of_small = swapped ? end - b : b - a, of_large = swapped ? b - a : end - b;
  unsigned found = 0;
  for (unsigned k = lane; k < of_small; k += 32) {
    const unsigned wanted = small[k];
    unsigned low = 0, high = of_large;
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      if (large[middle] < wanted)
        low = middle + 1;
      else
        high = middle;
    }
    if (low < of_large && large[low] == wanted) ++found;
  }
  found = warp_sum(found);
  if (lane == 0) {
    common[pair] = found;
    similar[pair] = static_cast<float>(found) / static_cast<float>(end - a - found);
  }
}

template <class T>
Shared<T> unions_sorted(unsigned n, unsigned seed, unsigned step) {
  std::vector<T> values(n);
  unsigned value = seed;
  for (unsigned i = 0; i < n; ++i) {
    value += mixed(i ^ (seed << 24)) % step;
    values[i] = static_cast<T>(value);
  }
  return array(std::move(values));
}

template <class T, class Launch>
Problem unions_merge_problem(unsigned n, Launch start) {
  const unsigned na = n / 5 * 3, nb = n - na;
  auto a = unions_sorted<T>(na, 3, 9);  // both come to about the same numbers
  auto b = unions_sorted<T>(nb, 5, 13);
  auto out = room<T>(n);
  return Problem{[=] { start(a->data(), na, b->data(), nb, out->data()); },
                 [=] {
                   std::vector<T> merged(n);
                   std::merge(a->host.begin(), a->host.end(), b->host.begin(), b->host.end(),
                              merged.begin());
                   return agrees(
                       out, [&](unsigned i) { return merged[i]; }, 0);
                 }};
}

inline Problem unions_rank_problem(unsigned n) {
  return unions_merge_problem<double>(
      n, [=](const double* a, unsigned na, const double* b, unsigned nb, double* out) {
        unions_rank<<<blocks_of(n), kBlock>>>(a, na, b, nb, out);
      });
}

inline Problem unions_path_problem(unsigned n) {
  return unions_merge_problem<int>(
      n, [=](const int* a, unsigned na, const int* b, unsigned nb, int* out) {
        unions_path<<<blocks_of(blocks_of(n, kUnionsPiece), 128), 128>>>(a, na, b, nb, out);
      });
}

inline Problem unions_tile_problem(unsigned n) {
  return unions_merge_problem<int>(
      n, [=](const int* a, unsigned na, const int* b, unsigned nb, int* out) {
        unions_tile<<<blocks_of(n, kUnionsTile), kUnionsBlock>>>(a, na, b, nb, out);
      });
}

inline Problem unions_lists_problem(unsigned pairs) {
  std::vector<unsigned> values, starts = {0};
  for (unsigned list = 0; list < 2 * pairs; ++list) {
    const unsigned length = 5 + mixed(list) % 40 + (mixed(list) >> 16) % 60;
    unsigned value = mixed(list / 2) % 1000;
    for (unsigned k = 0; k < length; ++k) {
      value += 1 + mixed(list * 128 + k) % 3;
      values.push_back(value);
    }
    starts.push_back(static_cast<unsigned>(values.size()));
  }
  auto elements = array(std::move(values));
  auto begins = array(std::move(starts));
  auto common = room<unsigned>(pairs);
  auto similar = room<float>(pairs);
  return Problem{[=] {
                   unions_lists<<<blocks_of(std::size_t{pairs} * 32, 192), 192>>>(
                       elements->data(), begins->data(), common->data(), similar->data(), pairs);
                 },
                 [=] {
                   const auto wanted = [&](unsigned pair) {
                     const unsigned* all = elements->host.data();
                     const unsigned* begin = begins->host.data() + 2 * pair;
                     std::vector<unsigned> both;
                     std::set_intersection(all + begin[0], all + begin[1], all + begin[1],
                                           all + begin[2], std::back_inserter(both));
                     return static_cast<unsigned>(both.size());
                   };
                   return agrees(common, wanted, 0) &&
                          agrees(
                              similar,
                              [&](unsigned pair) {
                                const unsigned* begin = &begins->host[2 * pair];
                                const unsigned found = wanted(pair);
                                return double(found) / (begin[2] - begin[0] - found);
                              },
                              1e-5);
                 }};
}

inline void add_unions(Set& set) {
  const std::vector<unsigned> sizes = {10007, 1800000, 7500000};
  set.add("unions_rank", {10007, 700000, 2000000}, unions_rank_problem);
  set.add("unions_path", sizes, unions_path_problem);
  set.add("unions_tile", sizes, unions_tile_problem);
  set.add("unions_lists", {150, 20001, 90000}, unions_lists_problem);
}

}  // namespace timing_set

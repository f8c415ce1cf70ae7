// SPDX-License-Identifier: MIT
// Threads that meet at a few words: counters by key, one by one or by what a warp has; places in a list, taken by each thread or
// for a block; maxima of groups.
#pragma once
#include <algorithm>

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kKeys = 64;
__global__ void keys_counted(const unsigned* in, unsigned* bins, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) atomicAdd(&bins[in[i] % kKeys], 1u);
}
__global__ void keys_counted_by_warp(const unsigned* in, unsigned* bins, unsigned) {
  const unsigned key = in[thread_number()] % kKeys;
  const unsigned same = __match_any_sync(kAll, key);
  if (threadIdx.x % 32 == static_cast<unsigned>(__ffs(same) - 1))
    atomicAdd(&bins[key], static_cast<unsigned>(__popc(same)));
}
constexpr unsigned kGroups = 1024;
__global__ void group_maxima(const unsigned* in, unsigned* most, unsigned n) {
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x)
    atomicMax(&most[i / 7 % kGroups], in[i]);
}
__device__ __host__ inline bool is_taken(unsigned x) { return x % 4 == 0; }
__global__ void list_by_thread(const unsigned* in, unsigned* list, unsigned n) {
  const unsigned i = thread_number();
  if (i < n && is_taken(in[i])) list[1 + atomicAdd(list, 1u)] = in[i];
}
__global__ void list_by_block(const unsigned* in, unsigned* list, unsigned n) {
  __shared__ unsigned count, base;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  const unsigned i = thread_number();
  const unsigned x = i < n ? in[i] : 1;
  unsigned place = 0;
  if (is_taken(x)) place = atomicAdd(&count, 1u);
  __syncthreads();
  if (threadIdx.x == 0) base = atomicAdd(list, count);
  __syncthreads();
  if (is_taken(x)) list[1 + base + place] = x;
}

inline std::vector<unsigned> key_counts(const std::vector<unsigned>& in) {
  std::vector<unsigned> bins(kKeys);
  for (const unsigned x : in) ++bins[x % kKeys];
  return bins;
}
inline std::vector<unsigned> maxima(const std::vector<unsigned>& in) {
  std::vector<unsigned> most(kGroups);
  for (unsigned i = 0; i < in.size(); ++i)
    most[i / 7 % kGroups] = std::max(most[i / 7 % kGroups], in[i]);
  return most;
}
template <class Launch, class Wanted>
std::function<Problem(unsigned)> words_problem(unsigned words, Launch launch, Wanted wanted) {
  return [=](unsigned n) {
    auto in = array<unsigned>(n, mixed), out = room<unsigned>(words);
    return Problem{[=] { launch(in->data(), out->data(), n); },
                   [=] { return out->device.download() == wanted(in->host); }, [=] { clear(out); }};
  };
}
template <class Launch>
std::function<Problem(unsigned)> list_problem_of(Launch launch) {
  return [=](unsigned n) {
    auto in = array<unsigned>(n, mixed), list = room<unsigned>(n + 1);
    return Problem{[=] { launch(in->data(), list->data(), n); },
                   [=] {
                     std::vector<unsigned> wanted, got = list->device.download();
                     for (const unsigned x : in->host)
                       if (is_taken(x)) wanted.push_back(x);
                     if (got[0] != wanted.size()) return false;
                     std::sort(wanted.begin(), wanted.end());
                     std::sort(got.begin() + 1, got.begin() + 1 + got[0]);
                     return std::equal(wanted.begin(), wanted.end(), got.begin() + 1);
                   },
                   [=] { COURSE_CHECK(cudaMemset(list->data(), 0, sizeof(unsigned))); }};
  };
}

inline void add_contend(Set& set) {
  const std::vector<unsigned> sizes = {1 << 13, 1 << 17, 1 << 21};
  using In = const unsigned*;
  set.add("keys_counted", sizes,
          words_problem(
              kKeys,
              [](In in, unsigned* out, unsigned n) {
                keys_counted<<<blocks_of(n), kBlock>>>(in, out, n);
              },
              key_counts));
  set.add("keys_counted_by_warp", sizes,
          words_problem(
              kKeys,
              [](In in, unsigned* out, unsigned n) {
                keys_counted_by_warp<<<blocks_of(n), kBlock>>>(in, out, n);
              },
              key_counts));
  set.add("group_maxima", sizes,
          words_problem(
              kGroups,
              [](In in, unsigned* out, unsigned n) {
                group_maxima<<<std::min(blocks_of(n), 1056u), kBlock>>>(in, out, n);
              },
              maxima));
  set.add("list_by_thread", sizes, list_problem_of([](In in, unsigned* list, unsigned n) {
            list_by_thread<<<blocks_of(n), kBlock>>>(in, list, n);
          }));
  set.add("list_by_block", sizes, list_problem_of([](In in, unsigned* list, unsigned n) {
            list_by_block<<<blocks_of(n), kBlock>>>(in, list, n);
          }));
}

}  // namespace timing_set

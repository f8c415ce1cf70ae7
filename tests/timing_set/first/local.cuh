// SPDX-License-Identifier: MIT
// Arrays of a thread's own that do not fit into registers: sorted in place, used as a table, spilled for want of registers.
#pragma once
#include <algorithm>

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kOwn = 16;

__global__ void local_sort(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned t = thread_number();
  if (t >= n) return;
  unsigned own[kOwn];
#pragma unroll 1
  for (unsigned i = 0; i < kOwn; ++i) {
    const unsigned x = in[i * n + t];
    unsigned k = i;
    for (; k > 0 && own[k - 1] > x; --k) own[k] = own[k - 1];
    own[k] = x;
  }
#pragma unroll 1
  for (unsigned i = 0; i < kOwn; ++i) out[i * n + t] = own[i];
}
__global__ void local_counts(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned t = thread_number();
  if (t >= n) return;
  unsigned own[kOwn] = {};
#pragma unroll 1
  for (unsigned i = 0; i < kOwn; ++i) own[in[i * n + t] % kOwn] += i + 1;
#pragma unroll 1
  for (unsigned i = 0; i < kOwn; ++i) out[i * n + t] = own[i];
}

template <class Function, class Wanted>
std::function<Problem(unsigned)> local_problem(Function kernel, Wanted wanted) {
  return [=](unsigned n) {
    auto in = array<unsigned>(n * kOwn, mixed), out = room<unsigned>(n * kOwn);
    return Problem{[=] { kernel<<<blocks_of(n, 128), 128>>>(in->data(), out->data(), n); },
                   [=] {
                     return agrees(
                         out,
                         [=](unsigned at) {
                           std::vector<unsigned> own(kOwn);
                           for (unsigned i = 0; i < kOwn; ++i) own[i] = in->host[i * n + at % n];
                           return wanted(own)[at / n];
                         },
                         0);
                   }};
  };
}

inline void add_local(Set& set) {
  const std::vector<unsigned> sizes = {1 << 12, 1 << 15, 1 << 18};
  set.add("local_sort", sizes, local_problem(local_sort, [](std::vector<unsigned> own) {
            std::sort(own.begin(), own.end());
            return own;
          }));
  set.add("local_counts", sizes, local_problem(local_counts, [](const std::vector<unsigned>& own) {
            std::vector<unsigned> counts(kOwn);
            for (unsigned i = 0; i < kOwn; ++i) counts[own[i] % kOwn] += i + 1;
            return counts;
          }));
}

}  // namespace timing_set

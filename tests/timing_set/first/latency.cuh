// SPDX-License-Identifier: MIT
// Chains of dependent loads with few warps: one thread, one warp, a warp on each multiprocessor, in shared memory.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kSteps = 256;

__global__ void chase(const unsigned* next, unsigned* out, unsigned n) {
  unsigned at = mixed(thread_number()) % n;
  for (unsigned k = 0; k < kSteps; ++k) at = next[at];
  out[thread_number()] = at;
}
__global__ void chase_shared(const unsigned* next, unsigned* out, unsigned n) {
  __shared__ unsigned own[4096];
  for (unsigned i = threadIdx.x; i < 4096; i += 32) own[i] = next[i] % 4096;
  __syncthreads();
  unsigned at = mixed(thread_number()) % min(n, 4096u);
  for (unsigned k = 0; k < kSteps; ++k) at = own[at];
  out[thread_number()] = at;
}

// n elements; each names another one, all in one ring (a full period: an odd addend, a factor of 4k + 1).
template <class Function>
std::function<Problem(unsigned)> chase_problem(Function kernel, unsigned blocks, unsigned threads,
                                               bool shared) {
  return [=](unsigned n) {
    auto next = array<unsigned>(n, [=](unsigned i) { return (i * 1664525u + 1013904223u) % n; });
    auto out = room<unsigned>(blocks * threads);
    return Problem{[=] { kernel<<<blocks, threads>>>(next->data(), out->data(), n); },
                   [=] {
                     return agrees(
                         out,
                         [=](unsigned i) {
                           const unsigned most = shared ? std::min(n, 4096u) : n;
                           unsigned at = mixed(i) % most;
                           for (unsigned k = 0; k < kSteps; ++k)
                             at = shared ? next->host[at] % 4096 : next->host[at];
                           return at;
                         },
                         0);
                   }};
  };
}

inline void add_latency(Set& set) {
  const std::vector<unsigned> sizes = {1 << 12, 1 << 18, 1 << 24};
  set.add("chase_thread", sizes, chase_problem(chase, 1, 1, false));
  set.add("chase_warp", sizes, chase_problem(chase, 1, 32, false));
  set.add("chase_everywhere", sizes, chase_problem(chase, 132, 32, false));
  set.add("chase_shared", sizes, chase_problem(chase_shared, 132, 32, true));
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Keeps about half the elements: one atomic for each, for a warp, for a block.
#pragma once
#include <algorithm>

#include "../set.cuh"

namespace timing_set {

__host__ __device__ inline bool kept(unsigned x) { return x % 16 < 7; }

// Every lane asks for itself; the asm keeps the compiler from asking once for the warp.
__global__ void keep_one(const unsigned* in, unsigned* out, unsigned* count, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n || !kept(in[i])) return;
  unsigned at;
  asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(at) : "l"(count) : "memory");
  out[at] = in[i];
}
__global__ void keep_warp(const unsigned* in, unsigned* out, unsigned* count, unsigned n) {
  const unsigned i = thread_number(), lane = threadIdx.x % 32;
  const bool keep = i < n && kept(in[i]);
  const unsigned votes = __ballot_sync(kAll, keep);
  unsigned base = 0;
  if (lane == 0 && votes) base = atomicAdd(count, __popc(votes));
  base = __shfl_sync(kAll, base, 0);
  if (keep) out[base + __popc(votes & ((1u << lane) - 1))] = in[i];
}
__global__ void keep_block(const unsigned* in, unsigned* out, unsigned* count, unsigned n) {
  __shared__ unsigned of_warp[kBlock / 32], base;
  const unsigned i = thread_number(), lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned x = i < n ? in[i] : 15;
  const unsigned votes = __ballot_sync(kAll, kept(x));
  if (lane == 0) of_warp[warp] = __popc(votes);
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned sum = 0;
    for (unsigned w = 0; w < kBlock / 32; ++w) {
      const unsigned own = of_warp[w];
      of_warp[w] = sum;
      sum += own;
    }
    base = atomicAdd(count, sum);
  }
  __syncthreads();
  if (kept(x)) out[base + of_warp[warp] + __popc(votes & ((1u << lane) - 1))] = x;
}

template <class Function>
std::function<Problem(unsigned)> keep_problem(Function kernel) {
  return [=](unsigned n) {
    auto in = array<unsigned>(n, mixed), out = room<unsigned>(n), count = room<unsigned>(1);
    return Problem{
        [=] { kernel<<<blocks_of(n), kBlock>>>(in->data(), out->data(), count->data(), n); },
        [=] {
          std::vector<unsigned> got = out->device.download(), wanted;
          std::copy_if(in->host.begin(), in->host.end(), std::back_inserter(wanted), kept);
          if (count->device.download()[0] != wanted.size()) return false;
          got.resize(wanted.size());
          std::sort(got.begin(), got.end());
          std::sort(wanted.begin(), wanted.end());
          return got == wanted;
        },
        [=] { clear(count); }};
  };
}

inline void add_compact(Set& set) {
  const std::vector<unsigned> sizes = {1 << 14, 1 << 18, 1 << 21};
  set.add("keep_one", sizes, keep_problem(keep_one));
  set.add("keep_warp", sizes, keep_problem(keep_warp));
  set.add("keep_block", sizes, keep_problem(keep_block));
}

}  // namespace timing_set

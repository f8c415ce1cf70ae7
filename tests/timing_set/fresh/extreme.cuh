// SPDX-License-Identifier: MIT
// The largest element and where it is, as one word of 64 bits: one atomic for each warp, for each block, or for each of a
// few blocks that go through all.
#pragma once
#include <cstring>

#include "../set.cuh"

namespace timing_set {

using Found = unsigned long long;  // the value's bits, then how far from the end it is

__device__ inline Found found(float x, unsigned i) {
  return Found{__float_as_uint(x)} << 32 | (0xffffffffu - i);  // x is not negative
}
__device__ inline Found larger(Found a, Found b) { return a > b ? a : b; }
__device__ inline Found warp_largest(Found x) {
  for (int d = 16; d > 0; d /= 2) x = larger(x, __shfl_xor_sync(kAll, x, d));
  return x;
}
__device__ inline Found block_largest(Found x) {
  __shared__ Found of_warp[32];
  x = warp_largest(x);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x < 32) x = warp_largest(threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0);
  return x;
}

__global__ void largest_by_warp(const float* in, Found* out, unsigned) {
  const unsigned i = thread_number();
  const Found best = warp_largest(found(in[i], i));
  if (threadIdx.x % 32 == 0) atomicMax(out, best);
}
__global__ void largest_by_tree(const float* in, Found* out, unsigned) {
  __shared__ Found part[kBlock];
  const unsigned i = thread_number(), t = threadIdx.x;
  part[t] = found(in[i], i);
  for (unsigned d = kBlock / 2; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) part[t] = larger(part[t], part[t + d]);
  }
  if (t == 0) atomicMax(out, part[0]);
}
__global__ void largest_by_few(const float* in, Found* out, unsigned n) {
  const float4* const fours = reinterpret_cast<const float4*>(in);
  Found best = 0;
  for (unsigned i = thread_number(); i < n / 4; i += gridDim.x * blockDim.x) {
    const float4 x = fours[i];
    best = larger(best, larger(larger(found(x.x, 4 * i), found(x.y, 4 * i + 1)),
                               larger(found(x.z, 4 * i + 2), found(x.w, 4 * i + 3))));
  }
  best = block_largest(best);
  if (threadIdx.x == 0) atomicMax(out, best);
}

template <class Launch>
std::function<Problem(unsigned)> largest_problem(Launch launch) {
  return [=](unsigned n) {
    auto in = uniform(n, 3);
    auto out = room<Found>(1);
    return Problem{[=] { launch(in->data(), out->data(), n); },
                   [=] {
                     unsigned at = 0;
                     for (unsigned i = 1; i < n; ++i)
                       if (in->host[i] > in->host[at]) at = i;
                     const Found got = out->device.download()[0];
                     return 0xffffffffu - static_cast<unsigned>(got) == at;
                   },
                   [=] { clear(out); }};
  };
}

inline void add_extreme(Set& set) {
  const std::vector<unsigned> sizes = {1 << 15, 1 << 19, 1 << 23};
  using In = const float*;
  set.add("largest_by_warp", sizes, largest_problem([](In in, Found* out, unsigned n) {
            largest_by_warp<<<n / 512, 512>>>(in, out, n);
          }));
  set.add("largest_by_tree", sizes, largest_problem([](In in, Found* out, unsigned n) {
            largest_by_tree<<<n / kBlock, kBlock>>>(in, out, n);
          }));
  set.add("largest_by_few", sizes, largest_problem([](In in, Found* out, unsigned n) {
            largest_by_few<<<264, 512>>>(in, out, n);
          }));
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// The sum and the sum of squares of many floats, in double precision or as integers: by atomics of every warp, by a tree in
// shared memory, and by few threads that read four at a time.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void moments_by_warp(const float* in, double* out, unsigned n) {
  const unsigned i = thread_number();
  const double x = i < n ? in[i] : 0;
  const double sum = warp_sum(x), squares = warp_sum(x * x);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&out[0], sum);
    atomicAdd(&out[1], squares);
  }
}
__global__ void moments_by_tree(const float* in, double* out, unsigned n) {
  __shared__ double sums[512], squares[512];
  const unsigned i = thread_number(), t = threadIdx.x;
  const double x = i < n ? in[i] : 0;
  sums[t] = x;
  squares[t] = x * x;
  __syncthreads();
  for (unsigned half = 256; half > 0; half /= 2) {
    if (t < half) {
      sums[t] += sums[t + half];
      squares[t] += squares[t + half];
    }
    __syncthreads();
  }
  if (t == 0) atomicAdd(&out[0], sums[0]);
  if (t == 32) atomicAdd(&out[1], squares[0]);
}
__global__ void moments_by_few(const float4* in, double* out, unsigned n) {
  double sum = 0, squares = 0;
  const auto take = [&](float x) {
    sum += x;
    squares += static_cast<double>(x) * x;
  };
  for (unsigned i = thread_number(); i < n / 4; i += gridDim.x * blockDim.x) {
    const float4 x = in[i];
    take(x.x), take(x.y), take(x.z), take(x.w);
  }
  sum = warp_sum(sum);
  squares = warp_sum(squares);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&out[0], sum);
    atomicAdd(&out[1], squares);
  }
}
// All inputs are multiples of 2^-16.
__global__ void moments_as_integers(const float* in, unsigned long long* out, unsigned n) {
  unsigned long long sum = 0, squares = 0;
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) {
    const auto x = static_cast<unsigned long long>(in[i] * 65536);
    sum += x;
    squares += x * x;
  }
  sum = warp_sum(sum);
  squares = warp_sum(squares);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&out[0], sum);
    atomicAdd(&out[1], squares);
  }
}

template <class T, class Launch>
std::function<Problem(unsigned)> moments_problem(double unit, Launch launch) {
  return [=](unsigned n) {
    auto in = uniform(n, 5);
    auto out = room<T>(2);
    return Problem{[=] { launch(in->data(), out->data(), n); },
                   [=] {
                     double wanted[2] = {0, 0};
                     for (const double x : in->host) {
                       wanted[0] += x * unit;
                       wanted[1] += x * unit * x * unit;
                     }
                     return agrees(
                         out, [&](unsigned k) { return wanted[k]; }, 1e-9);
                   },
                   [=] { clear(out); }};
  };
}

inline void add_moments(Set& set) {
  const std::vector<unsigned> sizes = {1 << 14, 1 << 18, 1 << 22};
  using In = const float*;
  set.add("moments_by_warp", sizes, moments_problem<double>(1, [](In in, double* out, unsigned n) {
            moments_by_warp<<<blocks_of(n), kBlock>>>(in, out, n);
          }));
  set.add("moments_by_tree", sizes, moments_problem<double>(1, [](In in, double* out, unsigned n) {
            moments_by_tree<<<blocks_of(n, 512), 512>>>(in, out, n);
          }));
  set.add("moments_by_few", sizes, moments_problem<double>(1, [](In in, double* out, unsigned n) {
            moments_by_few<<<std::min(blocks_of(n / 4), 264u), kBlock>>>(
                reinterpret_cast<const float4*>(in), out, n);
          }));
  set.add(
      "moments_as_integers", sizes,
      moments_problem<unsigned long long>(65536, [](In in, unsigned long long* out, unsigned n) {
        moments_as_integers<<<std::min(blocks_of(n), 264u), kBlock>>>(in, out, n);
      }));
}

}  // namespace timing_set

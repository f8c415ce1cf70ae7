// SPDX-License-Identifier: MIT
// Dot products and norms of long vectors: floats, added up in shared memory, with an atomic
// addition for each block; the same by four floats at once and with sums in double precision, of
// which each block leaves one; the squared norm of doubles, eight to a thread; and the three sums
// that the cosine of two vectors of halves needs.
#pragma once
#include <cuda_fp16.h>

#include "../set.cuh"

namespace timing_set {

__global__ void dots_atomics(const float* a, const float* b, float* out, unsigned n) {
  __shared__ float cache[kBlock];
  float sum = 0;
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
  cache[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, cache[0]);
}

// The sum over a block, which its first thread has then.
template <class T>
__device__ T dots_block_sum(T x, T* of_warps) {
  x = warp_sum(x);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x < 32) {
    x = threadIdx.x < blockDim.x / 32 ? of_warps[threadIdx.x] : T(0);
    x = warp_sum(x);
  }
  return x;
}

__global__ void __launch_bounds__(512)
    dots_partials(const float* __restrict__ a, const float* __restrict__ b,
                  double* __restrict__ partial, unsigned n) {
  __shared__ double of_warps[32];
  const float4* a4 = reinterpret_cast<const float4*>(a);
  const float4* b4 = reinterpret_cast<const float4*>(b);
  double sum = 0;
  for (unsigned i = thread_number(); i < n / 4; i += gridDim.x * blockDim.x) {
    const float4 u = a4[i], v = b4[i];
    sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
  }
  const unsigned last = n / 4 * 4 + thread_number();
  if (last < n) sum += a[last] * b[last];
  sum = dots_block_sum(sum, of_warps);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

constexpr unsigned kDotsEach = 8;
constexpr unsigned kDotsThreads = 128;

__global__ void dots_squares(const double* x, double* out, unsigned n) {
  __shared__ double of_warps[32];
  const unsigned first = blockIdx.x * kDotsThreads * kDotsEach + threadIdx.x;
  double sum = 0;
#pragma unroll
  for (unsigned k = 0; k < kDotsEach; ++k) {
    const unsigned i = first + k * kDotsThreads;
    if (i < n) sum += x[i] * x[i];
  }
  sum = dots_block_sum(sum, of_warps);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

__global__ void __launch_bounds__(1024)
    dots_cosine(const __half2* __restrict__ a, const __half2* __restrict__ b, float* out,
                unsigned pairs) {
  __shared__ float of_warps[3][32];
  float ab = 0, aa = 0, bb = 0;
  for (unsigned i = thread_number(); i < pairs; i += gridDim.x * blockDim.x) {
    const float2 u = __half22float2(a[i]), v = __half22float2(b[i]);
    ab += u.x * v.x + u.y * v.y;
    aa += u.x * u.x + u.y * u.y;
    bb += v.x * v.x + v.y * v.y;
  }
  ab = dots_block_sum(ab, of_warps[0]);
  aa = dots_block_sum(aa, of_warps[1]);
  bb = dots_block_sum(bb, of_warps[2]);
  if (threadIdx.x == 0) {
    atomicAdd(&out[0], ab);
    atomicAdd(&out[1], aa);
    atomicAdd(&out[2], bb);
  }
}

inline double dots_wanted(const Shared<float>& a, const Shared<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a->host.size(); ++i) sum += double(a->host[i]) * b->host[i];
  return sum;
}

inline Problem dots_atomics_problem(unsigned n) {
  auto a = uniform(n, 61), b = uniform(n, 62), out = room<float>(1);
  const unsigned blocks = std::min(blocks_of(n), 1056u);
  return Problem{[=] { dots_atomics<<<blocks, kBlock>>>(a->data(), b->data(), out->data(), n); },
                 [=] {
                   return agrees(
                       out, [&](unsigned) { return dots_wanted(a, b); }, 2e-5);
                 },
                 [=] { clear(out); }};
}

inline Problem dots_partials_problem(unsigned n) {
  auto a = uniform(n, 63), b = uniform(n, 64);
  const unsigned blocks = std::min(blocks_of(n / 4, 512), 528u);
  auto partial = room<double>(blocks);
  return Problem{[=] { dots_partials<<<blocks, 512>>>(a->data(), b->data(), partial->data(), n); },
                 [=] {
                   double sum = 0;
                   for (const double one : partial->device.download()) sum += one;
                   return near(sum, dots_wanted(a, b), 1e-6);
                 }};
}

inline Problem dots_squares_problem(unsigned n) {
  auto x = uniform<double>(n, 65);
  auto out = room<double>(1);
  const auto wanted = [=](unsigned) {
    double sum = 0;
    for (const double one : x->host) sum += one * one;
    return sum;
  };
  return Problem{[=] {
                   dots_squares<<<blocks_of(n, kDotsThreads * kDotsEach), kDotsThreads>>>(
                       x->data(), out->data(), n);
                 },
                 [=] { return agrees(out, wanted, 1e-9); }, [=] { clear(out); }};
}

// What the halves are: steps of 2^-8, which a half has exactly.
inline float dots_half(unsigned i, unsigned seed) {
  return float(mixed(i ^ (seed << 24)) % 256) / 256;
}

inline Problem dots_cosine_problem(unsigned n) {
  auto a = array<__half>(n, [](unsigned i) { return __half(dots_half(i, 66)); });
  auto b = array<__half>(n, [](unsigned i) { return __half(dots_half(i, 67)); });
  auto out = room<float>(3);
  const auto wanted = [=] {
    std::vector<double> sums(3);
    for (unsigned i = 0; i < n; ++i) {
      const double u = dots_half(i, 66), v = dots_half(i, 67);
      sums[0] += u * v;
      sums[1] += u * u;
      sums[2] += v * v;
    }
    return sums;
  };
  return Problem{[=] {
                   dots_cosine<<<std::min(blocks_of(n / 2, 1024), 264u), 1024>>>(
                       reinterpret_cast<const __half2*>(a->data()),
                       reinterpret_cast<const __half2*>(b->data()), out->data(), n / 2);
                 },
                 [=] {
                   const std::vector<double> sums = wanted();
                   return agrees(
                       out, [&](unsigned i) { return sums[i]; }, 2e-5);
                 },
                 [=] { clear(out); }};
}

inline void add_dots(Set& set) {
  const std::vector<unsigned> sizes = {5001, 4000003, 30000003};
  set.add("dots_atomics", sizes, dots_atomics_problem);
  set.add("dots_partials", sizes, dots_partials_problem);
  set.add("dots_squares", {5001, 4000003, 20000003}, dots_squares_problem);
  set.add("dots_cosine", {6000, 8000000, 36000000}, dots_cosine_problem);  // even
}

}  // namespace timing_set

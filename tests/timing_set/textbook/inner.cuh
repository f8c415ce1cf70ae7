// SPDX-License-Identifier: MIT
// Inner products of two long vectors: a thread sums a run of neighbours and adds it atomically; a
// tree in shared memory leaves one sum per block; doubles are summed with shuffles; and halves
// times floats, with small whole numbers as weights, are summed in double precision, where the
// block that is done last adds up the blocks' sums.
#pragma once
#include <cuda_fp16.h>

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kInnerRun = 32;  // elements of a thread

__global__ void inner_runs(const float* x, const float* y, float* total, unsigned n) {
  __shared__ float block_sum;
  if (threadIdx.x == 0) block_sum = 0;
  __syncthreads();
  const unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) * kInnerRun;
  const unsigned last = min(first + kInnerRun, n);
  float sum = 0;
  for (unsigned i = first; i < last; ++i) sum += x[i] * y[i];
  atomicAdd(&block_sum, sum);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, block_sum);
}

__global__ void inner_tree(const float* x, const float* y, float* sums, unsigned n) {
  __shared__ float cache[kBlock];
  unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  float mine = 0;
  while (i < n) {
    mine += x[i] * y[i];
    i += blockDim.x * gridDim.x;
  }
  cache[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half != 0; half /= 2) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = cache[0];
}

// In thread 0: the sum over the block.
template <unsigned kThreads>
__device__ double inner_block_sum(double x) {
  __shared__ double warp_sums[kThreads / 32];
  x = warp_sum(x);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x >= 32) return 0;
  return warp_sum(threadIdx.x < kThreads / 32 ? warp_sums[threadIdx.x] : 0.0);
}

template <unsigned kThreads, unsigned kEach>
__global__ void __launch_bounds__(kThreads)
    inner_double(const double* __restrict__ x, const double* __restrict__ y, double* total,
                 unsigned n) {
  const unsigned first = blockIdx.x * (kThreads * kEach) + threadIdx.x;
  double sum = 0;
#pragma unroll
  for (unsigned k = 0; k < kEach; ++k) {
    const unsigned i = first + k * kThreads;
    if (i < n) sum = fma(x[i], y[i], sum);
  }
  sum = inner_block_sum<kThreads>(sum);
  if (threadIdx.x == 0) atomicAdd(total, sum);
}

constexpr unsigned kInnerMixedBlock = 1024;

// sums and done are the blocks' own: done is zero before and after.
__global__ void inner_mixed(const __half* __restrict__ x, const float* __restrict__ y,
                            const std::uint8_t* __restrict__ weight, volatile double* sums,
                            unsigned* done, double* total, unsigned n) {
  __shared__ bool last;
  const __half2* x2 = reinterpret_cast<const __half2*>(x);
  const float2* y2 = reinterpret_cast<const float2*>(y);
  const uchar2* weight2 = reinterpret_cast<const uchar2*>(weight);
  double sum = 0;
  for (unsigned i = thread_number(); i < n / 2; i += gridDim.x * blockDim.x) {
    const float2 a = __half22float2(x2[i]);
    const float2 b = y2[i];
    const uchar2 w = weight2[i];
    sum += a.x * b.x * w.x + a.y * b.y * w.y;
  }
  if (n % 2 == 1 && thread_number() == 0) sum += __half2float(x[n - 1]) * y[n - 1] * weight[n - 1];
  sum = inner_block_sum<kInnerMixedBlock>(sum);
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;  // the last one makes it zero again
    __threadfence();
  }
  __syncthreads();
  if (!last) return;
  sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) sum += sums[i];
  sum = inner_block_sum<kInnerMixedBlock>(sum);
  if (threadIdx.x == 0) *total = sum;
}

template <class X, class Y>
double inner_wanted(const Array<X>& x, const Array<Y>& y) {
  double sum = 0;
  for (unsigned i = 0; i < x.size(); ++i) sum += static_cast<double>(x.host[i]) * y.host[i];
  return sum;
}

inline Problem inner_runs_problem(unsigned n) {
  auto x = uniform(n, 1), y = uniform(n, 2);
  auto total = array(std::vector<float>(1));
  return Problem{[=] {
                   inner_runs<<<blocks_of(blocks_of(n, kInnerRun), 128), 128>>>(
                       x->data(), y->data(), total->data(), n);
                 },
                 [=] { return near(total->device.download()[0], inner_wanted(*x, *y), 1e-4); },
                 [=] { clear(total); }};
}

inline Problem inner_tree_problem(unsigned n) {
  auto x = uniform(n, 1), y = uniform(n, 2);
  const unsigned blocks = std::min(blocks_of(n), 528u);
  auto sums = room<float>(blocks);
  return Problem{[=] { inner_tree<<<blocks, kBlock>>>(x->data(), y->data(), sums->data(), n); },
                 [=] {
                   double sum = 0;
                   for (float part : sums->device.download()) sum += part;
                   return near(sum, inner_wanted(*x, *y), 1e-5);
                 }};
}

inline Problem inner_double_problem(unsigned n) {
  auto x = uniform<double>(n, 1), y = uniform<double>(n, 2);
  auto total = array(std::vector<double>(1));
  return Problem{[=] {
                   inner_double<512, 4>
                       <<<blocks_of(n, 512 * 4), 512>>>(x->data(), y->data(), total->data(), n);
                 },
                 [=] { return near(total->device.download()[0], inner_wanted(*x, *y), 1e-9); },
                 [=] { clear(total); }};
}

inline Problem inner_mixed_problem(unsigned n) {
  auto x = array<__half>(n, [](unsigned i) { return __half(float(mixed(i) % 1024) / 512); });
  auto y = uniform(n, 2);
  auto weight = array<std::uint8_t>(n, [](unsigned i) { return 1 + mixed(i + 5) % 9; });
  const unsigned blocks = std::min(blocks_of(n / 2, kInnerMixedBlock), 264u);
  auto sums = room<double>(blocks), total = room<double>(1);
  auto done = array(std::vector<unsigned>(1));
  return Problem{[=] {
                   inner_mixed<<<blocks, kInnerMixedBlock>>>(x->data(), y->data(), weight->data(),
                                                             sums->data(), done->data(),
                                                             total->data(), n);
                 },
                 [=] {
                   double sum = 0;
                   for (unsigned i = 0; i < n; ++i)
                     sum += double{__half2float(x->host[i])} * y->host[i] * weight->host[i];
                   return near(total->device.download()[0], sum, 1e-5);
                 },
                 [=] { done->restore(); }};
}

inline void add_inner(Set& set) {
  const std::vector<unsigned> sizes = {10007, 2000003, 12000001};  // elements
  set.add("inner_runs", sizes, inner_runs_problem);
  set.add("inner_tree", sizes, inner_tree_problem);
  set.add("inner_double", sizes, inner_double_problem);
  set.add("inner_mixed", sizes, inner_mixed_problem);
}

}  // namespace timing_set

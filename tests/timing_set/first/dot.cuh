// SPDX-License-Identifier: MIT
// Dot products: in float, in double, with compensation; one atomic per block, or one per warp.
#pragma once
#include "../set.cuh"

namespace timing_set {

template <class T, bool PerWarp>
__global__ void dot(const T* x, const T* y, T* total, unsigned n) {
  __shared__ T of_warp[kBlock / 32];
  T sum = 0;
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) sum += x[i] * y[i];
  sum = warp_sum(sum);
  if (PerWarp) {
    if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
    return;
  }
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = warp_sum(threadIdx.x < kBlock / 32 ? of_warp[threadIdx.x] : T(0));
  if (threadIdx.x == 0) atomicAdd(total, sum);
}
__global__ void dot_compensated(const float* x, const float* y, float* total, unsigned n) {
  float sum = 0, lost = 0;
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) {
    const float product = x[i] * y[i] - lost, next = sum + product;
    lost = (next - sum) - product;
    sum = next;
  }
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}

template <class T, class Function>
std::function<Problem(unsigned)> dot_problem(Function kernel) {
  return [=](unsigned n) {
    auto x = uniform<T>(n, 1), y = uniform<T>(n, 2), total = room<T>(1);
    return Problem{[=] {
                     kernel<<<std::min(blocks_of(n), 528u), kBlock>>>(x->data(), y->data(),
                                                                      total->data(), n);
                   },
                   [=] {
                     return agrees(
                         total,
                         [=](unsigned) {
                           double sum = 0;
                           for (unsigned i = 0; i < n; ++i) sum += double(x->host[i]) * y->host[i];
                           return sum;
                         },
                         1e-4);
                   },
                   [=] { clear(total); }};
  };
}

inline void add_dot(Set& set) {
  const std::vector<unsigned> sizes = {1 << 16, 1 << 21, 1 << 24};
  set.add("dot_float", sizes, dot_problem<float>(dot<float, false>));
  set.add("dot_float_warps", sizes, dot_problem<float>(dot<float, true>));
  set.add("dot_double", sizes, dot_problem<double>(dot<double, false>));
  set.add("dot_compensated", sizes, dot_problem<float>(dot_compensated));
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Dotting: the dot product of two vectors of n floats or doubles, or of one with itself (the square
// of its norm), into one number that is zero at first.
#pragma once
#include "../set.cuh"

namespace timing_set {

// Each thread sums 64 products, a block's width apart, and adds its sum itself.
constexpr int kDottingEach = 64;
__global__ void dotting_threads(const float* x, const float* y, float* result, int n) {
  const int first = blockIdx.x * blockDim.x * kDottingEach + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < kDottingEach; ++k) {
    const int i = first + k * blockDim.x;
    if (i < n) sum += x[i] * y[i];
  }
  atomicAdd(result, sum);
}

// The square of the norm: an element by each thread, an atomic addition by each warp.
__global__ void dotting_warps(const double* x, double* result, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double square = i < n ? x[i] * x[i] : 0;
  for (int d = 16; d > 0; d /= 2) square += __shfl_down_sync(0xffffffff, square, d);
  if (threadIdx.x % 32 == 0) atomicAdd(result, square);
}

// Two elements by each thread, a tree in shared memory, an atomic addition by each block.
constexpr int kDottingTree = 256;
__global__ void dotting_blocks(const float* __restrict__ x, const float* __restrict__ y,
                               float* result, int n) {
  __shared__ float sums[kDottingTree];
  const int i = blockIdx.x * kDottingTree * 2 + threadIdx.x;
  float sum = 0;
  if (i < n) sum = x[i] * y[i];
  if (i + kDottingTree < n) sum += x[i + kDottingTree] * y[i + kDottingTree];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kDottingTree / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(result, sums[0]);
}

// As many blocks as the GPU holds, each thread in strides; shuffles, and one value of each warp in
// shared memory.
__global__ void dotting_stride(const double* __restrict__ x, const double* __restrict__ y,
                               double* result, int n) {
  __shared__ double sums[32];
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += x[i] * y[i];
  sum = warp_sum(sum);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < blockDim.x / 32 ? sums[lane] : 0;
    sum = warp_sum(sum);
    if (lane == 0) atomicAdd(result, sum);
  }
}

template <class T>
bool dotting_right(const Shared<T>& result, const Shared<T>& x, const Shared<T>& y) {
  return agrees(result, [=](unsigned) {
    const T *from_x = x->host.data(), *from_y = y->host.data();
    double sum = 0;
    for (unsigned i = 0; i < x->size(); ++i) sum += static_cast<double>(from_x[i]) * from_y[i];
    return sum;
  });
}

inline void add_dotting(Set& set) {
  const std::vector<unsigned> sizes = {100000, 6000001};
  set.add("dotting_threads", sizes, [](unsigned n) {
    auto x = uniform(n, 1), y = uniform(n, 2), result = room<float>(1);
    return Problem{[=] {
                     dotting_threads<<<blocks_of(n, 128 * kDottingEach), 128>>>(
                         x->data(), y->data(), result->data(), n);
                   },
                   [=] { return dotting_right(result, x, y); }, [=] { clear(result); }};
  });
  set.add("dotting_warps", sizes, [](unsigned n) {
    auto x = uniform<double>(n, 3), result = room<double>(1);
    return Problem{[=] { dotting_warps<<<blocks_of(n, 512), 512>>>(x->data(), result->data(), n); },
                   [=] { return dotting_right(result, x, x); }, [=] { clear(result); }};
  });
  set.add("dotting_blocks", sizes, [](unsigned n) {
    auto x = uniform(n, 1), y = uniform(n, 2), result = room<float>(1);
    return Problem{[=] {
                     dotting_blocks<<<blocks_of(n, 2 * kDottingTree), kDottingTree>>>(
                         x->data(), y->data(), result->data(), n);
                   },
                   [=] { return dotting_right(result, x, y); }, [=] { clear(result); }};
  });
  set.add("dotting_stride", sizes, [](unsigned n) {
    auto x = uniform<double>(n, 1), y = uniform<double>(n, 2), result = room<double>(1);
    return Problem{[=] {
                     const unsigned blocks = std::min(264u, blocks_of(n, 1024));
                     dotting_stride<<<blocks, 1024>>>(x->data(), y->data(), result->data(), n);
                   },
                   [=] { return dotting_right(result, x, y); }, [=] { clear(result); }};
  });
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// A square matrix times a vector, the matrix row-major: a thread for each row; a warp for each row;
// the transposed matrix times a vector, with a thread for each column of a slab of rows and atomics
// between the slabs; and a matrix of halves, with a block for each row.
#pragma once
#include <cuda_fp16.h>

#include "../set.cuh"

namespace timing_set {

__global__ void matvecs_rows(const float* a, const float* x, float* y, unsigned n) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0;
  for (unsigned k = 0; k < n; ++k) sum += a[row * n + k] * x[k];
  y[row] = sum;
}

// Blocks of 32 by 8: a warp is a row of the block.
__global__ void matvecs_warps(const float* __restrict__ a, const float* __restrict__ x,
                              float* __restrict__ y, unsigned n) {
  const unsigned row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= n) return;
  const float* of_row = a + std::size_t{row} * n;
  float sum = 0;
  for (unsigned k = threadIdx.x; k < n; k += 32) sum += of_row[k] * x[k];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(kAll, sum, offset);
  if (threadIdx.x == 0) y[row] = sum;
}

constexpr unsigned kMatvecsSlab = 256;  // rows
constexpr unsigned kMatvecsColumns = 64;

__global__ void matvecs_transposed(const float* a, const float* x, float* y, unsigned n) {
  __shared__ float piece[kMatvecsSlab];
  const unsigned first = blockIdx.y * kMatvecsSlab;
  const unsigned rows = min(kMatvecsSlab, n - first);
  for (unsigned i = threadIdx.x; i < rows; i += blockDim.x) piece[i] = x[first + i];
  __syncthreads();
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column < n) {
    float sum = 0;
    for (unsigned i = 0; i < rows; ++i) sum += a[(first + i) * n + column] * piece[i];
    atomicAdd(&y[column], sum);
  }
}

constexpr unsigned kMatvecsThreads = 128;

__global__ void __launch_bounds__(kMatvecsThreads)
    matvecs_halves(const __half2* __restrict__ a, const float2* __restrict__ x,
                   float* __restrict__ y, unsigned pairs) {
  __shared__ float sums[kMatvecsThreads];
  const __half2* row = a + std::size_t{blockIdx.x} * pairs;
  float sum = 0;
  for (unsigned k = threadIdx.x; k < pairs; k += kMatvecsThreads) {
    const float2 u = __half22float2(row[k]);
    const float2 v = x[k];
    sum += u.x * v.x + u.y * v.y;
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = kMatvecsThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = sums[0];
}

struct MatvecsData {
  unsigned n;
  Shared<float> a, x, y;
  bool right() const {
    return agrees(y, [&](unsigned row) {
      double sum = 0;
      for (unsigned k = 0; k < n; ++k)
        sum += double(a->host[std::size_t{row} * n + k]) * x->host[k];
      return sum;
    });
  }
};
inline MatvecsData matvecs_data(unsigned n) {
  return {n, uniform(std::size_t{n} * n, 31), uniform(n, 32), room<float>(n)};
}

inline Problem matvecs_rows_problem(unsigned n) {
  const MatvecsData data = matvecs_data(n);
  return Problem{[=] {
                   matvecs_rows<<<blocks_of(n, 64), 64>>>(data.a->data(), data.x->data(),
                                                          data.y->data(), n);
                 },
                 [=] { return data.right(); }};
}

inline Problem matvecs_warps_problem(unsigned n) {
  const MatvecsData data = matvecs_data(n);
  return Problem{[=] {
                   matvecs_warps<<<blocks_of(n, 8), dim3(32, 8)>>>(data.a->data(), data.x->data(),
                                                                   data.y->data(), n);
                 },
                 [=] { return data.right(); }};
}

inline Problem matvecs_transposed_problem(unsigned n) {
  const MatvecsData data = matvecs_data(n);
  const dim3 grid(blocks_of(n, kMatvecsColumns), blocks_of(n, kMatvecsSlab));
  return Problem{[=] {
                   matvecs_transposed<<<grid, kMatvecsColumns>>>(data.a->data(), data.x->data(),
                                                                 data.y->data(), n);
                 },
                 [=] {
                   return agrees(data.y, [&](unsigned column) {
                     double sum = 0;
                     for (unsigned k = 0; k < n; ++k)
                       sum += double(data.a->host[std::size_t{k} * n + column]) * data.x->host[k];
                     return sum;
                   });
                 },
                 [=] { clear(data.y); }};
}

// What the matrix of halves holds: steps of 2^-8, which a half has exactly.
inline float matvecs_half(unsigned i) { return float(mixed(i + 35) % 256) / 256; }

inline Problem matvecs_halves_problem(unsigned n) {
  auto a = array<__half>(std::size_t{n} * n, [](unsigned i) { return __half(matvecs_half(i)); });
  auto x = uniform(n, 33);
  auto y = room<float>(n);
  return Problem{[=] {
                   matvecs_halves<<<n, kMatvecsThreads>>>(
                       reinterpret_cast<const __half2*>(a->data()),
                       reinterpret_cast<const float2*>(x->data()), y->data(), n / 2);
                 },
                 [=] {
                   return agrees(y, [&](unsigned row) {
                     double sum = 0;
                     for (unsigned k = 0; k < n; ++k)
                       sum += double(matvecs_half(row * n + k)) * x->host[k];
                     return sum;
                   });
                 }};
}

inline void add_matvecs(Set& set) {
  const std::vector<unsigned> sizes = {301, 2903, 6101};
  set.add("matvecs_rows", sizes, matvecs_rows_problem);
  set.add("matvecs_warps", sizes, matvecs_warps_problem);
  set.add("matvecs_transposed", sizes, matvecs_transposed_problem);
  set.add("matvecs_halves", {302, 3600, 8200}, matvecs_halves_problem);  // even
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Products of two dense square matrices in row order: a thread per output that reads everything
// from memory, square tiles of both factors in shared memory, large tiles with sixteen outputs per
// thread in registers, and strips of eight outputs below each other, where the product is scaled
// and added to what was there.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void gemm_naive(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && column < n) {
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
  }
}

template <int kSide>
__global__ void gemm_tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float a_tile[kSide][kSide];
  __shared__ float b_tile[kSide][kSide];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kSide + y;
  const int column = blockIdx.x * kSide + x;
  float sum = 0;
  for (int tile = 0; tile < (n + kSide - 1) / kSide; ++tile) {
    const int a_column = tile * kSide + x;
    const int b_row = tile * kSide + y;
    a_tile[y][x] = row < n && a_column < n ? a[row * n + a_column] : 0.0f;
    b_tile[y][x] = b_row < n && column < n ? b[b_row * n + column] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kSide; ++k) sum += a_tile[y][k] * b_tile[k][x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

constexpr int kGemmTile = 64;   // outputs of a block, down and across
constexpr int kGemmDepth = 16;  // of a tile, along the sum
constexpr int kGemmThreads = 256;

// Four by four outputs a thread. The tile of the left factor lies transposed in shared memory.
__global__ void __launch_bounds__(kGemmThreads)
    gemm_micro(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
               int n) {
  __shared__ __align__(16) float a_tile[kGemmDepth][kGemmTile + 4];
  __shared__ __align__(16) float b_tile[kGemmDepth][kGemmTile];
  const int top = blockIdx.y * kGemmTile, left = blockIdx.x * kGemmTile;
  const int down = threadIdx.x / 16 * 4, across = threadIdx.x % 16 * 4;
  float sums[4][4] = {};
  for (int first = 0; first < n; first += kGemmDepth) {
#pragma unroll
    for (int i = threadIdx.x; i < kGemmTile * kGemmDepth; i += kGemmThreads) {
      const int row = top + i / kGemmDepth, k = first + i % kGemmDepth;
      a_tile[i % kGemmDepth][i / kGemmDepth] = row < n && k < n ? a[row * n + k] : 0.0f;
    }
#pragma unroll
    for (int i = threadIdx.x; i < kGemmTile * kGemmDepth; i += kGemmThreads) {
      const int k = first + i / kGemmTile, column = left + i % kGemmTile;
      b_tile[i / kGemmTile][i % kGemmTile] = k < n && column < n ? b[k * n + column] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kGemmDepth; ++k) {
      const float4 av = *reinterpret_cast<const float4*>(&a_tile[k][down]);
      const float4 bv = *reinterpret_cast<const float4*>(&b_tile[k][across]);
      const float as[4] = {av.x, av.y, av.z, av.w};
      const float bs[4] = {bv.x, bv.y, bv.z, bv.w};
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) sums[i][j] += as[i] * bs[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j)
      if (top + down + i < n && left + across + j < n)
        c[(top + down + i) * n + left + across + j] = sums[i][j];
}

constexpr int kGemmRows = 8, kGemmStripDepth = 32;

// A thread has one column and eight rows: it reads the right factor straight from memory.
__global__ void gemm_strip(const float* __restrict__ a, const float* __restrict__ b, float* c,
                           float alpha, float beta, int n) {
  __shared__ float a_tile[kGemmRows][kGemmStripDepth];
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int top = blockIdx.y * kGemmRows;
  float sums[kGemmRows] = {};
  for (int first = 0; first < n; first += kGemmStripDepth) {
    for (int i = threadIdx.x; i < kGemmRows * kGemmStripDepth; i += blockDim.x) {
      const int row = top + i / kGemmStripDepth, k = first + i % kGemmStripDepth;
      a_tile[i / kGemmStripDepth][i % kGemmStripDepth] = row < n && k < n ? a[row * n + k] : 0.0f;
    }
    __syncthreads();
    if (column < n) {
      const int depth = min(kGemmStripDepth, n - first);
      for (int k = 0; k < depth; ++k) {
        const float right = b[(first + k) * n + column];
#pragma unroll
        for (int i = 0; i < kGemmRows; ++i) sums[i] += a_tile[i][k] * right;
      }
    }
    __syncthreads();
  }
  if (column >= n) return;
  for (int i = 0; i < kGemmRows && top + i < n; ++i) {
    float& out = c[(top + i) * n + column];
    out = alpha * sums[i] + beta * out;
  }
}

struct GemmInput {
  unsigned n;
  Shared<float> a, b;
  double wanted(unsigned i) const {
    double sum = 0;
    for (unsigned k = 0; k < n; ++k)
      sum += static_cast<double>(a->host[i / n * n + k]) * b->host[k * n + i % n];
    return sum;
  }
};
inline GemmInput gemm_input(unsigned n) {
  return {n, uniform(std::size_t{n} * n, 1), uniform(std::size_t{n} * n, 2)};
}

inline Problem gemm_naive_problem(unsigned n) {
  const GemmInput in = gemm_input(n);
  auto c = room<float>(std::size_t{n} * n);
  return Problem{[=] {
                   const dim3 grid(blocks_of(n, 16), blocks_of(n, 16));
                   gemm_naive<<<grid, dim3(16, 16)>>>(in.a->data(), in.b->data(), c->data(), n);
                 },
                 [=] { return agrees(c, [&](unsigned i) { return in.wanted(i); }); }};
}

inline Problem gemm_tiled_problem(unsigned n) {
  const GemmInput in = gemm_input(n);
  auto c = room<float>(std::size_t{n} * n);
  return Problem{[=] {
                   const dim3 grid(blocks_of(n, 32), blocks_of(n, 32));
                   gemm_tiled<32><<<grid, dim3(32, 32)>>>(in.a->data(), in.b->data(), c->data(), n);
                 },
                 [=] { return agrees(c, [&](unsigned i) { return in.wanted(i); }); }};
}

inline Problem gemm_micro_problem(unsigned n) {
  const GemmInput in = gemm_input(n);
  auto c = room<float>(std::size_t{n} * n);
  return Problem{[=] {
                   const dim3 grid(blocks_of(n, kGemmTile), blocks_of(n, kGemmTile));
                   gemm_micro<<<grid, kGemmThreads>>>(in.a->data(), in.b->data(), c->data(), n);
                 },
                 [=] { return agrees(c, [&](unsigned i) { return in.wanted(i); }); }};
}

inline Problem gemm_strip_problem(unsigned n) {
  const GemmInput in = gemm_input(n);
  auto c = uniform(std::size_t{n} * n, 3);
  const float alpha = 0.5f, beta = 3.0f;
  return Problem{[=] {
                   const dim3 grid(blocks_of(n, 128), blocks_of(n, kGemmRows));
                   gemm_strip<<<grid, 128>>>(in.a->data(), in.b->data(), c->data(), alpha, beta, n);
                 },
                 [=] {
                   return agrees(
                       c, [&](unsigned i) { return alpha * in.wanted(i) + beta * c->host[i]; });
                 },
                 [=] { c->restore(); }};
}

inline void add_gemm(Set& set) {
  const std::vector<unsigned> sizes = {61, 200, 430};  // rows and columns
  set.add("gemm_naive", sizes, gemm_naive_problem);
  set.add("gemm_tiled", sizes, gemm_tiled_problem);
  set.add("gemm_micro", sizes, gemm_micro_problem);
  set.add("gemm_strip", sizes, gemm_strip_problem);
}

}  // namespace timing_set

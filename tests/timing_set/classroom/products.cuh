// SPDX-License-Identifier: MIT
// The product of two square matrices of floats, row-major: one output per thread straight from
// global memory; the same with square tiles in shared memory; eight outputs of a column per thread;
// and four by four outputs per thread, with loads and stores of four floats at once.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void products_naive(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && column < n) {
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
  }
}

constexpr int kProductsTile = 32;

__global__ void products_tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[kProductsTile][kProductsTile];
  __shared__ float tile_b[kProductsTile][kProductsTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kProductsTile + ty;
  const int column = blockIdx.x * kProductsTile + tx;
  float sum = 0;
  for (int first = 0; first < n; first += kProductsTile) {
    tile_a[ty][tx] = row < n && first + tx < n ? a[row * n + first + tx] : 0.0f;
    tile_b[ty][tx] = column < n && first + ty < n ? b[(first + ty) * n + column] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kProductsTile; ++k) sum += tile_a[ty][k] * tile_b[k][tx];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

constexpr int kProductsSide = 64;  // of the piece of the result that a block computes
constexpr int kProductsDepth = 8;
constexpr int kProductsEach = 8;  // outputs of a thread

__global__ void __launch_bounds__(512)
    products_columns(const float* __restrict__ a, const float* __restrict__ b,
                     float* __restrict__ c, int n) {
  __shared__ float tile_a[kProductsSide][kProductsDepth];
  __shared__ float tile_b[kProductsDepth][kProductsSide];
  const int top = blockIdx.y * kProductsSide, left = blockIdx.x * kProductsSide;
  const int x = threadIdx.x % kProductsSide, y = threadIdx.x / kProductsSide;
  const int a_row = threadIdx.x / kProductsDepth, a_column = threadIdx.x % kProductsDepth;
  float sums[kProductsEach] = {};
  for (int first = 0; first < n; first += kProductsDepth) {
    const bool in_a = top + a_row < n && first + a_column < n;
    const bool in_b = first + y < n && left + x < n;
    tile_a[a_row][a_column] = in_a ? a[(top + a_row) * n + first + a_column] : 0.0f;
    tile_b[y][x] = in_b ? b[(first + y) * n + left + x] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kProductsDepth; ++k) {
      const float from_b = tile_b[k][x];
      for (int i = 0; i < kProductsEach; ++i) sums[i] += tile_a[y * kProductsEach + i][k] * from_b;
    }
    __syncthreads();
  }
  for (int i = 0; i < kProductsEach; ++i) {
    const int row = top + y * kProductsEach + i;
    if (row < n && left + x < n) c[row * n + left + x] = sums[i];
  }
}

constexpr int kProductsWideDepth = 16;

// Of matrices whose side is a multiple of four. The tile of A is stored transposed.
__global__ void __launch_bounds__(256)
    products_wide(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                  int n) {
  __shared__ __align__(16) float tile_a[kProductsWideDepth][kProductsSide + 4];
  __shared__ __align__(16) float tile_b[kProductsWideDepth][kProductsSide];
  const int top = blockIdx.y * kProductsSide, left = blockIdx.x * kProductsSide;
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int a_row = thread / 4, a_column = thread % 4 * 4;
  const int b_row = thread / 16, b_column = thread % 16 * 4;
  const int tx = threadIdx.x * 4, ty = threadIdx.y * 4;
  float sums[4][4] = {};
  for (int first = 0; first < n; first += kProductsWideDepth) {
    float4 from_a = make_float4(0, 0, 0, 0), from_b = make_float4(0, 0, 0, 0);
    if (top + a_row < n && first + a_column < n)
      from_a = *reinterpret_cast<const float4*>(&a[(top + a_row) * n + first + a_column]);
    if (first + b_row < n && left + b_column < n)
      from_b = *reinterpret_cast<const float4*>(&b[(first + b_row) * n + left + b_column]);
    tile_a[a_column][a_row] = from_a.x;
    tile_a[a_column + 1][a_row] = from_a.y;
    tile_a[a_column + 2][a_row] = from_a.z;
    tile_a[a_column + 3][a_row] = from_a.w;
    *reinterpret_cast<float4*>(&tile_b[b_row][b_column]) = from_b;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kProductsWideDepth; ++k) {
      const float4 u = *reinterpret_cast<const float4*>(&tile_a[k][ty]);
      const float4 v = *reinterpret_cast<const float4*>(&tile_b[k][tx]);
      const float us[4] = {u.x, u.y, u.z, u.w}, vs[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) sums[i][j] += us[i] * vs[j];
    }
    __syncthreads();
  }
  if (left + tx >= n) return;
  for (int i = 0; i < 4 && top + ty + i < n; ++i)
    *reinterpret_cast<float4*>(&c[(top + ty + i) * n + left + tx]) =
        make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
}

struct ProductsData {
  unsigned n;
  Shared<float> a, b, c;
  bool right() const {
    return agrees(c, [&](unsigned i) {
      double sum = 0;
      for (unsigned k = 0; k < n; ++k)
        sum += double(a->host[i / n * n + k]) * b->host[std::size_t{k} * n + i % n];
      return sum;
    });
  }
};
inline ProductsData products_data(unsigned n) {
  const std::size_t all = std::size_t{n} * n;
  return {n, uniform(all, 21), uniform(all, 22), room<float>(all)};
}

inline Problem products_problem(void (*kernel)(const float*, const float*, float*, int), unsigned n,
                                dim3 block, unsigned side) {
  const ProductsData data = products_data(n);
  const dim3 grid(blocks_of(n, side), blocks_of(n, side));
  return Problem{[=] {
                   kernel<<<grid, block>>>(data.a->data(), data.b->data(), data.c->data(),
                                           static_cast<int>(n));
                 },
                 [=] { return data.right(); }};
}

inline void add_products(Set& set) {
  const std::vector<unsigned> sizes = {68, 260, 540};  // multiples of four
  set.add("products_naive", sizes,
          [](unsigned n) { return products_problem(products_naive, n, dim3(16, 16), 16); });
  set.add("products_tiled", sizes, [](unsigned n) {
    return products_problem(products_tiled, n, dim3(kProductsTile, kProductsTile), kProductsTile);
  });
  set.add("products_columns", sizes, [](unsigned n) {
    return products_problem(products_columns, n, dim3(512), kProductsSide);
  });
  set.add("products_wide", sizes, [](unsigned n) {
    return products_problem(products_wide, n, dim3(16, 16), kProductsSide);
  });
}

}  // namespace timing_set

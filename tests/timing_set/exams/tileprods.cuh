// SPDX-License-Identifier: MIT
// Dense matrix products: c = a * b, all n by n and stored by rows, n mostly no multiple of a tile.
// Without shared memory (also with rows and columns the wrong way round), with tiles in shared
// memory and one output per thread, and with two, four or eight outputs per thread.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void tileprods_plain(const float* a, const float* b, float* c, unsigned n) {
  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  float sum = 0;
  for (unsigned k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

// The usual mistake: neighbouring threads have neighbouring rows, so they read and write far apart.
__global__ void tileprods_across(const float* a, const float* b, float* c, unsigned n) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || col >= n) return;
  float sum = 0;
  for (unsigned k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

// One output per thread. Outside of the matrices the tiles are filled with zeros.
constexpr unsigned kTileprodsTile = 32;
__global__ void tileprods_shared(const float* a, const float* b, float* c, unsigned n) {
  __shared__ float as[kTileprodsTile][kTileprodsTile];
  __shared__ float bs[kTileprodsTile][kTileprodsTile];
  const unsigned tx = threadIdx.x, ty = threadIdx.y;
  const unsigned row = blockIdx.y * kTileprodsTile + ty;
  const unsigned col = blockIdx.x * kTileprodsTile + tx;
  float sum = 0;
  for (unsigned first = 0; first < n; first += kTileprodsTile) {
    as[ty][tx] = row < n && first + tx < n ? a[row * n + first + tx] : 0.f;
    bs[ty][tx] = first + ty < n && col < n ? b[(first + ty) * n + col] : 0.f;
    __syncthreads();
    for (unsigned k = 0; k < kTileprodsTile; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}

// Four outputs per thread, one below the other: what is read of b is used four times.
constexpr unsigned kTileprodsRows = 8;
__global__ void tileprods_four(const float* __restrict__ a, const float* __restrict__ b,
                               float* __restrict__ c, unsigned n) {
  __shared__ float as[kTileprodsTile][kTileprodsTile];
  __shared__ float bs[kTileprodsTile][kTileprodsTile];
  const unsigned tx = threadIdx.x, ty = threadIdx.y;
  const unsigned top = blockIdx.y * kTileprodsTile;
  const unsigned col = blockIdx.x * kTileprodsTile + tx;
  float sums[4] = {};
  for (unsigned first = 0; first < n; first += kTileprodsTile) {
    for (unsigned r = ty; r < kTileprodsTile; r += kTileprodsRows) {
      as[r][tx] = top + r < n && first + tx < n ? a[(top + r) * n + first + tx] : 0.f;
      bs[r][tx] = first + r < n && col < n ? b[(first + r) * n + col] : 0.f;
    }
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < kTileprodsTile; ++k) {
      const float factor = bs[k][tx];
#pragma unroll
      for (unsigned i = 0; i < 4; ++i) sums[i] += as[ty + i * kTileprodsRows][k] * factor;
    }
    __syncthreads();
  }
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned row = top + ty + i * kTileprodsRows;
    if (row < n && col < n) c[row * n + col] = sums[i];
  }
}

// Eight outputs per thread, two rows and four columns: a block of 16 by 16 threads has a tile of
// 32 by 64 outputs.
constexpr unsigned kTileprodsSide = 16;
__global__ void tileprods_eight(const float* __restrict__ a, const float* __restrict__ b,
                                float* __restrict__ c, unsigned n) {
  constexpr unsigned side = kTileprodsSide;
  __shared__ float as[2 * side][side + 1];
  __shared__ float bs[side][4 * side];
  const unsigned tx = threadIdx.x, ty = threadIdx.y;
  const unsigned top = blockIdx.y * 2 * side, left = blockIdx.x * 4 * side;
  float sums[2][4] = {};
  for (unsigned first = 0; first < n; first += side) {
#pragma unroll
    for (unsigned r = ty; r < 2 * side; r += side)
      as[r][tx] = top + r < n && first + tx < n ? a[(top + r) * n + first + tx] : 0.f;
#pragma unroll
    for (unsigned q = tx; q < 4 * side; q += side)
      bs[ty][q] = first + ty < n && left + q < n ? b[(first + ty) * n + left + q] : 0.f;
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < side; ++k) {
      const float upper = as[ty][k], lower = as[ty + side][k];
#pragma unroll
      for (unsigned j = 0; j < 4; ++j) {
        const float factor = bs[k][tx + j * side];
        sums[0][j] += upper * factor;
        sums[1][j] += lower * factor;
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (unsigned i = 0; i < 2; ++i)
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) {
      const unsigned row = top + ty + i * side, col = left + tx + j * side;
      if (row < n && col < n) c[row * n + col] = sums[i][j];
    }
}

// In double, two outputs per thread beside each other in a tile of 16 by 32.
__global__ void tileprods_double(const double* __restrict__ a, const double* __restrict__ b,
                                 double* __restrict__ c, unsigned n) {
  constexpr unsigned side = kTileprodsSide;
  __shared__ double as[side][side];
  __shared__ double bs[side][2 * side];
  const unsigned tx = threadIdx.x, ty = threadIdx.y;
  const unsigned row = blockIdx.y * side + ty;
  const unsigned col = blockIdx.x * 2 * side + tx;
  double left = 0, right = 0;
  for (unsigned first = 0; first < n; first += side) {
    const unsigned k_row = first + ty;
    as[ty][tx] = row < n && first + tx < n ? a[row * n + first + tx] : 0.0;
    bs[ty][tx] = k_row < n && col < n ? b[k_row * n + col] : 0.0;
    bs[ty][tx + side] = k_row < n && col + side < n ? b[k_row * n + col + side] : 0.0;
    __syncthreads();
    for (unsigned k = 0; k < side; ++k) {
      left += as[ty][k] * bs[k][tx];
      right += as[ty][k] * bs[k][tx + side];
    }
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = left;
  if (row < n && col + side < n) c[row * n + col + side] = right;
}

// Both inputs, room for the product, and what the product must be. The grid has one block for each
// tile of so many columns and rows.
template <class T, class Launch>
Problem tileprods_problem(unsigned n, unsigned seed, unsigned columns, unsigned rows,
                          Launch launch) {
  auto a = uniform<T>(n * n, seed), b = uniform<T>(n * n, seed + 1);
  auto c = room<T>(n * n);
  const dim3 grid(blocks_of(n, columns), blocks_of(n, rows));
  return Problem{[=] { launch(grid, a->data(), b->data(), c->data()); },
                 [=] {
                   return agrees(c, [=](unsigned i) {
                     const unsigned row = i / n, col = i % n;
                     double sum = 0;
                     for (unsigned k = 0; k < n; ++k)
                       sum += double{a->host[row * n + k]} * double{b->host[k * n + col]};
                     return sum;
                   });
                 }};
}

inline void tileprods_add_simple(Set& set, const std::vector<unsigned>& sizes) {
  set.add("tileprods_plain", sizes, [](unsigned n) {
    return tileprods_problem<float>(n, 1, 16, 16,
                                    [n](dim3 grid, const float* a, const float* b, float* c) {
                                      tileprods_plain<<<grid, dim3(16, 16)>>>(a, b, c, n);
                                    });
  });
  set.add("tileprods_across", sizes, [](unsigned n) {
    // Here the blocks go down the rows in x, so the grid is turned round as well.
    return tileprods_problem<float>(
        n, 3, 4, 32, [n](dim3 grid, const float* a, const float* b, float* c) {
          tileprods_across<<<dim3(grid.y, grid.x), dim3(32, 4)>>>(a, b, c, n);
        });
  });
}

inline void add_tileprods(Set& set) {
  const std::vector<unsigned> sizes = {101, 350, 577};
  tileprods_add_simple(set, sizes);
  set.add("tileprods_shared", sizes, [](unsigned n) {
    return tileprods_problem<float>(
        n, 5, 32, 32, [n](dim3 grid, const float* a, const float* b, float* c) {
          tileprods_shared<<<grid, dim3(kTileprodsTile, kTileprodsTile)>>>(a, b, c, n);
        });
  });
  set.add("tileprods_four", sizes, [](unsigned n) {
    return tileprods_problem<float>(
        n, 7, 32, 32, [n](dim3 grid, const float* a, const float* b, float* c) {
          tileprods_four<<<grid, dim3(kTileprodsTile, kTileprodsRows)>>>(a, b, c, n);
        });
  });
  set.add("tileprods_eight", sizes, [](unsigned n) {
    return tileprods_problem<float>(
        n, 9, 64, 32, [n](dim3 grid, const float* a, const float* b, float* c) {
          tileprods_eight<<<grid, dim3(kTileprodsSide, kTileprodsSide)>>>(a, b, c, n);
        });
  });
  set.add("tileprods_double", sizes, [](unsigned n) {
    return tileprods_problem<double>(
        n, 11, 32, 16, [n](dim3 grid, const double* a, const double* b, double* c) {
          tileprods_double<<<grid, dim3(kTileprodsSide, kTileprodsSide)>>>(a, b, c, n);
        });
  });
}

}  // namespace timing_set

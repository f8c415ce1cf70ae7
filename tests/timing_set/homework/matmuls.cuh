// SPDX-License-Identifier: MIT
// Matmuls: C = A B for matrices of floats, row by row. A has n rows and 3n/4 columns, B has n + 100
// columns: C is not square, and no side need be a multiple of a tile.
#pragma once
#include "../set.cuh"

namespace timing_set {

// One element of C by each thread.
__global__ void matmuls_naive(const float* a, const float* b, float* c, int rows, int columns,
                              int inner) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= columns) return;
  float sum = 0;
  for (int k = 0; k < inner; ++k) sum += a[row * inner + k] * b[k * columns + column];
  c[row * columns + column] = sum;
}

// One element by each thread, with square tiles of A and B in shared memory.
constexpr int kMatmulsTile = 32;
__global__ void matmuls_tiles(const float* a, const float* b, float* c, int rows, int columns,
                              int inner) {
  __shared__ float a_tile[kMatmulsTile][kMatmulsTile];
  __shared__ float b_tile[kMatmulsTile][kMatmulsTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * kMatmulsTile + x;
  const int row = blockIdx.y * kMatmulsTile + y;
  float sum = 0;
  for (int first = 0; first < inner; first += kMatmulsTile) {
    a_tile[y][x] = row < rows && first + x < inner ? a[row * inner + first + x] : 0;
    b_tile[y][x] = first + y < inner && column < columns ? b[(first + y) * columns + column] : 0;
    __syncthreads();
    for (int k = 0; k < kMatmulsTile; ++k) sum += a_tile[y][k] * b_tile[k][x];
    __syncthreads();
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}

// Four elements of a column by each thread, eight rows apart: a value of B serves four times.
__global__ void matmuls_strip(const float* __restrict__ a, const float* __restrict__ b,
                              float* __restrict__ c, int rows, int columns, int inner) {
  constexpr int kTile = 32, kStep = 8, kEach = 4;
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * kTile + x;
  const int top = blockIdx.y * kTile;
  float sums[kEach] = {};
  for (int first = 0; first < inner; first += kTile) {
    for (int i = y; i < kTile; i += kStep) {
      const bool in_a = top + i < rows && first + x < inner;
      const bool in_b = first + i < inner && column < columns;
      a_tile[i][x] = in_a ? a[(top + i) * inner + first + x] : 0;
      b_tile[i][x] = in_b ? b[(first + i) * columns + column] : 0;
    }
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < kTile; ++k) {
      const float from_b = b_tile[k][x];
      for (int i = 0; i < kEach; ++i) sums[i] += a_tile[y + i * kStep][k] * from_b;
    }
    __syncthreads();
  }
  for (int i = 0; i < kEach; ++i) {
    const int row = top + y + i * kStep;
    if (row < rows && column < columns) c[row * columns + column] = sums[i];
  }
}

// Two rows of four elements by each of 128 threads; the tile of A is turned, B is read by fours.
__global__ void matmuls_patch(const float* __restrict__ a, const float* __restrict__ b,
                              float* __restrict__ c, int rows, int columns, int inner) {
  constexpr int kSide = 32, kDepth = 16, kThreads = 128;
  __shared__ float a_tile[kDepth][kSide + 1];
  __shared__ __align__(16) float b_tile[kDepth][kSide];
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  const int x = threadIdx.x % 8 * 4, y = threadIdx.x / 8 * 2;
  float sums[2][4] = {};
  for (int first = 0; first < inner; first += kDepth) {
    for (int i = threadIdx.x; i < kSide * kDepth; i += kThreads) {
      const int row = top + i / kDepth, k = first + i % kDepth;
      a_tile[i % kDepth][i / kDepth] = row < rows && k < inner ? a[row * inner + k] : 0;
    }
    for (int i = threadIdx.x; i < kSide * kDepth; i += kThreads) {
      const int k = first + i / kSide, column = left + i % kSide;
      b_tile[i / kSide][i % kSide] = k < inner && column < columns ? b[k * columns + column] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      const float4 four = *reinterpret_cast<const float4*>(&b_tile[k][x]);
      for (int i = 0; i < 2; ++i) {
        const float from_a = a_tile[k][y + i];
        sums[i][0] += from_a * four.x;
        sums[i][1] += from_a * four.y;
        sums[i][2] += from_a * four.z;
        sums[i][3] += from_a * four.w;
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j) {
      const int row = top + y + i, column = left + x + j;
      if (row < rows && column < columns) c[row * columns + column] = sums[i][j];
    }
}

using MatmulsKernel = void (*)(const float*, const float*, float*, int, int, int);

// A problem for a kernel whose blocks make a tile of C of this width and height.
inline Problem matmuls_problem(unsigned n, MatmulsKernel kernel, dim3 block, unsigned tile_width,
                               unsigned tile_height) {
  const unsigned rows = n, columns = n + 100, inner = n * 3 / 4;
  auto a = uniform(rows * inner, 1), b = uniform(inner * columns, 2);
  auto c = room<float>(rows * columns);
  const dim3 grid(blocks_of(columns, tile_width), blocks_of(rows, tile_height));
  return Problem{
      [=] { kernel<<<grid, block>>>(a->data(), b->data(), c->data(), rows, columns, inner); },
      [=] {
        return agrees(c, [=](unsigned i) {
          double sum = 0;
          for (unsigned k = 0; k < inner; ++k)
            sum += static_cast<double>(a->host[i / columns * inner + k]) *
                   b->host[k * columns + i % columns];
          return sum;
        });
      }};
}

inline void add_matmuls(Set& set) {
  const std::vector<unsigned> sizes = {160, 500};
  set.add("matmuls_naive", sizes,
          [](unsigned n) { return matmuls_problem(n, matmuls_naive, dim3(16, 16), 16, 16); });
  set.add("matmuls_tiles", sizes,
          [](unsigned n) { return matmuls_problem(n, matmuls_tiles, dim3(32, 32), 32, 32); });
  set.add("matmuls_strip", sizes,
          [](unsigned n) { return matmuls_problem(n, matmuls_strip, dim3(32, 8), 32, 32); });
  set.add("matmuls_patch", sizes,
          [](unsigned n) { return matmuls_problem(n, matmuls_patch, dim3(128), 32, 32); });
}

}  // namespace timing_set

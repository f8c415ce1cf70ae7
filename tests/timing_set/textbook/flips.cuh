// SPDX-License-Identifier: MIT
// Matrices turned over: transposed straight from memory to memory, transposed by way of padded
// tiles in shared memory, an image turned clockwise, four pixels of a row to a thread, and a
// square matrix of doubles transposed in place, a pair of tiles to a block.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void flips_naive(float* out, const float* in, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
}

template <class T, int kTile, int kRows>
__global__ void __launch_bounds__(kTile* kRows)
    flips_tile(T* __restrict__ out, const T* __restrict__ in, int rows, int columns) {
  __shared__ T tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x;
  int y = blockIdx.y * kTile + threadIdx.y;
#pragma unroll
  for (int k = 0; k < kTile; k += kRows)
    if (x < columns && y + k < rows) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * columns + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
#pragma unroll
  for (int k = 0; k < kTile; k += kRows)
    if (x < rows && y + k < columns) out[(y + k) * rows + x] = tile[threadIdx.x][threadIdx.y + k];
}

// Pixels are four bytes; neighbouring threads take neighbouring rows, which become columns.
__global__ void flips_turn(unsigned* __restrict__ out, const uint4* __restrict__ in,
                           unsigned height, unsigned width) {
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;  // of the result
  const unsigned quad = blockIdx.y;
  if (column >= height) return;
  const uint4 pixels = in[(height - 1 - column) * (width / 4) + quad];
  unsigned* to = out + 4 * quad * height + column;
  to[0] = pixels.x;
  to[height] = pixels.y;
  to[2 * height] = pixels.z;
  to[3 * height] = pixels.w;
}

constexpr unsigned kFlipsTile = 32, kFlipsRows = 8;

__global__ void flips_swap(double* matrix, unsigned n) {
  __shared__ double upper[kFlipsTile][kFlipsTile + 1], lower[kFlipsTile][kFlipsTile + 1];
  if (blockIdx.x < blockIdx.y) return;
  const unsigned row = blockIdx.y * kFlipsTile, column = blockIdx.x * kFlipsTile;
  const unsigned x = threadIdx.x;
  for (unsigned y = threadIdx.y; y < kFlipsTile; y += kFlipsRows) {
    if (row + y < n && column + x < n) upper[y][x] = matrix[(row + y) * n + column + x];
    if (column + y < n && row + x < n) lower[y][x] = matrix[(column + y) * n + row + x];
  }
  __syncthreads();
  for (unsigned y = threadIdx.y; y < kFlipsTile; y += kFlipsRows) {
    if (row + y < n && column + x < n) matrix[(row + y) * n + column + x] = lower[x][y];
    if (column + y < n && row + x < n) matrix[(column + y) * n + row + x] = upper[x][y];
  }
}

inline unsigned flips_rows(unsigned columns) { return columns / 4 * 3; }

inline Problem flips_naive_problem(unsigned columns) {
  const unsigned rows = flips_rows(columns);
  auto in = uniform(std::size_t{rows} * columns, 41);
  auto out = room<float>(std::size_t{rows} * columns);
  const dim3 block(16, 16), grid(blocks_of(columns, 16), blocks_of(rows, 16));
  return Problem{[=] { flips_naive<<<grid, block>>>(out->data(), in->data(), rows, columns); },
                 [=] {
                   return agrees(
                       out, [&](unsigned i) { return in->host[i % rows * columns + i / rows]; }, 0);
                 }};
}

inline Problem flips_tile_problem(unsigned columns) {
  const unsigned rows = flips_rows(columns);
  auto in = uniform(std::size_t{rows} * columns, 42);
  auto out = room<float>(std::size_t{rows} * columns);
  constexpr int kTile = 32, kRows = 16;
  const dim3 block(kTile, kRows), grid(blocks_of(columns, kTile), blocks_of(rows, kTile));
  return Problem{[=] {
                   flips_tile<float, kTile, kRows>
                       <<<grid, block>>>(out->data(), in->data(), rows, columns);
                 },
                 [=] {
                   return agrees(
                       out, [&](unsigned i) { return in->host[i % rows * columns + i / rows]; }, 0);
                 }};
}

inline Problem flips_turn_problem(unsigned width) {
  const unsigned height = flips_rows(width);
  auto in = array<unsigned>(std::size_t{height} * width, [](unsigned i) { return mixed(i + 43); });
  auto out = room<unsigned>(std::size_t{height} * width);
  const dim3 block(64), grid(blocks_of(height, 64), width / 4);
  return Problem{[=] {
                   flips_turn<<<grid, block>>>(
                       out->data(), reinterpret_cast<const uint4*>(in->data()), height, width);
                 },
                 [=] {
                   return agrees(
                       out,
                       [&](unsigned i) {
                         const unsigned x = i / height, y = height - 1 - i % height;
                         return in->host[y * width + x];
                       },
                       0);
                 }};
}

inline Problem flips_swap_problem(unsigned n) {
  auto matrix = uniform<double>(std::size_t{n} * n, 44);
  const dim3 block(kFlipsTile, kFlipsRows),
      grid(blocks_of(n, kFlipsTile), blocks_of(n, kFlipsTile));
  return Problem{[=] { flips_swap<<<grid, block>>>(matrix->data(), n); },
                 [=] {
                   return agrees(
                       matrix, [&](unsigned i) { return matrix->host[i % n * n + i / n]; }, 0);
                 },
                 [=] { matrix->restore(); }};
}

inline void add_flips(Set& set) {
  const std::vector<unsigned> sizes = {128, 2048, 4096};  // columns
  set.add("flips_naive", sizes, flips_naive_problem);
  set.add("flips_tile", sizes, flips_tile_problem);
  set.add("flips_turn", sizes, flips_turn_problem);
  set.add("flips_swap", sizes, flips_swap_problem);
}

}  // namespace timing_set

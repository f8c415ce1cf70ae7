// SPDX-License-Identifier: MIT
// Matrices turned: a transpose as one writes it first, one by a tile in shared memory, one by a
// padded tile where each thread has four rows, and a rotation by a quarter in place.
#pragma once

#include "../set.cuh"

namespace timing_set {

// Reads along rows, writes along columns.
__global__ void turns_naive(const float* in, float* out, unsigned rows, unsigned columns) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < columns && y < rows) out[x * rows + y] = in[y * columns + x];
}

constexpr unsigned kTurnsTile = 32, kTurnsRows = 8;

// Reads and writes along rows; the column of the tile is in one bank.
__global__ void turns_tile(const float* in, float* out, unsigned rows, unsigned columns) {
  __shared__ float tile[kTurnsTile][kTurnsTile];
  unsigned x = blockIdx.x * kTurnsTile + threadIdx.x;
  unsigned y = blockIdx.y * kTurnsTile + threadIdx.y;
  if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
  __syncthreads();
  x = blockIdx.y * kTurnsTile + threadIdx.x;
  y = blockIdx.x * kTurnsTile + threadIdx.y;
  if (x < rows && y < columns) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

// The same without conflicts, and by fewer threads.
__global__ void turns_padded(const float* in, float* out, unsigned rows, unsigned columns) {
  __shared__ float tile[kTurnsTile][kTurnsTile + 1];
  unsigned x = blockIdx.x * kTurnsTile + threadIdx.x;
  unsigned y = blockIdx.y * kTurnsTile + threadIdx.y;
  for (unsigned k = 0; k < kTurnsTile; k += kTurnsRows)
    if (x < columns && y + k < rows) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * columns + x];
  __syncthreads();
  x = blockIdx.y * kTurnsTile + threadIdx.x;
  y = blockIdx.x * kTurnsTile + threadIdx.y;
  for (unsigned k = 0; k < kTurnsTile; k += kTurnsRows)
    if (x < rows && y + k < columns) out[(y + k) * rows + x] = tile[threadIdx.x][threadIdx.y + k];
}

// Clockwise and in place: each thread moves four elements round.
__global__ void turns_quarter(double* matrix, unsigned n) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= (n + 1) / 2 || y >= n / 2) return;
  double* top = &matrix[y * n + x];
  double* right = &matrix[x * n + (n - 1 - y)];
  double* bottom = &matrix[(n - 1 - y) * n + (n - 1 - x)];
  double* left = &matrix[(n - 1 - x) * n + y];
  const double kept = *top;
  *top = *left;
  *left = *bottom;
  *bottom = *right;
  *right = kept;
}

// A matrix that is broader than high, its transpose, and the check.
struct TurnsMatrices {
  explicit TurnsMatrices(unsigned n)
      : rows(n),
        columns(n + n / 4),
        in(uniform(std::size_t(rows) * columns, 31)),
        out(room<float>(std::size_t(rows) * columns)) {}
  bool right() const {
    return agrees(
        out, [&](unsigned i) { return in->host[i % rows * columns + i / rows]; }, 0);
  }
  unsigned rows, columns;
  Shared<float> in, out;
};

inline Problem turns_naive_problem(unsigned n) {
  const TurnsMatrices m(n);
  const dim3 block(16, 16);
  const dim3 grid(blocks_of(m.columns, block.x), blocks_of(m.rows, block.y));
  return Problem{
      [=] { turns_naive<<<grid, block>>>(m.in->data(), m.out->data(), m.rows, m.columns); },
      [=] { return m.right(); }};
}

inline Problem turns_tile_problem(unsigned n) {
  const TurnsMatrices m(n);
  const dim3 block(kTurnsTile, kTurnsTile);
  const dim3 grid(blocks_of(m.columns, kTurnsTile), blocks_of(m.rows, kTurnsTile));
  return Problem{
      [=] { turns_tile<<<grid, block>>>(m.in->data(), m.out->data(), m.rows, m.columns); },
      [=] { return m.right(); }};
}

inline Problem turns_padded_problem(unsigned n) {
  const TurnsMatrices m(n);
  const dim3 block(kTurnsTile, kTurnsRows);
  const dim3 grid(blocks_of(m.columns, kTurnsTile), blocks_of(m.rows, kTurnsTile));
  return Problem{
      [=] { turns_padded<<<grid, block>>>(m.in->data(), m.out->data(), m.rows, m.columns); },
      [=] { return m.right(); }};
}

inline Problem turns_quarter_problem(unsigned n) {
  auto matrix = uniform<double>(std::size_t(n) * n, 32);
  const dim3 block(32, 4);
  const dim3 grid(blocks_of((n + 1) / 2, block.x), blocks_of(n / 2, block.y));
  return Problem{[=] { turns_quarter<<<grid, block>>>(matrix->data(), n); },
                 [=] {
                   return agrees(
                       matrix,
                       [&](unsigned i) { return matrix->host[(n - 1 - i % n) * n + i / n]; }, 0);
                 },
                 [=] { matrix->restore(); }};
}

inline void add_turns(Set& set) {
  const std::vector<unsigned> sizes = {100, 1400, 4100};
  set.add("turns_naive", sizes, turns_naive_problem);
  set.add("turns_tile", sizes, turns_tile_problem);
  set.add("turns_padded", sizes, turns_padded_problem);
  set.add("turns_quarter", {101, 1201, 4401}, turns_quarter_problem);
}

}  // namespace timing_set

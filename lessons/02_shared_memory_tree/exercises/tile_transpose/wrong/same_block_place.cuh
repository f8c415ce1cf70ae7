// SPDX-License-Identifier: MIT
// Wrong: each tile is transposed, but it is written to its own place, not to the mirrored one.
#pragma once

#include <cstddef>

constexpr unsigned kTile = 32;

__global__ void transpose(const int* in, std::size_t n, int* out) {
  __shared__ int tile[kTile][kTile + 1];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const std::size_t row = std::size_t{blockIdx.y} * kTile, column = std::size_t{blockIdx.x} * kTile;
  if (row + y < n && column + x < n) tile[y][x] = in[(row + y) * n + column + x];
  __syncthreads();
  if (row + y < n && column + x < n) out[(row + y) * n + column + x] = tile[x][y];
}

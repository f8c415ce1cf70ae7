// SPDX-License-Identifier: MIT
// Wrong: a row more moves no word to another bank: the length of a row decides.
#pragma once

#include <cstddef>

constexpr unsigned kTile = 32;

__global__ void transpose(const int* in, std::size_t n, int* out) {
  __shared__ int tile[kTile + 1][kTile];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const std::size_t row = std::size_t{blockIdx.y} * kTile, column = std::size_t{blockIdx.x} * kTile;
  if (row + y < n && column + x < n) tile[y][x] = in[(row + y) * n + column + x];
  __syncthreads();
  if (column + y < n && row + x < n) out[(column + y) * n + row + x] = tile[x][y];
}

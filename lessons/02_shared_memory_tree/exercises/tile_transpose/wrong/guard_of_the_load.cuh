// SPDX-License-Identifier: MIT
// Wrong: right only for multiples of 32: the store has the guard of the load.
#pragma once

#include <cstddef>

constexpr unsigned kTile = 32;

__global__ void transpose(const int* in, std::size_t n, int* out) {
  __shared__ int tile[kTile][kTile + 1];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const std::size_t row = std::size_t{blockIdx.y} * kTile, column = std::size_t{blockIdx.x} * kTile;
  if (row + y < n && column + x < n) tile[y][x] = in[(row + y) * n + column + x];
  __syncthreads();
  if (row + y < n && column + x < n) out[(column + y) * n + row + x] = tile[x][y];
}

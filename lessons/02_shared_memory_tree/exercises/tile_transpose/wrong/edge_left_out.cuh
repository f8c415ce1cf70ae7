// SPDX-License-Identifier: MIT
// Wrong: right only for multiples of 32: a tile that sticks out is left out.
#pragma once

#include <cstddef>

constexpr unsigned kTile = 32;

__global__ void transpose(const int* in, std::size_t n, int* out) {
  __shared__ int tile[kTile][kTile + 1];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const std::size_t row = std::size_t{blockIdx.y} * kTile, column = std::size_t{blockIdx.x} * kTile;
  if (row + kTile > n || column + kTile > n) return;
  tile[y][x] = in[(row + y) * n + column + x];
  __syncthreads();
  out[(column + y) * n + row + x] = tile[x][y];
}

// SPDX-License-Identifier: MIT
// Wrong: no bank conflicts where there is no shared memory, but the stores of a warp are far apart.
#pragma once

#include <cstddef>

constexpr unsigned kTile = 32;

__global__ void transpose(const int* in, std::size_t n, int* out) {
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const std::size_t row = std::size_t{blockIdx.y} * kTile, column = std::size_t{blockIdx.x} * kTile;
  if (row + y < n && column + x < n)
    out[(column + x) * n + row + y] = in[(row + y) * n + column + x];
}

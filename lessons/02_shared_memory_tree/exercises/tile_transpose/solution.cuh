// SPDX-License-Identifier: MIT
// Exercise tile_transpose: out[c * n + r] = in[r * n + c], through a tile in shared memory.
//
// The kernel is launched with blocks of 32 x 32 threads, one per tile; n may be anything. All
// accesses to global memory stay side by side, and no access to shared memory has bank conflicts.
#pragma once

#include <cstddef>

constexpr unsigned kTile = 32;

__global__ void transpose(const int* in, std::size_t n, int* out) {
  // <solution>
  // A row is one word longer than what is used of it: one row down is one bank further.
  __shared__ int tile[kTile][kTile + 1];
  // <starter>
  //| // TODO: in this layout all words of a column are in the same bank.
  //| __shared__ int tile[kTile][kTile];
  // </solution>
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const std::size_t row = std::size_t{blockIdx.y} * kTile, column = std::size_t{blockIdx.x} * kTile;

  // A warp brings a row of the tile: 32 neighbours of global memory.
  if (row + y < n && column + x < n) tile[y][x] = in[(row + y) * n + column + x];
  __syncthreads();
  // And writes a column of the tile: again 32 neighbours of global memory, in the mirrored tile.
  if (column + y < n && row + x < n) out[(column + y) * n + row + x] = tile[x][y];
}

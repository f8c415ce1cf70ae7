// SPDX-License-Identifier: MIT
// The transposed matrix, of n rows that are about three quarters as long as there are of them:
// straight from memory to memory, a block per row of the result, and by tiles in shared memory,
// with and without a pad, of bytes, and with blocks that go on from tile to tile.
#pragma once
#include "../set.cuh"

namespace timing_set {

// Reads along the rows, and so writes down the columns.
__global__ void flipped_plain(const float* in, float* out, unsigned rows, unsigned columns) {
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
}

// The other way round: writes along the rows of the result, each of which is one block's.
__global__ void flipped_rows(const float* __restrict__ in, float* __restrict__ out, unsigned rows,
                             unsigned columns) {
  const unsigned column = blockIdx.x;
  for (unsigned row = threadIdx.x; row < rows; row += blockDim.x)
    out[column * rows + row] = in[row * columns + column];
}

constexpr unsigned kFlippedTile = 32;

// The usual mistake: a column of this tile lies in a single bank.
__global__ void flipped_shared(const float* in, float* out, unsigned rows, unsigned columns) {
  __shared__ float tile[kFlippedTile][kFlippedTile];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned left = blockIdx.x * kFlippedTile, top = blockIdx.y * kFlippedTile;
  if (top + y < rows && left + x < columns) tile[y][x] = in[(top + y) * columns + left + x];
  __syncthreads();
  if (left + y < columns && top + x < rows) out[(left + y) * rows + top + x] = tile[x][y];
}

// A tile by a block of full width and less height, which takes several steps.
template <class T, unsigned kTile, unsigned kHeight, unsigned kPad>
__device__ void flipped_tile(T (&tile)[kTile][kTile + kPad], const T* __restrict__ in,
                             T* __restrict__ out, unsigned left, unsigned top, unsigned rows,
                             unsigned columns) {
  const unsigned x = threadIdx.x;
  for (unsigned y = threadIdx.y; y < kTile; y += kHeight)
    if (top + y < rows && left + x < columns) tile[y][x] = in[(top + y) * columns + left + x];
  __syncthreads();
  for (unsigned y = threadIdx.y; y < kTile; y += kHeight)
    if (left + y < columns && top + x < rows) out[(left + y) * rows + top + x] = tile[x][y];
}

__global__ void flipped_padded(const float* in, float* out, unsigned rows, unsigned columns) {
  __shared__ float tile[kFlippedTile][kFlippedTile + 1];
  flipped_tile<float, kFlippedTile, 8, 1>(tile, in, out, blockIdx.x * kFlippedTile,
                                          blockIdx.y * kFlippedTile, rows, columns);
}

// For bytes a larger tile, and a pad of one word, which has four of them.
constexpr unsigned kFlippedBytes = 64;
__global__ void flipped_bytes(const unsigned char* in, unsigned char* out, unsigned rows,
                              unsigned columns) {
  __shared__ unsigned char tile[kFlippedBytes][kFlippedBytes + 4];
  flipped_tile<unsigned char, kFlippedBytes, 8, 4>(tile, in, out, blockIdx.x * kFlippedBytes,
                                                   blockIdx.y * kFlippedBytes, rows, columns);
}

__global__ void flipped_walk(const int* in, int* out, unsigned rows, unsigned columns) {
  __shared__ int tile[kFlippedTile][kFlippedTile + 1];
  const unsigned across = (columns + kFlippedTile - 1) / kFlippedTile;
  const unsigned down = (rows + kFlippedTile - 1) / kFlippedTile;
  for (unsigned t = blockIdx.x; t < across * down; t += gridDim.x) {
    flipped_tile<int, kFlippedTile, 4, 1>(tile, in, out, t % across * kFlippedTile,
                                          t / across * kFlippedTile, rows, columns);
    __syncthreads();  // the next tile goes to the same place
  }
}

inline unsigned flipped_columns(unsigned rows) { return rows * 3 / 4 + 1; }

template <class T>
Shared<T> flipped_matrix(unsigned rows, unsigned seed) {
  return array<T>(std::size_t{rows} * flipped_columns(rows),
                  [seed](unsigned i) { return static_cast<T>(mixed(i ^ (seed << 24)) >> 8); });
}

// Every element where there are not too many of them.
template <class T>
bool flipped_right(const Shared<T>& in, const Shared<T>& out, unsigned rows) {
  const unsigned columns = flipped_columns(rows);
  const auto wanted = [&](unsigned i) { return in->host[i % rows * columns + i / rows]; };
  if (in->size() > 10'000'000) return agrees(out, wanted, 0);
  const std::vector<T> got = out->device.download();
  for (unsigned i = 0; i < got.size(); ++i)
    if (got[i] != wanted(i)) return false;
  return true;
}

// As all of these kernels are launched alike, but for the block and the grid.
template <class T>
Problem flipped_problem(unsigned rows, unsigned seed,
                        void (*kernel)(const T*, T*, unsigned, unsigned), dim3 grid, dim3 block) {
  const unsigned columns = flipped_columns(rows);
  auto in = flipped_matrix<T>(rows, seed);
  auto out = room<T>(std::size_t{rows} * columns);
  return Problem{[=] { kernel<<<grid, block>>>(in->data(), out->data(), rows, columns); },
                 [=] { return flipped_right(in, out, rows); }};
}

inline dim3 flipped_tiles(unsigned rows, unsigned tile) {
  return dim3(blocks_of(flipped_columns(rows), tile), blocks_of(rows, tile));
}

inline void add_flipped(Set& set) {
  const std::vector<unsigned> sizes = {300, 3'333, 7'501};
  set.add("flipped_plain", sizes, [](unsigned n) {
    return flipped_problem<float>(n, 1, flipped_plain, flipped_tiles(n, 16), dim3(16, 16));
  });
  set.add("flipped_rows", sizes, [](unsigned n) {
    return flipped_problem<float>(n, 2, flipped_rows, dim3(flipped_columns(n)), dim3(128));
  });
  set.add("flipped_shared", sizes, [](unsigned n) {
    return flipped_problem<float>(n, 3, flipped_shared, flipped_tiles(n, kFlippedTile),
                                  dim3(kFlippedTile, kFlippedTile));
  });
  set.add("flipped_padded", sizes, [](unsigned n) {
    return flipped_problem<float>(n, 4, flipped_padded, flipped_tiles(n, kFlippedTile),
                                  dim3(kFlippedTile, 8));
  });
  set.add("flipped_bytes", sizes, [](unsigned n) {
    return flipped_problem<unsigned char>(n, 5, flipped_bytes, flipped_tiles(n, kFlippedBytes),
                                          dim3(kFlippedBytes, 8));
  });
  set.add("flipped_walk", sizes, [](unsigned n) {
    return flipped_problem<int>(n, 6, flipped_walk, dim3(12 * 132), dim3(kFlippedTile, 4));
  });
}

}  // namespace timing_set

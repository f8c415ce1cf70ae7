// SPDX-License-Identifier: MIT
// Transpose of a matrix of n rows and 5n/4 columns: naive with reads or with writes side by side,
// by square tiles in shared memory, and by padded tiles with four rows per thread.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void transposing_reads(const float* in, float* out, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
}

// Neighbouring threads have neighbouring rows of the input.
__global__ void transposing_writes(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
}

constexpr int kTransposingTile = 32;

__global__ void transposing_tile(const int* in, int* out, int rows, int columns) {
  __shared__ int tile[kTransposingTile][kTransposingTile];
  int column = blockIdx.x * kTransposingTile + threadIdx.x;
  int row = blockIdx.y * kTransposingTile + threadIdx.y;
  if (row < rows && column < columns) tile[threadIdx.y][threadIdx.x] = in[row * columns + column];
  __syncthreads();
  column = blockIdx.x * kTransposingTile + threadIdx.y;
  row = blockIdx.y * kTransposingTile + threadIdx.x;
  if (row < rows && column < columns) out[column * rows + row] = tile[threadIdx.x][threadIdx.y];
}

constexpr int kTransposingStep = 8;  // rows of threads; each thread has four elements

__global__ void transposing_padded(const float* __restrict__ in, float* __restrict__ out, int rows,
                                   int columns) {
  __shared__ float tile[kTransposingTile][kTransposingTile + 1];
  const int left = blockIdx.x * kTransposingTile;
  const int top = blockIdx.y * kTransposingTile;
  for (int y = threadIdx.y; y < kTransposingTile; y += kTransposingStep) {
    const int row = top + y, column = left + threadIdx.x;
    if (row < rows && column < columns) tile[y][threadIdx.x] = in[row * columns + column];
  }
  __syncthreads();
  for (int y = threadIdx.y; y < kTransposingTile; y += kTransposingStep) {
    const int row = top + threadIdx.x, column = left + y;
    if (row < rows && column < columns) out[column * rows + row] = tile[threadIdx.x][y];
  }
}

// Is out, of `columns` rows, the transpose of in?
template <class T>
bool transposing_right(const Shared<T>& in, const Shared<T>& out, unsigned rows, unsigned columns) {
  return agrees(
      out, [=](unsigned i) { return in->host[i % rows * columns + i / rows]; }, 0);
}

inline void add_transposing(Set& set) {
  const std::vector<unsigned> sizes = {1024, 3333};
  set.add("transposing_reads", sizes, [](unsigned n) {
    const unsigned rows = n, columns = n * 5 / 4;
    auto in = uniform(rows * columns, 1), out = room<float>(rows * columns);
    return Problem{[=] {
                     const dim3 block(16, 16);
                     const dim3 grid(blocks_of(columns, 16), blocks_of(rows, 16));
                     transposing_reads<<<grid, block>>>(in->data(), out->data(), rows, columns);
                   },
                   [=] { return transposing_right(in, out, rows, columns); }};
  });
  set.add("transposing_writes", sizes, [](unsigned n) {
    const unsigned rows = n, columns = n * 5 / 4;
    auto in = uniform(rows * columns, 2), out = room<float>(rows * columns);
    return Problem{[=] {
                     const dim3 block(32, 4);
                     const dim3 grid(blocks_of(rows, 32), blocks_of(columns, 4));
                     transposing_writes<<<grid, block>>>(in->data(), out->data(), rows, columns);
                   },
                   [=] { return transposing_right(in, out, rows, columns); }};
  });
  set.add("transposing_tile", sizes, [](unsigned n) {
    const unsigned rows = n, columns = n * 5 / 4;
    auto in = array<int>(rows * columns, [](unsigned i) { return mixed(i) >> 4; });
    auto out = room<int>(rows * columns);
    return Problem{[=] {
                     const unsigned side = kTransposingTile;
                     const dim3 block(side, side);
                     const dim3 grid(blocks_of(columns, side), blocks_of(rows, side));
                     transposing_tile<<<grid, block>>>(in->data(), out->data(), rows, columns);
                   },
                   [=] { return transposing_right(in, out, rows, columns); }};
  });
  set.add("transposing_padded", sizes, [](unsigned n) {
    const unsigned rows = n, columns = n * 5 / 4;
    auto in = uniform(rows * columns, 3), out = room<float>(rows * columns);
    return Problem{[=] {
                     const unsigned side = kTransposingTile;
                     const dim3 block(side, kTransposingStep);
                     const dim3 grid(blocks_of(columns, side), blocks_of(rows, side));
                     transposing_padded<<<grid, block>>>(in->data(), out->data(), rows, columns);
                   },
                   [=] { return transposing_right(in, out, rows, columns); }};
  });
}

}  // namespace timing_set

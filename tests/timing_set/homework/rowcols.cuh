// SPDX-License-Identifier: MIT
// Rowcols: brings each row, or each column, of a matrix to length 1: divides it by the root of the
// sum of its squares. The matrix has n rows and n + 52 columns.
#pragma once
#include "../set.cuh"

namespace timing_set {

// A row by each thread: neighbours in a warp are a whole row apart.
__global__ void rowcols_thread(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float squares = 0;
  for (int column = 0; column < columns; ++column) {
    const float value = in[row * columns + column];
    squares += value * value;
  }
  const float length = sqrtf(squares);
  for (int column = 0; column < columns; ++column)
    out[row * columns + column] = in[row * columns + column] / length;
}

// A row by each warp, four warps in a block.
__global__ void rowcols_warp(const float* __restrict__ in, float* __restrict__ out, int rows,
                             int columns) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float* from = in + row * columns;
  float* to = out + row * columns;
  float squares = 0;
  for (int column = lane; column < columns; column += 32) squares += from[column] * from[column];
  const float scale = rsqrtf(warp_sum(squares));
  for (int column = lane; column < columns; column += 32) to[column] = from[column] * scale;
}

// A row by each block, which keeps it in shared memory, so that it is read once.
constexpr int kRowcolsBlock = 256;
__global__ void rowcols_block(const float* in, float* out, int columns) {
  extern __shared__ float rowcols_row[];
  __shared__ float sums[kRowcolsBlock];
  const int first = blockIdx.x * columns;
  float squares = 0;
  for (int column = threadIdx.x; column < columns; column += kRowcolsBlock) {
    const float value = in[first + column];
    rowcols_row[column] = value;
    squares += value * value;
  }
  sums[threadIdx.x] = squares;
  __syncthreads();
  for (int half = kRowcolsBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  const float scale = 1 / sqrtf(sums[0]);
  for (int column = threadIdx.x; column < columns; column += kRowcolsBlock)
    out[first + column] = rowcols_row[column] * scale;
}

// A column by each thread, of doubles: neighbours in a warp read side by side.
__global__ void rowcols_column(const double* in, double* out, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  double squares = 0;
  for (int row = 0; row < rows; ++row) {
    const double value = in[row * columns + column];
    squares += value * value;
  }
  const double scale = 1 / sqrt(squares);
  for (int row = 0; row < rows; ++row)
    out[row * columns + column] = in[row * columns + column] * scale;
}

// Whether element i is divided by the length of the line of `count` elements, `step` apart, that
// starts where first(i) says.
template <class T, class First>
bool rowcols_right(const Shared<T>& in, const Shared<T>& out, unsigned count, unsigned step,
                   First first) {
  return agrees(
      out,
      [=](unsigned i) {
        const T* line = in->host.data() + first(i);
        double squares = 0;
        for (unsigned k = 0; k < count; ++k)
          squares += static_cast<double>(line[k * step]) * line[k * step];
        return in->host[i] / std::sqrt(squares);
      },
      1e-5);
}
inline bool rowcols_rows_right(const Shared<float>& in, const Shared<float>& out,
                               unsigned columns) {
  return rowcols_right(in, out, columns, 1, [=](unsigned i) { return i / columns * columns; });
}

inline void add_rowcols(Set& set) {
  const std::vector<unsigned> sizes = {120, 1800};
  set.add("rowcols_thread", sizes, [](unsigned n) {
    const unsigned columns = n + 52;
    auto in = uniform(n * columns, 1), out = room<float>(n * columns);
    return Problem{
        [=] { rowcols_thread<<<blocks_of(n, 64), 64>>>(in->data(), out->data(), n, columns); },
        [=] { return rowcols_rows_right(in, out, columns); }};
  });
  set.add("rowcols_warp", sizes, [](unsigned n) {
    const unsigned columns = n + 52;
    auto in = uniform(n * columns, 1), out = room<float>(n * columns);
    return Problem{
        [=] { rowcols_warp<<<blocks_of(n, 4), 128>>>(in->data(), out->data(), n, columns); },
        [=] { return rowcols_rows_right(in, out, columns); }};
  });
  set.add("rowcols_block", sizes, [](unsigned n) {
    const unsigned columns = n + 52;
    auto in = uniform(n * columns, 1), out = room<float>(n * columns);
    return Problem{[=] {
                     rowcols_block<<<n, kRowcolsBlock, columns * sizeof(float)>>>(
                         in->data(), out->data(), columns);
                   },
                   [=] { return rowcols_rows_right(in, out, columns); }};
  });
  set.add("rowcols_column", sizes, [](unsigned n) {
    const unsigned columns = n + 52;
    auto in = uniform<double>(n * columns, 1), out = room<double>(n * columns);
    return Problem{
        [=] {
          rowcols_column<<<blocks_of(columns, 64), 64>>>(in->data(), out->data(), n, columns);
        },
        [=] {
          return rowcols_right(in, out, n, columns, [=](unsigned i) { return i % columns; });
        }};
  });
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// A dense matrix in row order, four times as high as wide, times a vector: a thread, a warp or a
// block per row. The last one multiplies by the transposed matrix: a thread per column and strip of
// rows, which adds its share to the result.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void gemv_thread_row(const float* matrix, const float* x, float* y, int rows,
                                int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int i = 0; i < columns; i++) {
    sum += matrix[row * columns + i] * x[i];
  }
  y[row] = sum;
}

__global__ void __launch_bounds__(256)
    gemv_warp_row(const float4* __restrict__ matrix, const float4* __restrict__ x,
                  float* __restrict__ y, unsigned rows, unsigned fours) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned warps = gridDim.x * blockDim.x / 32;
  for (unsigned row = thread_number() / 32; row < rows; row += warps) {
    const float4* line = matrix + std::size_t{row} * fours;
    float sum = 0;
    for (unsigned i = lane; i < fours; i += 32) {
      const float4 m = line[i], v = x[i];
      sum += m.x * v.x + m.y * v.y + m.z * v.z + m.w * v.w;
    }
    sum = warp_sum(sum);
    if (lane == 0) y[row] = sum;
  }
}

// A step of the power method's kind: the product, plus a multiple of a second vector.
__global__ void gemv_block_row(const float* matrix, const float* x, const float* shift, float* y,
                               float factor, unsigned columns) {
  __shared__ float partial[kBlock];
  const unsigned row = blockIdx.x;
  float sum = 0;
  for (unsigned i = threadIdx.x; i < columns; i += blockDim.x)
    sum += matrix[std::size_t{row} * columns + i] * x[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[row] = partial[0] + factor * shift[row];
}

constexpr unsigned kGemvStrip = 64;  // rows of a block

__global__ void gemv_transposed(const float* __restrict__ matrix, const float* __restrict__ x,
                                float* y, unsigned rows, unsigned columns) {
  __shared__ float strip[kGemvStrip];
  const unsigned top = blockIdx.y * kGemvStrip;
  const unsigned high = min(kGemvStrip, rows - top);
  if (threadIdx.x < high) strip[threadIdx.x] = x[top + threadIdx.x];
  __syncthreads();
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  const float* from = matrix + std::size_t{top} * columns + column;
  float sum = 0;
#pragma unroll 8
  for (unsigned i = 0; i < high; ++i) sum += from[i * columns] * strip[i];
  atomicAdd(&y[column], sum);
}

struct GemvInput {
  unsigned rows, columns;
  Shared<float> matrix, x;
  double wanted(unsigned row) const {
    double sum = 0;
    const float* line = &matrix->host[std::size_t{row} * columns];
    for (unsigned i = 0; i < columns; ++i) sum += static_cast<double>(line[i]) * x->host[i];
    return sum;
  }
};
inline GemvInput gemv_input(unsigned rows) {
  const unsigned columns = rows / 4;
  return {rows, columns, uniform(std::size_t{rows} * columns, 1), uniform(columns, 2)};
}

inline Problem gemv_thread_row_problem(unsigned rows) {
  const GemvInput in = gemv_input(rows);
  auto y = room<float>(rows);
  return Problem{[=] {
                   gemv_thread_row<<<blocks_of(rows, 128), 128>>>(in.matrix->data(), in.x->data(),
                                                                  y->data(), rows, in.columns);
                 },
                 [=] { return agrees(y, [&](unsigned row) { return in.wanted(row); }); }};
}

inline Problem gemv_warp_row_problem(unsigned rows) {
  const GemvInput in = gemv_input(rows);
  auto y = room<float>(rows);
  return Problem{[=] {
                   const unsigned blocks = std::min(blocks_of(rows * 32), 792u);
                   gemv_warp_row<<<blocks, kBlock>>>(
                       reinterpret_cast<const float4*>(in.matrix->data()),
                       reinterpret_cast<const float4*>(in.x->data()), y->data(), rows,
                       in.columns / 4);
                 },
                 [=] { return agrees(y, [&](unsigned row) { return in.wanted(row); }); }};
}

inline Problem gemv_block_row_problem(unsigned rows) {
  const GemvInput in = gemv_input(rows);
  auto shift = uniform(rows, 3);
  auto y = room<float>(rows);
  const float factor = -1.5f;
  return Problem{[=] {
                   gemv_block_row<<<rows, kBlock>>>(in.matrix->data(), in.x->data(), shift->data(),
                                                    y->data(), factor, in.columns);
                 },
                 [=] {
                   return agrees(
                       y, [&](unsigned row) { return in.wanted(row) + factor * shift->host[row]; });
                 }};
}

inline Problem gemv_transposed_problem(unsigned rows) {
  const unsigned columns = rows / 4;
  auto matrix = uniform(std::size_t{rows} * columns, 1);
  auto x = uniform(rows, 2);
  auto y = array(std::vector<float>(columns));
  return Problem{
      [=] {
        const dim3 grid(blocks_of(columns), blocks_of(rows, kGemvStrip));
        gemv_transposed<<<grid, kBlock>>>(matrix->data(), x->data(), y->data(), rows, columns);
      },
      [=] {
        return agrees(y, [&](unsigned column) {
          double sum = 0;
          for (unsigned i = 0; i < rows; ++i)
            sum +=
                static_cast<double>(matrix->host[std::size_t{i} * columns + column]) * x->host[i];
          return sum;
        });
      },
      [=] { clear(y); }};
}

inline void add_gemv(Set& set) {
  const std::vector<unsigned> sizes = {208, 3200, 9200};  // rows, multiples of sixteen
  set.add("gemv_thread_row", sizes, gemv_thread_row_problem);
  set.add("gemv_warp_row", sizes, gemv_warp_row_problem);
  set.add("gemv_block_row", sizes, gemv_block_row_problem);
  set.add("gemv_transposed", sizes, gemv_transposed_problem);
}

}  // namespace timing_set

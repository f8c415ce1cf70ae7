// SPDX-License-Identifier: MIT
// Normalising a table of activations, 384 to a row: each row by itself (layer norm) with a thread for a row, with a warp
// for a row, and with a block for a row that loads four at a time and works in place; and each column by itself over all
// rows (batch norm), where a block has 32 columns and adds up in double precision.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kNormsWidth = 384;
constexpr float kNormsTiny = 1e-5f;
constexpr unsigned kNormsFours = kNormsWidth / 4;  // and the threads of a block that has one row

__global__ void norms_row_thread(const float* in, const float* scale, const float* shift,
                                 float* out, unsigned rows) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* x = in + row * kNormsWidth;
  float sum = 0;
  for (unsigned c = 0; c < kNormsWidth; ++c) sum += x[c];
  const float mean = sum / kNormsWidth;
  float squares = 0;
  for (unsigned c = 0; c < kNormsWidth; ++c) squares += (x[c] - mean) * (x[c] - mean);
  const float factor = rsqrtf(squares / kNormsWidth + kNormsTiny);
  for (unsigned c = 0; c < kNormsWidth; ++c)
    out[row * kNormsWidth + c] = (x[c] - mean) * factor * scale[c] + shift[c];
}

__global__ void norms_row_warp(const float* __restrict__ in, const float* __restrict__ scale,
                               const float* __restrict__ shift, float* __restrict__ out,
                               unsigned rows) {
  const unsigned row = thread_number() / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float* x = in + row * kNormsWidth;
  float sum = 0, squares = 0;
  for (unsigned c = lane; c < kNormsWidth; c += 32) {
    const float value = x[c];
    sum += value;
    squares += value * value;
  }
  const float mean = warp_sum(sum) / kNormsWidth;
  const float variance = warp_sum(squares) / kNormsWidth - mean * mean;
  const float factor = rsqrtf(variance + kNormsTiny);
  for (unsigned c = lane; c < kNormsWidth; c += 32)
    out[row * kNormsWidth + c] = (x[c] - mean) * factor * scale[c] + shift[c];
}

// The sum of x over the block's three warps, for all of its threads.
__device__ inline float norms_block_sum(float x, float* parts) {
  x = warp_sum(x);
  __syncthreads();  // the parts of the sum before have been read
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = x;
  __syncthreads();
  return parts[0] + parts[1] + parts[2];
}

__global__ void __launch_bounds__(kNormsFours)
    norms_row_block(float4* table, const float4* __restrict__ scale,
                    const float4* __restrict__ shift) {
  __shared__ float parts[kNormsFours / 32];
  const unsigned at = blockIdx.x * kNormsFours + threadIdx.x;
  float4 x = table[at];
  const float mean = norms_block_sum(x.x + x.y + x.z + x.w, parts) / kNormsWidth;
  x.x -= mean;
  x.y -= mean;
  x.z -= mean;
  x.w -= mean;
  const float squares = norms_block_sum(x.x * x.x + x.y * x.y + x.z * x.z + x.w * x.w, parts);
  const float factor = rsqrtf(squares / kNormsWidth + kNormsTiny);
  const float4 s = scale[threadIdx.x], t = shift[threadIdx.x];
  x.x = x.x * factor * s.x + t.x;
  x.y = x.y * factor * s.y + t.y;
  x.z = x.z * factor * s.z + t.z;
  x.w = x.w * factor * s.w + t.w;
  table[at] = x;
}

// Blocks of 32 columns by 32: a warp reads a piece of a row, and a thread every 32nd row.
__global__ void norms_batch(const float* in, const float* scale, const float* shift, float* out,
                            unsigned rows) {
  __shared__ double sums[32][32], squares[32][32];
  const unsigned tx = threadIdx.x, ty = threadIdx.y;
  const unsigned column = blockIdx.x * 32 + tx;
  double sum = 0, square = 0;
  for (unsigned r = ty; r < rows; r += 32) {
    const double x = in[r * kNormsWidth + column];
    sum += x;
    square += x * x;
  }
  sums[ty][tx] = sum;
  squares[ty][tx] = square;
  for (unsigned half = 16; half > 0; half /= 2) {
    __syncthreads();
    if (ty < half) {
      sums[ty][tx] += sums[ty + half][tx];
      squares[ty][tx] += squares[ty + half][tx];
    }
  }
  __syncthreads();
  const double mean = sums[0][tx] / rows;
  const double variance = squares[0][tx] / rows - mean * mean;
  const float factor = scale[column] * rsqrtf(static_cast<float>(variance) + kNormsTiny);
  const float offset = shift[column] - static_cast<float>(mean) * factor;
  for (unsigned r = ty; r < rows; r += 32)
    out[r * kNormsWidth + column] = in[r * kNormsWidth + column] * factor + offset;
}

struct NormsInput {
  Shared<float> table, scale, shift;

  double normed(unsigned i, double sum, double squares, double count) const {
    const double mean = sum / count, variance = squares / count - mean * mean;
    const unsigned column = i % kNormsWidth;
    return (table->host[i] - mean) / std::sqrt(variance + kNormsTiny) * scale->host[column] +
           shift->host[column];
  }
  bool rows_right(const Shared<float>& out) const {
    return agrees(out, [this](unsigned i) {
      const unsigned first = i / kNormsWidth * kNormsWidth;
      double sum = 0, squares = 0;
      for (unsigned c = 0; c < kNormsWidth; ++c) {
        const double x = table->host[first + c];
        sum += x;
        squares += x * x;
      }
      return normed(i, sum, squares, kNormsWidth);
    });
  }
  bool columns_right(const Shared<float>& out, unsigned rows) const {
    std::vector<double> sums(kNormsWidth), squares(kNormsWidth);
    for (unsigned r = 0; r < rows; ++r)
      for (unsigned c = 0; c < kNormsWidth; ++c) {
        const double x = table->host[r * kNormsWidth + c];
        sums[c] += x;
        squares[c] += x * x;
      }
    return agrees(out, [&](unsigned i) {
      const unsigned column = i % kNormsWidth;
      return normed(i, sums[column], squares[column], rows);
    });
  }
};
inline NormsInput norms_input(unsigned rows) {
  return {uniform(rows * kNormsWidth, 21), uniform(kNormsWidth, 22), uniform(kNormsWidth, 23)};
}

inline Problem norms_row_thread_problem(unsigned rows) {
  const NormsInput in = norms_input(rows);
  auto out = room<float>(rows * kNormsWidth);
  return Problem{[=] {
                   norms_row_thread<<<blocks_of(rows, 64), 64>>>(
                       in.table->data(), in.scale->data(), in.shift->data(), out->data(), rows);
                 },
                 [=] { return in.rows_right(out); }};
}

inline Problem norms_row_warp_problem(unsigned rows) {
  const NormsInput in = norms_input(rows);
  auto out = room<float>(rows * kNormsWidth);
  return Problem{[=] {
                   norms_row_warp<<<blocks_of(rows, 8), 256>>>(in.table->data(), in.scale->data(),
                                                               in.shift->data(), out->data(), rows);
                 },
                 [=] { return in.rows_right(out); }};
}

inline Problem norms_row_block_problem(unsigned rows) {
  const NormsInput in = norms_input(rows);
  const auto fours = [](const Shared<float>& a) { return reinterpret_cast<float4*>(a->data()); };
  return Problem{[=] {
                   norms_row_block<<<rows, kNormsFours>>>(fours(in.table), fours(in.scale),
                                                          fours(in.shift));
                 },
                 [=] { return in.rows_right(in.table); }, [=] { in.table->restore(); }};
}

inline Problem norms_batch_problem(unsigned rows) {
  const NormsInput in = norms_input(rows);
  auto out = room<float>(rows * kNormsWidth);
  return Problem{[=] {
                   norms_batch<<<kNormsWidth / 32, dim3(32, 32)>>>(
                       in.table->data(), in.scale->data(), in.shift->data(), out->data(), rows);
                 },
                 [=] { return in.columns_right(out, rows); }};
}

inline void add_norms(Set& set) {
  const std::vector<unsigned> sizes = {77, 5001, 36007};  // rows
  set.add("norms_row_thread", sizes, norms_row_thread_problem);
  set.add("norms_row_warp", sizes, norms_row_warp_problem);
  set.add("norms_row_block", sizes, norms_row_block_problem);
  set.add("norms_batch", sizes, norms_batch_problem);
}

}  // namespace timing_set

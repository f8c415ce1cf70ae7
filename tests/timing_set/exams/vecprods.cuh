// SPDX-License-Identifier: MIT
// A matrix times a vector, y = a * x, and the transposed matrix times a vector, y = x * a, with
// the matrix stored by rows. By thread, warp and block for a row; by thread, strip of rows with
// atomic additions and two-dimensional block for the columns.
#pragma once
#include "../set.cuh"

namespace timing_set {

// A matrix of so many rows has somewhat fewer columns.
constexpr unsigned vecprods_width(unsigned rows) { return rows - rows / 6; }

// One thread per row: simple, but neighbouring threads read a whole row apart.
__global__ void vecprods_rows(const float* a, const float* x, float* y, unsigned rows,
                              unsigned cols) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (unsigned col = 0; col < cols; ++col) sum += a[row * cols + col] * x[col];
  y[row] = sum;
}

__global__ void vecprods_warps(const float* __restrict__ a, const float* __restrict__ x,
                               float* __restrict__ y, unsigned rows, unsigned cols) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  if (row >= rows) return;  // the same for the whole warp
  float sum = 0;
  for (unsigned col = lane; col < cols; col += 32) sum += a[row * cols + col] * x[col];
  sum = warp_sum(sum);
  if (lane == 0) y[row] = sum;
}

// One block per row, four floats at a time: rows and x are padded with zeros to whole fours.
constexpr unsigned kVecprodsBlock = 128;
__global__ void vecprods_block(const float4* __restrict__ a, const float4* __restrict__ x,
                               float* __restrict__ y, unsigned fours) {
  __shared__ float parts[kVecprodsBlock / 32];
  const float4* row = a + blockIdx.x * fours;
  float sum = 0;
  for (unsigned i = threadIdx.x; i < fours; i += kVecprodsBlock) {
    const float4 as = row[i], xs = x[i];
    sum += as.x * xs.x + as.y * xs.y + as.z * xs.z + as.w * xs.w;
  }
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0;
    for (unsigned i = 0; i < kVecprodsBlock / 32; ++i) total += parts[i];
    y[blockIdx.x] = total;
  }
}

// Transposed, one thread per column: neighbours read side by side, but there are few threads.
__global__ void vecprods_columns(const float* a, const float* x, float* y, unsigned rows,
                                 unsigned cols) {
  const unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= cols) return;
  float sum = 0;
  for (unsigned row = 0; row < rows; ++row) sum += x[row] * a[row * cols + col];
  y[col] = sum;
}

// Transposed, a block for each strip of 64 rows and 256 columns; strips meet in atomic additions.
constexpr unsigned kVecprodsStrip = 64;
__global__ void vecprods_strips(const float* __restrict__ a, const float* __restrict__ x, float* y,
                                unsigned rows, unsigned cols) {
  __shared__ float xs[kVecprodsStrip];
  const unsigned first = blockIdx.y * kVecprodsStrip;
  const unsigned height = min(kVecprodsStrip, rows - first);
  if (threadIdx.x < height) xs[threadIdx.x] = x[first + threadIdx.x];
  __syncthreads();
  const unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= cols) return;
  float sum = 0;
  for (unsigned i = 0; i < height; ++i) sum += xs[i] * a[(first + i) * cols + col];
  atomicAdd(&y[col], sum);
}

// Transposed and in double, a block of 32 by 16 threads for 32 columns: each row of threads takes
// every sixteenth row, and the sums are put together in shared memory.
constexpr unsigned kVecprodsHeight = 16;
__global__ void vecprods_tiles(const double* __restrict__ a, const double* __restrict__ x,
                               double* __restrict__ y, unsigned rows, unsigned cols) {
  __shared__ double sums[kVecprodsHeight][32];
  const unsigned tx = threadIdx.x, ty = threadIdx.y;
  const unsigned col = blockIdx.x * 32 + tx;
  double sum = 0;
  if (col < cols)
    for (unsigned row = ty; row < rows; row += kVecprodsHeight) sum += x[row] * a[row * cols + col];
  sums[ty][tx] = sum;
  __syncthreads();
  for (unsigned half = kVecprodsHeight / 2; half > 0; half /= 2) {
    if (ty < half) sums[ty][tx] += sums[ty + half][tx];
    __syncthreads();
  }
  if (ty == 0 && col < cols) y[col] = sums[0][tx];
}

template <class T>
bool vecprods_right(const Shared<T>& a, const Shared<T>& x, const Shared<T>& y, unsigned cols) {
  return agrees(y, [=](unsigned row) {
    double sum = 0;
    for (unsigned col = 0; col < cols; ++col)
      sum += double{a->host[row * cols + col]} * double{x->host[col]};
    return sum;
  });
}

template <class T>
bool vecprods_right_transposed(const Shared<T>& a, const Shared<T>& x, const Shared<T>& y) {
  const unsigned rows = x->size(), cols = y->size();
  return agrees(y, [=](unsigned col) {
    double sum = 0;
    for (unsigned row = 0; row < rows; ++row)
      sum += double{x->host[row]} * double{a->host[row * cols + col]};
    return sum;
  });
}

inline void vecprods_add_transposed(Set& set, const std::vector<unsigned>& sizes) {
  set.add("vecprods_columns", sizes, [](unsigned n) {
    const unsigned cols = vecprods_width(n);
    auto a = uniform(n * cols, 7), x = uniform(n, 8), y = room<float>(cols);
    return Problem{[=] {
                     vecprods_columns<<<blocks_of(cols, 64), 64>>>(a->data(), x->data(), y->data(),
                                                                   n, cols);
                   },
                   [=] { return vecprods_right_transposed(a, x, y); }};
  });
  set.add("vecprods_strips", sizes, [](unsigned n) {
    const unsigned cols = vecprods_width(n);
    auto a = uniform(n * cols, 9), x = uniform(n, 10), y = room<float>(cols);
    clear(y);
    const dim3 grid(blocks_of(cols, 256), blocks_of(n, kVecprodsStrip));
    return Problem{
        [=] { vecprods_strips<<<grid, 256>>>(a->data(), x->data(), y->data(), n, cols); },
        [=] { return vecprods_right_transposed(a, x, y); }, [=] { clear(y); }};
  });
  set.add("vecprods_tiles", sizes, [](unsigned n) {
    const unsigned cols = vecprods_width(n);
    auto a = uniform<double>(n * cols, 11), x = uniform<double>(n, 12), y = room<double>(cols);
    return Problem{[=] {
                     vecprods_tiles<<<blocks_of(cols, 32), dim3(32, kVecprodsHeight)>>>(
                         a->data(), x->data(), y->data(), n, cols);
                   },
                   [=] { return vecprods_right_transposed(a, x, y); }};
  });
}

inline void add_vecprods(Set& set) {
  const std::vector<unsigned> sizes = {150, 2'500, 6'001};
  set.add("vecprods_rows", sizes, [](unsigned n) {
    const unsigned cols = vecprods_width(n);
    auto a = uniform(n * cols, 1), x = uniform(cols, 2), y = room<float>(n);
    return Problem{[=] {
                     vecprods_rows<<<blocks_of(n, 128), 128>>>(a->data(), x->data(), y->data(), n,
                                                               cols);
                   },
                   [=] { return vecprods_right(a, x, y, cols); }};
  });
  set.add("vecprods_warps", sizes, [](unsigned n) {
    const unsigned cols = vecprods_width(n);
    auto a = uniform(n * cols, 3), x = uniform(cols, 4), y = room<float>(n);
    return Problem{[=] {
                     vecprods_warps<<<blocks_of(32 * n, 256), 256>>>(a->data(), x->data(),
                                                                     y->data(), n, cols);
                   },
                   [=] { return vecprods_right(a, x, y, cols); }};
  });
  set.add("vecprods_block", sizes, [](unsigned n) {
    const unsigned cols = vecprods_width(n), fours = (cols + 3) / 4;
    const auto padded = [=](unsigned i) {
      return i % (4 * fours) < cols ? (mixed(i ^ (5u << 24)) >> 16) / 65536.0 : 0.0;
    };
    auto a = array<float>(n * 4 * fours, padded), x = array<float>(4 * fours, padded);
    auto y = room<float>(n);
    return Problem{[=] {
                     vecprods_block<<<n, kVecprodsBlock>>>(
                         reinterpret_cast<const float4*>(a->data()),
                         reinterpret_cast<const float4*>(x->data()), y->data(), fours);
                   },
                   [=] { return vecprods_right(a, x, y, 4 * fours); }};
  });
  vecprods_add_transposed(set, sizes);
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Reductions of a matrix with a thousand columns: sums of the columns with atomics, sums of the
// rows by a block a row in double precision, the least and the greatest of each row by a warp a
// row, and the sums of rows and columns of whole numbers together.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kTotalsColumns = 1000;
constexpr int kTotalsChunk = 64;     // rows that a thread of totals_columns adds
constexpr int kTotalsThreads = 128;  // of totals_rows
constexpr int kTotalsTile = 32;      // rows and columns of a block of totals_both

__global__ void totals_columns(const float* __restrict__ matrix, float* __restrict__ sums, int rows,
                               int columns) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  const int first = blockIdx.y * kTotalsChunk;
  const int end = min(first + kTotalsChunk, rows);
  float sum = 0;
  for (int r = first; r < end; ++r) sum += matrix[r * columns + c];
  atomicAdd(&sums[c], sum);
}

__global__ void totals_rows(const double* matrix, double* sums, unsigned columns) {
  __shared__ double parts[kTotalsThreads];
  const double* row = matrix + blockIdx.x * columns;
  const unsigned t = threadIdx.x;
  double sum = 0;
  for (unsigned c = t; c < columns; c += blockDim.x) sum += row[c];
  parts[t] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half >= 32; half /= 2) {
    if (t < half) parts[t] += parts[t + half];
    __syncthreads();
  }
  if (t < 32) {
    sum = warp_sum(parts[t]);
    if (t == 0) sums[blockIdx.x] = sum;
  }
}

// x is the least of a row, y the greatest.
__global__ void __launch_bounds__(1024)
    totals_extremes(const int4* __restrict__ matrix, int2* __restrict__ extremes, int rows,
                    int fours) {
  const int lane = threadIdx.x & 31;
  const int warps = gridDim.x * blockDim.x >> 5;
  for (int r = thread_number() >> 5; r < rows; r += warps) {
    int least = 0x7fffffff, greatest = -0x7fffffff - 1;
    for (int c = lane; c < fours; c += 32) {
      const int4 v = matrix[r * fours + c];
      least = min(least, min(min(v.x, v.y), min(v.z, v.w)));
      greatest = max(greatest, max(max(v.x, v.y), max(v.z, v.w)));
    }
    for (int d = 16; d > 0; d >>= 1) {
      least = min(least, __shfl_down_sync(kAll, least, d));
      greatest = max(greatest, __shfl_down_sync(kAll, greatest, d));
    }
    if (lane == 0) extremes[r] = make_int2(least, greatest);
  }
}

// A block of 32 by 8 threads: each has four numbers of a column, a warp has parts of rows.
__global__ void totals_both(const int* matrix, unsigned long long* row_sums,
                            unsigned long long* column_sums, int rows, int columns) {
  __shared__ int parts[8][kTotalsTile];
  const int x = blockIdx.x * kTotalsTile + threadIdx.x;
  int down = 0;
  for (int k = threadIdx.y; k < kTotalsTile; k += 8) {
    const int y = blockIdx.y * kTotalsTile + k;
    const int value = x < columns && y < rows ? matrix[y * columns + x] : 0;
    down += value;
    const int across = warp_sum(value);
    if (threadIdx.x == 0 && y < rows) atomicAdd(&row_sums[y], (unsigned long long)across);
  }
  parts[threadIdx.y][threadIdx.x] = down;
  __syncthreads();
  if (threadIdx.y == 0 && x < columns) {
    int sum = 0;
    for (int k = 0; k < 8; ++k) sum += parts[k][threadIdx.x];
    atomicAdd(&column_sums[x], (unsigned long long)sum);
  }
}

template <class Sum, class T>
std::vector<Sum> totals_down(const std::vector<T>& matrix) {
  std::vector<Sum> sums(kTotalsColumns);
  for (std::size_t i = 0; i < matrix.size(); i += kTotalsColumns)
    for (unsigned c = 0; c < kTotalsColumns; ++c) sums[c] += matrix[i + c];
  return sums;
}

template <class Sum, class T>
Sum totals_across(const std::vector<T>& matrix, unsigned row) {
  Sum sum = 0;
  for (unsigned c = 0; c < kTotalsColumns; ++c) sum += matrix[row * kTotalsColumns + c];
  return sum;
}

inline Problem totals_columns_problem(unsigned rows) {
  auto matrix = uniform(rows * kTotalsColumns, 51);
  auto sums = array(std::vector<float>(kTotalsColumns));
  return Problem{[=] {
                   const dim3 grid(blocks_of(kTotalsColumns, 128), blocks_of(rows, kTotalsChunk));
                   totals_columns<<<grid, 128>>>(matrix->data(), sums->data(), rows,
                                                 kTotalsColumns);
                 },
                 [=] {
                   const std::vector<double> wanted = totals_down<double>(matrix->host);
                   return agrees(sums, [&](unsigned c) { return wanted[c]; });
                 },
                 [=] { clear(sums); }};
}

inline Problem totals_rows_problem(unsigned rows) {
  auto matrix = uniform<double>(rows * kTotalsColumns, 52);
  auto sums = room<double>(rows);
  return Problem{
      [=] { totals_rows<<<rows, kTotalsThreads>>>(matrix->data(), sums->data(), kTotalsColumns); },
      [=] {
        return agrees(
            sums, [&](unsigned r) { return totals_across<double>(matrix->host, r); }, 1e-9);
      }};
}

inline Problem totals_extremes_problem(unsigned rows) {
  auto matrix = array<int>(rows * kTotalsColumns, [](unsigned i) { return mixed(i + 53); });
  auto extremes = room<int>(2 * rows);
  return Problem{[=] {
                   totals_extremes<<<std::min(blocks_of(rows, 32), 264u), 1024>>>(
                       reinterpret_cast<const int4*>(matrix->data()),
                       reinterpret_cast<int2*>(extremes->data()), rows, kTotalsColumns / 4);
                 },
                 [=] {
                   const std::vector<int> got = extremes->device.download();
                   for (unsigned r = 0; r < rows; r += (rows - 1 - r) / 1000 + 1) {
                     const auto first = matrix->host.begin() + r * kTotalsColumns;
                     const auto found = std::minmax_element(first, first + kTotalsColumns);
                     if (got[2 * r] != *found.first || got[2 * r + 1] != *found.second)
                       return false;
                   }
                   return true;
                 }};
}

inline Problem totals_both_problem(unsigned rows) {
  auto matrix =
      array<int>(rows * kTotalsColumns, [](unsigned i) { return mixed(i + 54) % 100000; });
  auto row_sums = array(std::vector<unsigned long long>(rows));
  auto column_sums = array(std::vector<unsigned long long>(kTotalsColumns));
  return Problem{
      [=] {
        const dim3 grid(blocks_of(kTotalsColumns, kTotalsTile), blocks_of(rows, kTotalsTile));
        totals_both<<<grid, dim3(kTotalsTile, 8)>>>(matrix->data(), row_sums->data(),
                                                    column_sums->data(), rows, kTotalsColumns);
      },
      [=] {
        const auto wanted = totals_down<unsigned long long>(matrix->host);
        if (column_sums->device.download() != wanted) return false;
        return agrees(
            row_sums,
            [&](unsigned r) { return totals_across<unsigned long long>(matrix->host, r); }, 1e-9);
      },
      [=] {
        clear(row_sums);
        clear(column_sums);
      }};
}

inline void add_totals(Set& set) {
  const std::vector<unsigned> sizes = {12, 4000, 15000};  // rows
  set.add("totals_columns", sizes, totals_columns_problem);
  set.add("totals_rows", sizes, totals_rows_problem);
  set.add("totals_extremes", sizes, totals_extremes_problem);
  set.add("totals_both", sizes, totals_both_problem);
}

}  // namespace timing_set

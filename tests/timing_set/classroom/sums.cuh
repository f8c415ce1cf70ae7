// SPDX-License-Identifier: MIT
// Sums: of the rows of a matrix, by one thread each; of its columns, by two-dimensional blocks that
// each add a slab of rows; of an array, one sum for each block, by a tree in shared memory that
// wastes most of its threads; and of a whole array to one number, with wide loads, shuffles and one
// atomic operation for each block.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kSumsColumns = 251;
constexpr unsigned kSumsSlab = 256;  // rows that a block adds
constexpr unsigned kSumsBlock = 256;

__global__ void sums_rows(const float* matrix, float* sums, unsigned rows) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0;
    for (unsigned column = 0; column < kSumsColumns; ++column)
      sum += matrix[row * kSumsColumns + column];
    sums[row] = sum;
  }
}

__global__ void sums_columns(const float* matrix, float* sums, unsigned rows) {
  __shared__ float part[8][32];
  const unsigned column = blockIdx.x * 32 + threadIdx.x;
  const unsigned first = blockIdx.y * kSumsSlab, last = min(first + kSumsSlab, rows);
  float sum = 0;
  if (column < kSumsColumns)
    for (unsigned row = first + threadIdx.y; row < last; row += 8)
      sum += matrix[row * kSumsColumns + column];
  part[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0 && column < kSumsColumns) {
    for (unsigned k = 1; k < 8; ++k) sum += part[k][threadIdx.x];
    atomicAdd(&sums[column], sum);
  }
}

__global__ void sums_blocks(const double* values, double* sums, unsigned n) {
  __shared__ double part[kSumsBlock];
  const unsigned t = threadIdx.x, i = blockIdx.x * 2 * kSumsBlock + t;
  double sum = i < n ? values[i] : 0;
  if (i + kSumsBlock < n) sum += values[i + kSumsBlock];
  part[t] = sum;
  __syncthreads();
  for (unsigned step = 1; step < kSumsBlock; step *= 2) {
    if (t % (2 * step) == 0) part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

__global__ void sums_total(const int4* values, int* total, unsigned quarter) {
  __shared__ int part[32];
  int sum = 0;
  for (unsigned i = thread_number(); i < quarter; i += gridDim.x * blockDim.x) {
    const int4 four = values[i];
    sum += four.x + four.y + four.z + four.w;
  }
  sum = warp_sum(sum);
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0) part[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = warp_sum(lane < blockDim.x / 32 ? part[lane] : 0);
    if (lane == 0) atomicAdd(total, sum);
  }
}

inline Problem sums_rows_problem(unsigned rows) {
  auto matrix = uniform(rows * kSumsColumns, 21);
  auto sums = room<float>(rows);
  return Problem{
      [=] { sums_rows<<<blocks_of(rows, 128), 128>>>(matrix->data(), sums->data(), rows); },
      [=] {
        return agrees(sums, [&](unsigned row) {
          double sum = 0;
          for (unsigned column = 0; column < kSumsColumns; ++column)
            sum += matrix->host[row * kSumsColumns + column];
          return sum;
        });
      }};
}

inline Problem sums_columns_problem(unsigned rows) {
  auto matrix = uniform(rows * kSumsColumns, 22);
  auto sums = room<float>(kSumsColumns);
  clear(sums);
  return Problem{[=] {
                   const dim3 grid(blocks_of(kSumsColumns, 32), blocks_of(rows, kSumsSlab));
                   sums_columns<<<grid, dim3(32, 8)>>>(matrix->data(), sums->data(), rows);
                 },
                 [=] {
                   std::vector<double> wanted(kSumsColumns);
                   for (unsigned row = 0; row < rows; ++row)
                     for (unsigned column = 0; column < kSumsColumns; ++column)
                       wanted[column] += matrix->host[row * kSumsColumns + column];
                   return agrees(sums, [&](unsigned column) { return wanted[column]; });
                 },
                 [=] { clear(sums); }};
}

inline Problem sums_blocks_problem(unsigned n) {
  auto values = uniform<double>(n, 23);
  const unsigned blocks = blocks_of(n, 2 * kSumsBlock);
  auto sums = room<double>(blocks);
  return Problem{[=] { sums_blocks<<<blocks, kSumsBlock>>>(values->data(), sums->data(), n); },
                 [=] {
                   return agrees(
                       sums,
                       [&](unsigned block) {
                         double sum = 0;
                         const unsigned last = std::min(n, (block + 1) * 2 * kSumsBlock);
                         for (unsigned i = block * 2 * kSumsBlock; i < last; ++i)
                           sum += values->host[i];
                         return sum;
                       },
                       1e-9);
                 }};
}

inline Problem sums_total_problem(unsigned n) {
  auto values = array<int>(n, [](unsigned i) { return static_cast<int>(mixed(i + 24) % 20); });
  auto total = room<int>(1);
  clear(total);
  return Problem{[=] {
                   const unsigned blocks = std::min(blocks_of(n / 4, 512), 528u);
                   sums_total<<<blocks, 512>>>(reinterpret_cast<const int4*>(values->data()),
                                               total->data(), n / 4);
                 },
                 [=] {
                   int sum = 0;
                   for (const int value : values->host) sum += value;
                   return total->device.download()[0] == sum;
                 },
                 [=] { clear(total); }};
}

inline void add_sums(Set& set) {
  const std::vector<unsigned> rows = {50, 24000, 100001};
  set.add("sums_rows", rows, sums_rows_problem);
  set.add("sums_columns", rows, sums_columns_problem);
  set.add("sums_blocks", {20001, 2500001, 9000001}, sums_blocks_problem);
  set.add("sums_total", {20000, 6000000, 26000000}, sums_total_problem);  // multiples of four
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Sums of a matrix of n rows: of each row, by a thread, a warp, or a block with a tree in shared
// memory; of each column, by bands of rows; and of the whole matrix, by long strides with one
// atomic operation a block, or with one a warp.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kReducedWidth = 301;

// The usual mistake: neighbouring threads read from different rows.
__global__ void reduced_threads(const float* matrix, float* sums, unsigned rows) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (unsigned k = 0; k < kReducedWidth; ++k) sum += matrix[row * kReducedWidth + k];
  sums[row] = sum;
}

__global__ void reduced_warps(const float* __restrict__ matrix, float* __restrict__ sums,
                              unsigned rows) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;
  const unsigned lane = threadIdx.x % 32;
  float sum = 0;
  for (unsigned k = lane; k < kReducedWidth; k += 32) sum += matrix[row * kReducedWidth + k];
  sum = warp_sum(sum);
  if (lane == 0) sums[row] = sum;
}

// A block per row. The tree is the first one of every course: the threads that still have work
// are ever further apart.
constexpr unsigned kReducedTree = 64;
__global__ void reduced_trees(const float* matrix, float* sums) {
  __shared__ float part[kReducedTree];
  const unsigned t = threadIdx.x;
  float sum = 0;
  for (unsigned k = t; k < kReducedWidth; k += kReducedTree)
    sum += matrix[blockIdx.x * kReducedWidth + k];
  part[t] = sum;
  __syncthreads();
  for (unsigned d = 1; d < kReducedTree; d *= 2) {
    if (t % (2 * d) == 0) part[t] += part[t + d];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

// A block has 32 columns of a band of rows, and its threads every eighth row of them.
constexpr unsigned kReducedBand = 256;
__global__ void reduced_columns(const float* __restrict__ matrix, float* __restrict__ sums,
                                unsigned rows) {
  __shared__ float part[8][32];
  const unsigned column = blockIdx.x * 32 + threadIdx.x;
  const unsigned first = blockIdx.y * kReducedBand;
  const unsigned end = min(first + kReducedBand, rows);
  float sum = 0;
  if (column < kReducedWidth)
    for (unsigned row = first + threadIdx.y; row < end; row += 8)
      sum += matrix[row * kReducedWidth + column];
  part[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0 && column < kReducedWidth) {
    for (unsigned y = 1; y < 8; ++y) sum += part[y][threadIdx.x];
    atomicAdd(&sums[column], sum);
  }
}

// Four numbers at a time; the first threads also have one of those that are left.
__global__ void reduced_whole(const float* __restrict__ numbers, double* total, unsigned n) {
  __shared__ double part[32];
  const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned step = gridDim.x * blockDim.x;
  float sum = 0;
  for (unsigned i = me; i < n / 4; i += step) {
    const float4 four = reinterpret_cast<const float4*>(numbers)[i];
    sum += four.x + four.y + four.z + four.w;
  }
  if (me < n % 4) sum += numbers[n - 1 - me];
  const double of_warp = warp_sum(static_cast<double>(sum));
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0) part[warp] = of_warp;
  __syncthreads();
  if (warp == 0) {
    const double of_block = warp_sum(lane < blockDim.x / 32 ? part[lane] : 0.0);
    if (lane == 0) atomicAdd(total, of_block);
  }
}

// One number a thread and one atomic operation a warp, all of them on the same word.
__global__ void reduced_crowd(const int* numbers, int* total, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int sum = warp_sum(i < n ? numbers[i] : 0);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}

inline Shared<float> reduced_matrix(unsigned rows, unsigned seed) {
  return uniform(std::size_t{rows} * kReducedWidth, seed);
}

inline bool reduced_rows_right(const Shared<float>& matrix, const Shared<float>& sums) {
  return agrees(sums, [&](unsigned row) {
    const float* numbers = &matrix->host[std::size_t{row} * kReducedWidth];
    double sum = 0;
    for (unsigned k = 0; k < kReducedWidth; ++k) sum += numbers[k];
    return sum;
  });
}

// In the order in which the numbers lie in memory, which is the fast one.
inline bool reduced_columns_right(const Shared<float>& matrix, const Shared<float>& sums) {
  std::vector<double> wanted(kReducedWidth);
  const float* number = matrix->host.data();
  for (unsigned row = 0; row < matrix->size() / kReducedWidth; ++row)
    for (double& sum : wanted) sum += *number++;
  return agrees(sums, [&](unsigned column) { return wanted[column]; });
}

template <class T, class U>
bool reduced_whole_right(const Shared<T>& numbers, const Shared<U>& total) {
  U wanted = 0;
  for (const T number : numbers->host) wanted += number;
  return agrees(
      total, [&](unsigned) { return wanted; }, 1e-6);
}

inline void reduced_add_rest(Set& set, const std::vector<unsigned>& sizes) {
  set.add("reduced_columns", sizes, [](unsigned n) {
    auto matrix = reduced_matrix(n, 4);
    auto sums = array(std::vector<float>(kReducedWidth));
    return Problem{[=] {
                     const dim3 grid(blocks_of(kReducedWidth, 32), blocks_of(n, kReducedBand));
                     reduced_columns<<<grid, dim3(32, 8)>>>(matrix->data(), sums->data(), n);
                   },
                   [=] { return reduced_columns_right(matrix, sums); }, [=] { clear(sums); }};
  });
  set.add("reduced_whole", sizes, [](unsigned n) {
    auto numbers = reduced_matrix(n, 5);
    auto total = array(std::vector<double>(1));
    return Problem{
        [=] { reduced_whole<<<2 * 132, 1024>>>(numbers->data(), total->data(), numbers->size()); },
        [=] { return reduced_whole_right(numbers, total); }, [=] { clear(total); }};
  });
  set.add("reduced_crowd", sizes, [](unsigned n) {
    auto numbers = array<int>(std::size_t{n} * kReducedWidth,
                              [](unsigned i) { return static_cast<int>(mixed(i) % 61) - 20; });
    auto total = array(std::vector<int>(1));
    return Problem{[=] {
                     reduced_crowd<<<blocks_of(numbers->size(), 512), 512>>>(
                         numbers->data(), total->data(), numbers->size());
                   },
                   [=] { return reduced_whole_right(numbers, total); }, [=] { clear(total); }};
  });
}

inline void add_reduced(Set& set) {
  const std::vector<unsigned> sizes = {101, 40'009, 170'003};
  set.add("reduced_threads", sizes, [](unsigned n) {
    auto matrix = reduced_matrix(n, 1);
    auto sums = room<float>(n);
    return Problem{
        [=] { reduced_threads<<<blocks_of(n, 128), 128>>>(matrix->data(), sums->data(), n); },
        [=] { return reduced_rows_right(matrix, sums); }};
  });
  set.add("reduced_warps", sizes, [](unsigned n) {
    auto matrix = reduced_matrix(n, 2);
    auto sums = room<float>(n);
    return Problem{
        [=] { reduced_warps<<<blocks_of(n, 256 / 32), 256>>>(matrix->data(), sums->data(), n); },
        [=] { return reduced_rows_right(matrix, sums); }};
  });
  set.add("reduced_trees", sizes, [](unsigned n) {
    auto matrix = reduced_matrix(n, 3);
    auto sums = room<float>(n);
    return Problem{[=] { reduced_trees<<<n, kReducedTree>>>(matrix->data(), sums->data()); },
                   [=] { return reduced_rows_right(matrix, sums); }};
  });
  reduced_add_rest(set, sizes);
}

}  // namespace timing_set

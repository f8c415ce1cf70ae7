// SPDX-License-Identifier: MIT
// Matrix times vector: a row per thread, per warp, per block; and a matrix that lies by columns.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void vector_row_thread(const float* a, const float* x, float* y, unsigned n) {
  const unsigned r = thread_number();
  if (r >= n) return;
  float sum = 0;
  for (unsigned k = 0; k < n; ++k) sum += a[r * n + k] * x[k];
  y[r] = sum;
}
__global__ void vector_row_warp(const float* a, const float* x, float* y, unsigned n) {
  const unsigned r = thread_number() / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (unsigned k = lane; k < n; k += 32) sum += a[r * n + k] * x[k];
  sum = warp_sum(sum);
  if (lane == 0) y[r] = sum;
}
__global__ void vector_row_block(const float* a, const float* x, float* y, unsigned n) {
  __shared__ float of_warp[4];
  const unsigned r = blockIdx.x;
  float sum = 0;
  for (unsigned k = threadIdx.x; k < n; k += blockDim.x) sum += a[r * n + k] * x[k];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) y[r] = of_warp[0] + of_warp[1] + of_warp[2] + of_warp[3];
}
__global__ void vector_columns(const float* a, const float* x, float* y, unsigned n) {
  const unsigned r = thread_number();
  if (r >= n) return;
  float sum = 0;
  for (unsigned k = 0; k < n; ++k) sum += a[k * n + r] * x[k];
  y[r] = sum;
}

template <class Function>
std::function<Problem(unsigned)> vector_problem(Function kernel, unsigned per_row, bool columns) {
  return [=](unsigned n) {
    auto a = uniform(n * n, 1), x = uniform(n, 2), y = room<float>(n);
    return Problem{
        [=] { kernel<<<blocks_of(n * per_row, 128), 128>>>(a->data(), x->data(), y->data(), n); },
        [=] {
          return agrees(y, [=](unsigned r) {
            double sum = 0;
            for (unsigned k = 0; k < n; ++k)
              sum += double{a->host[columns ? k * n + r : r * n + k]} * x->host[k];
            return sum;
          });
        }};
  };
}

inline void add_matvec(Set& set) {
  const std::vector<unsigned> sizes = {256, 1024, 4096};
  set.add("vector_row_thread", sizes, vector_problem(vector_row_thread, 1, false));
  set.add("vector_row_warp", sizes, vector_problem(vector_row_warp, 32, false));
  set.add("vector_row_block", sizes, vector_problem(vector_row_block, 128, false));
  set.add("vector_columns", sizes, vector_problem(vector_columns, 1, true));
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Sums of the rows and of the columns of a matrix.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void row_sum_thread(const float* in, float* out, unsigned n) {
  const unsigned r = thread_number();
  if (r >= n) return;
  float sum = 0;
  for (unsigned k = 0; k < n; ++k) sum += in[r * n + k];
  out[r] = sum;
}
__global__ void row_sum_warp(const float* in, float* out, unsigned n) {
  const unsigned r = thread_number() / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (unsigned k = lane; k < n; k += 32) sum += in[r * n + k];
  sum = warp_sum(sum);
  if (lane == 0) out[r] = sum;
}
__global__ void column_sum_thread(const float* in, float* out, unsigned n) {
  const unsigned c = thread_number();
  if (c >= n) return;
  float sum = 0;
  for (unsigned k = 0; k < n; ++k) sum += in[k * n + c];
  out[c] = sum;
}
// A block adds up a strip of 32 columns and 64 rows, and then to the total.
__global__ void column_sum_strips(const float* in, float* out, unsigned n) {
  __shared__ float part[8][32];
  const unsigned c = blockIdx.x * 32 + threadIdx.x, first = blockIdx.y * 64 + threadIdx.y;
  float sum = 0;
  for (unsigned k = 0; k < 64; k += 8) sum += in[(first + k) * n + c];
  part[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y > 0) return;
  for (unsigned k = 1; k < 8; ++k) sum += part[k][threadIdx.x];
  atomicAdd(&out[c], sum);
}

template <class Launch>
std::function<Problem(unsigned)> axis_problem(bool columns, Launch launch) {
  return [=](unsigned n) {
    auto in = uniform(n * n, 1), out = room<float>(n);
    return Problem{[=] { launch(in->data(), out->data(), n); },
                   [=] {
                     return agrees(out, [=](unsigned i) {
                       double sum = 0;
                       for (unsigned k = 0; k < n; ++k)
                         sum += in->host[columns ? k * n + i : i * n + k];
                       return sum;
                     });
                   },
                   [=] { clear(out); }};
  };
}

inline void add_axis(Set& set) {
  const std::vector<unsigned> sizes = {256, 1024, 4096};
  using In = const float*;
  set.add("row_sum_thread", sizes, axis_problem(false, [](In in, float* out, unsigned n) {
            row_sum_thread<<<blocks_of(n, 64), 64>>>(in, out, n);
          }));
  set.add("row_sum_warp", sizes, axis_problem(false, [](In in, float* out, unsigned n) {
            row_sum_warp<<<n / 8, kBlock>>>(in, out, n);
          }));
  set.add("column_sum_thread", sizes, axis_problem(true, [](In in, float* out, unsigned n) {
            column_sum_thread<<<blocks_of(n, 64), 64>>>(in, out, n);
          }));
  set.add("column_sum_strips", sizes, axis_problem(true, [](In in, float* out, unsigned n) {
            column_sum_strips<<<dim3(n / 32, n / 64), dim3(32, 8)>>>(in, out, n);
          }));
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Many matrices of order 16 are factored into a lower and an upper one, in place: by a thread each, a block each, and by
// half a warp that keeps the rows in registers.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr int kOrder = 16;
constexpr int kElements = kOrder * kOrder;

// Elements of one place lie side by side for all matrices.
__global__ void lu_thread(float* a, unsigned count) {
  const unsigned m = thread_number();
  if (m >= count) return;
  for (int k = 0; k < kOrder - 1; ++k) {
    const float pivot = 1.0f / a[(k * kOrder + k) * count + m];
    for (int i = k + 1; i < kOrder; ++i) {
      const float factor = a[(i * kOrder + k) * count + m] * pivot;
      a[(i * kOrder + k) * count + m] = factor;
      for (int j = k + 1; j < kOrder; ++j)
        a[(i * kOrder + j) * count + m] -= factor * a[(k * kOrder + j) * count + m];
    }
  }
}
__global__ void lu_block(float* a, unsigned) {
  __shared__ float s[kOrder][kOrder + 1];
  const int i = threadIdx.y, j = threadIdx.x;
  float* const own = a + blockIdx.x * kElements;
  s[i][j] = own[i * kOrder + j];
  __syncthreads();
  for (int k = 0; k < kOrder - 1; ++k) {
    if (i > k && j == k) s[i][k] /= s[k][k];
    __syncthreads();
    if (i > k && j > k) s[i][j] -= s[i][k] * s[k][j];
    __syncthreads();
  }
  own[i * kOrder + j] = s[i][j];
}
__global__ void lu_half_warp(float* a, unsigned count) {
  const unsigned m = thread_number() / kOrder;
  const int i = threadIdx.x % kOrder;
  if (m >= count) return;
  float* const own = a + std::size_t{m} * kElements + i * kOrder;
  float row[kOrder];
#pragma unroll
  for (int j = 0; j < kOrder; ++j) row[j] = own[j];
#pragma unroll
  for (int k = 0; k < kOrder - 1; ++k) {
    const float pivot = __shfl_sync(kAll, row[k], k, kOrder);
    const float factor = i > k ? row[k] / pivot : 0;
    if (i > k) row[k] = factor;
#pragma unroll
    for (int j = k + 1; j < kOrder; ++j) row[j] -= factor * __shfl_sync(kAll, row[j], k, kOrder);
  }
#pragma unroll
  for (int j = 0; j < kOrder; ++j) own[j] = row[j];
}

inline double lu_element(const std::vector<float>& first, unsigned count, unsigned at,
                         bool planes) {
  const unsigned m = planes ? at % count : at / kElements;
  const unsigned e = planes ? at / count : at % kElements;
  double a[kOrder][kOrder];
  for (int i = 0; i < kElements; ++i)
    a[i / kOrder][i % kOrder] = first[planes ? i * count + m : m * kElements + i];
  for (int k = 0; k < kOrder - 1; ++k)
    for (int i = k + 1; i < kOrder; ++i) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < kOrder; ++j) a[i][j] -= a[i][k] * a[k][j];
    }
  return a[e / kOrder][e % kOrder];
}
template <class Launch>
std::function<Problem(unsigned)> factor_problem(bool planes, Launch launch) {
  return [=](unsigned count) {
    auto a = array<float>(count * kElements, [=](unsigned at) {
      const unsigned e = planes ? at / count : at % kElements;
      return (mixed(at) >> 16) / 65536.0 + (e / kOrder == e % kOrder ? kOrder : 0);
    });
    return Problem{[=] { launch(a->data(), count); },
                   [=] {
                     return agrees(
                         a, [=](unsigned at) { return lu_element(a->host, count, at, planes); });
                   },
                   [=] { a->restore(); }};
  };
}

inline void add_factor(Set& set) {
  const std::vector<unsigned> sizes = {1 << 7, 1 << 11, 1 << 14};
  set.add("lu_thread", sizes, factor_problem(true, [](float* a, unsigned count) {
            lu_thread<<<blocks_of(count, 64), 64>>>(a, count);
          }));
  set.add("lu_block", sizes, factor_problem(false, [](float* a, unsigned count) {
            lu_block<<<count, dim3(kOrder, kOrder)>>>(a, count);
          }));
  set.add("lu_half_warp", sizes, factor_problem(false, [](float* a, unsigned count) {
            lu_half_warp<<<blocks_of(count * kOrder, 128), 128>>>(a, count);
          }));
}

}  // namespace timing_set

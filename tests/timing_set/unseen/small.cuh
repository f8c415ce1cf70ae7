// SPDX-License-Identifier: MIT
// Many products of matrices of 16 by 16: from global memory, from shared memory, and with four elements to a thread.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kSide = 16, kSquare = kSide * kSide;
__global__ void small_global(const float* a, const float* b, float* c) {
  const unsigned base = blockIdx.x * kSquare, x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (unsigned k = 0; k < kSide; ++k) sum += a[base + y * kSide + k] * b[base + k * kSide + x];
  c[base + y * kSide + x] = sum;
}
__global__ void small_shared(const float* a, const float* b, float* c) {
  __shared__ float of_a[kSide][kSide], of_b[kSide][kSide];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned i = blockIdx.x * kSquare + y * kSide + x;
  of_a[y][x] = a[i];
  of_b[y][x] = b[i];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (unsigned k = 0; k < kSide; ++k) sum += of_a[y][k] * of_b[k][x];
  c[i] = sum;
}
// A matrix to two warps, four matrices to a block; a thread has four elements of a row.
__global__ void small_fours(const float4* a, const float4* b, float4* c) {
  __shared__ float of_a[4][kSide][kSide + 1];
  __shared__ float4 of_b[4][kSide][kSide / 4];
  const unsigned t = threadIdx.x, own = threadIdx.y, row = t / 4, four = t % 4;
  const unsigned i = (blockIdx.x * 4 + own) * kSquare / 4 + t;
  const float4 x = a[i];
  float* const to = &of_a[own][row][four * 4];
  to[0] = x.x, to[1] = x.y, to[2] = x.z, to[3] = x.w;
  of_b[own][row][four] = b[i];
  __syncthreads();
  float4 sum = {};
#pragma unroll
  for (unsigned k = 0; k < kSide; ++k) {
    const float factor = of_a[own][row][k];
    const float4 y = of_b[own][k][four];
    sum.x += factor * y.x;
    sum.y += factor * y.y;
    sum.z += factor * y.z;
    sum.w += factor * y.w;
  }
  c[i] = sum;
}

template <class Launch>
std::function<Problem(unsigned)> small_problem(Launch launch) {
  return [=](unsigned n) {
    auto a = uniform(n * kSquare, 9), b = uniform(n * kSquare, 10), c = room<float>(n * kSquare);
    return Problem{[=] { launch(a->data(), b->data(), c->data(), n); },
                   [=] {
                     return agrees(c, [=](unsigned i) {
                       const unsigned row = i / kSide * kSide;
                       const unsigned column = i / kSquare * kSquare + i % kSide;
                       double sum = 0;
                       for (unsigned k = 0; k < kSide; ++k)
                         sum += a->host[row + k] * b->host[column + k * kSide];
                       return sum;
                     });
                   }};
  };
}

inline void add_small(Set& set) {
  const std::vector<unsigned> sizes = {64, 1000, 30000};
  using In = const float*;
  set.add("small_global", sizes, small_problem([](In a, In b, float* c, unsigned n) {
            small_global<<<n, dim3(kSide, kSide)>>>(a, b, c);
          }));
  set.add("small_shared", sizes, small_problem([](In a, In b, float* c, unsigned n) {
            small_shared<<<n, dim3(kSide, kSide)>>>(a, b, c);
          }));
  set.add("small_fours", sizes, small_problem([](In a, In b, float* c, unsigned n) {
            using Fours = const float4*;
            small_fours<<<n / 4, dim3(64, 4)>>>(reinterpret_cast<Fours>(a),
                                                reinterpret_cast<Fours>(b),
                                                reinterpret_cast<float4*>(c));
          }));
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Matrix products: one output per thread from global memory, then tiles in shared memory with 1 to 8 outputs per thread.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void product_naive(const float* a, const float* b, float* c, unsigned n) {
  const unsigned x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (unsigned k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

// A block makes a tile of 32 x 32; each thread Per outputs below each other.
template <unsigned Per>
__global__ void product_tile(const float* a, const float* b, float* c, unsigned n) {
  __shared__ float tile_a[32][32], tile_b[32][32];
  const unsigned x = blockIdx.x * 32, y = blockIdx.y * 32, tx = threadIdx.x, ty = threadIdx.y;
  float sum[Per] = {};
  for (unsigned k0 = 0; k0 < n; k0 += 32) {
#pragma unroll
    for (unsigned p = 0; p < Per; ++p) {
      const unsigned r = ty * Per + p;
      tile_a[r][tx] = a[(y + r) * n + k0 + tx];
      tile_b[r][tx] = b[(k0 + r) * n + x + tx];
    }
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < 32; ++k) {
      const float right = tile_b[k][tx];
#pragma unroll
      for (unsigned p = 0; p < Per; ++p) sum[p] += tile_a[ty * Per + p][k] * right;
    }
    __syncthreads();
  }
#pragma unroll
  for (unsigned p = 0; p < Per; ++p) c[(y + ty * Per + p) * n + x + tx] = sum[p];
}

template <class Function>
std::function<Problem(unsigned)> product_problem(Function kernel, unsigned tile, dim3 block) {
  return [=](unsigned n) {
    auto a = uniform(n * n, 1), b = uniform(n * n, 2), c = room<float>(n * n);
    return Problem{
        [=] { kernel<<<dim3(n / tile, n / tile), block>>>(a->data(), b->data(), c->data(), n); },
        [=] {
          return agrees(c, [=](unsigned i) {
            double sum = 0;
            for (unsigned k = 0; k < n; ++k)
              sum += double{a->host[i / n * n + k]} * b->host[k * n + i % n];
            return sum;
          });
        }};
  };
}

inline void add_product(Set& set) {
  const std::vector<unsigned> sizes = {128, 320, 512};
  set.add("product_naive", sizes, product_problem(product_naive, 16, dim3(16, 16)));
  set.add("product_tile_1", sizes, product_problem(product_tile<1>, 32, dim3(32, 32)));
  set.add("product_tile_2", sizes, product_problem(product_tile<2>, 32, dim3(32, 16)));
  set.add("product_tile_4", sizes, product_problem(product_tile<4>, 32, dim3(32, 8)));
  set.add("product_tile_8", sizes, product_problem(product_tile<8>, 32, dim3(32, 4)));
}

}  // namespace timing_set

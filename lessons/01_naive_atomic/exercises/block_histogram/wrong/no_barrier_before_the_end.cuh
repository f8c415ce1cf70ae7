// SPDX-License-Identifier: MIT
// Wrong: counters are brought while other threads still count.
#pragma once

#include <cstddef>

constexpr unsigned kBins = 100;

__global__ void histogram(const int* x, std::size_t n, int* counts) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  __shared__ int mine[kBins];
  for (unsigned b = threadIdx.x; b < kBins; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  for (std::size_t i = me; i < n; i += threads) atomicAdd(&mine[x[i]], 1);
  for (unsigned b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&counts[b], mine[b]);
}

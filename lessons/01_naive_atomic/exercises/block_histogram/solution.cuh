// SPDX-License-Identifier: MIT
// Exercise block_histogram: how often does each number from 0 to 99 occur in x?
//
// The kernel is launched with several blocks, of fewer or more than 100 threads. counts has 100
// elements, all 0 before. A block may do at most 100 atomics on global memory, whatever n is.
#pragma once

#include <cstddef>

constexpr unsigned kBins = 100;

__global__ void histogram(const int* x, std::size_t n, int* counts) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // <solution>
  __shared__ int mine[kBins];
  for (unsigned b = threadIdx.x; b < kBins; b += blockDim.x) mine[b] = 0;
  __syncthreads();  // nobody counts before all is zero
  for (std::size_t i = me; i < n; i += threads) atomicAdd(&mine[x[i]], 1);
  __syncthreads();  // nobody brings a count before all have counted
  for (unsigned b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&counts[b], mine[b]);
  // <starter>
  //| // TODO: count in shared memory first, then bring each count to global memory once.
  //| for (std::size_t i = me; i < n; i += threads) atomicAdd(&counts[x[i]], 1);
  // </solution>
}

// SPDX-License-Identifier: MIT
// Exercise missing_barrier: repair a block's sum in shared memory.
//
// Each block of 256 threads adds up its 256 elements of x (the last block: what is left). sums[i]
// becomes the sum of the block that x[i] belongs to.
#pragma once

#include <cstddef>

constexpr unsigned kBlock = 256;

__global__ void block_sums(const int* x, std::size_t n, int* sums) {
  __shared__ int s[kBlock];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * kBlock + t;
  s[t] = i < n ? x[i] : 0;
  __syncthreads();
  // TODO: the sums are wrong. Which thread reads what another one has not written yet?
  for (unsigned half = kBlock / 2; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
  }
  if (i < n) sums[i] = s[0];
}

// SPDX-License-Identifier: MIT
// Wrong: right only for powers of two. Of an odd number of values the last is lost.
#pragma once

#include <climits>
#include <cstddef>

__global__ void block_max(const int* x, std::size_t n, int* maxima) {
  extern __shared__ int s[];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + t;
  s[t] = i < n ? x[i] : INT_MIN;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) s[t] = max(s[t], s[t + half]);
    __syncthreads();
  }
  if (t == 0) maxima[blockIdx.x] = s[0];
}

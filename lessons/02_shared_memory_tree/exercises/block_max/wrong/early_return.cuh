// SPDX-License-Identifier: MIT
// Wrong: threads without an element leave their place in shared memory as it is.
#pragma once

#include <climits>
#include <cstddef>

__global__ void block_max(const int* x, std::size_t n, int* maxima) {
  extern __shared__ int s[];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + t;
  if (i >= n) return;
  s[t] = x[i];
  __syncthreads();
  for (unsigned left = blockDim.x; left > 1;) {
    const unsigned half = (left + 1) / 2;
    if (t + half < left) s[t] = max(s[t], s[t + half]);
    __syncthreads();
    left = half;
  }
  if (t == 0) maxima[blockIdx.x] = s[0];
}

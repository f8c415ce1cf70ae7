// SPDX-License-Identifier: MIT
// Wrong: rounded up, but a thread whose partner is not there looks for it behind the end.
#pragma once

#include <climits>
#include <cstddef>

__global__ void block_max(const int* x, std::size_t n, int* maxima) {
  extern __shared__ int s[];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + t;
  s[t] = i < n ? x[i] : INT_MIN;
  __syncthreads();
  for (unsigned left = blockDim.x; left > 1;) {
    const unsigned half = (left + 1) / 2;
    if (t < half) s[t] = max(s[t], s[t + half]);
    __syncthreads();
    left = half;
  }
  if (t == 0) maxima[blockIdx.x] = s[0];
}

// SPDX-License-Identifier: MIT
// Wrong: __syncwarp() makes the lanes of one warp wait, not the warps of a block.
#pragma once

#include <cstddef>

constexpr unsigned kBlock = 256;

__global__ void sums_of_others(const int* x, std::size_t n, int* others) {
  __shared__ int s[kBlock];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * kBlock + t;
  const int mine = i < n ? x[i] : 0;
  s[t] = mine;
  __syncthreads();
  for (unsigned half = kBlock / 2; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncwarp();
  }
  __syncthreads();
  if (i < n) others[i] = s[0] - mine;
}

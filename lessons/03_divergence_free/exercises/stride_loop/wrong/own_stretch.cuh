// SPDX-License-Identifier: MIT
// Wrong: each thread has a stretch of its own, as on a CPU: the lanes of a warp read far apart.
#pragma once

#include <cstddef>

__global__ void dot_shares(const int* a, const int* b, std::size_t n, int* shares) {
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  int mine = 0;
  const std::size_t each = (n + threads - 1) / threads;
  for (std::size_t i = me * each; i < (me + 1) * each && i < n; ++i) mine += a[i] * b[i];
  shares[me] = mine;
}

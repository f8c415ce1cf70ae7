// SPDX-License-Identifier: MIT
// Wrong: the mask names lanes that stay outside of the branch, and lane 0 may be one of them.
#pragma once

#include <cstddef>

constexpr unsigned kAllLanes = 0xffffffffu;

__global__ void positive_sums(const int* x, std::size_t n, int* sums) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const int mine = i < n ? x[i] : 0;
  if (mine > 0) {
    const int sum = __reduce_add_sync(kAllLanes, mine);
    if (lane == 0) sums[i / 32] = sum;
  }
}
